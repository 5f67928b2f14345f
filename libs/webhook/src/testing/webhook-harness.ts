import type { Type } from '@nestjs/common';
import { createProject } from '#access/testing';
import { testOverrides, type TestOverrides } from '#platform/config';
import type { Database } from '#platform/database';
import { Events, type EventType } from '#platform/events';
import { createTestModule, ManualClock } from '#platform/testing';
import { DeliverToEndpoint } from '../deliveries/deliver-to-endpoint.js';
import type { WebhookAttempt, WebhookDelivery } from '../deliveries/delivery.js';
import { DispatchEvents } from '../deliveries/dispatch-events.js';
import { EndpointHealth } from '../deliveries/endpoint-health.js';
import { WebhookDeliveries } from '../deliveries/webhook-deliveries.service.js';
import { WebhookMetrics } from '../deliveries/webhook.metrics.js';
import { WebhookSender } from '../deliveries/webhook-sender.js';
import { CreateWebhookEndpoint, type CreatedWebhookEndpoint } from '../endpoints/create-webhook-endpoint.js';
import { DeliveryStore } from '../deliveries/delivery-store.js';
import { WebhookModule } from '../webhook.module.js';

/** The default of the tests. A busy machine does not reach it. */
export const WEBHOOK_TIMEOUT_MS = 30_000;
const PAGE = { page: 0, limit: 1_000 };

/** Runs the real use cases on a separate database. The test runs the work of the worker step by step. */
export class WebhookHarness {
  projectId: string;
  /** The endpoints of the present test; `work` leaves out all others. */
  private readonly own = new Set<string>();

  private constructor(
    readonly clock: ManualClock,
    readonly db: Database,
    /** Url of the role that owns the tables. */
    readonly ownerUrl: string,
    readonly get: <T>(type: Type<T>) => T,
    readonly close: () => Promise<void>,
  ) {}

  static async create(overrides: TestOverrides = {}, env: Record<string, string> = {}): Promise<WebhookHarness> {
    const clock = new ManualClock();
    const { module, db, database, close } = await createTestModule({
      imports: [WebhookModule],
      providers: [DeliverToEndpoint, DispatchEvents, EndpointHealth, WebhookMetrics, WebhookSender],
      env: { WEBHOOK_ALLOW_PRIVATE: 'true', ...testOverrides({ WEBHOOK_TIMEOUT_MS, ...overrides }), ...env },
      clock,
    });
    const harness = new WebhookHarness(
      clock,
      db,
      database.ownerUrl,
      (type) => module.get(type, { strict: false }),
      close,
    );
    harness.projectId = (await createProject(module)).projectId;
    return harness;
  }

  /** Begins a test: with a new project, and without the endpoints of earlier tests. */
  async reset(): Promise<void> {
    this.own.clear();
    await this.newProject();
  }

  /** Switches to a new project, which has no endpoints. */
  async newProject(): Promise<void> {
    this.projectId = (await createProject({ get: this.get })).projectId;
  }

  async endpoint(url: string, eventTypes: string[] = []): Promise<CreatedWebhookEndpoint> {
    const { projectId } = this;
    const input = { projectId, url, eventTypes, description: '', actor: 'tests' };
    const created = await this.get(CreateWebhookEndpoint).execute(input);
    this.own.add(created.endpoint.id);
    return created;
  }

  /** Records one event of a wallet. */
  record(walletId = 'wallet-1', type: EventType = 'wallet.balance.updated', more: object = {}): Promise<void> {
    const event = { projectId: this.projectId, type, subject: walletId, data: { walletId, ...more } };
    return this.db.transaction((tx) => this.get(Events).record(tx, [event]));
  }

  dispatch(): Promise<number> {
    return this.get(DispatchEvents).execute();
  }

  /** Does the work that is due now. @returns the number of attempts. */
  async work(): Promise<number> {
    await this.dispatch();
    const store = this.get(DeliveryStore);
    const due = [
      ...(await store.listDueEndpoints(1_000, { areFailing: false })),
      ...(await store.listDueEndpoints(1_000, { areFailing: true })),
    ].filter((id) => this.own.has(id));
    const attempts = await Promise.all(due.map((id) => this.get(DeliverToEndpoint).execute(id)));
    return attempts.reduce((sum, count) => sum + count, 0);
  }

  async deliveries(endpointId: string): Promise<WebhookDelivery[]> {
    return (await this.get(WebhookDeliveries).list(endpointId, null, PAGE)).deliveries.reverse();
  }

  /** The only delivery of an endpoint, and its attempts. */
  async log(endpointId: string): Promise<{ delivery: WebhookDelivery; attempts: WebhookAttempt[] }> {
    const [delivery] = await this.deliveries(endpointId);
    if (delivery === undefined) throw new Error('the endpoint has no delivery');
    return { delivery, attempts: await this.get(WebhookDeliveries).listAttempts(delivery.id) };
  }
}
