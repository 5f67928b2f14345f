import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import type { Secret } from '#platform/crypto';
import { Database } from '#platform/database';
import { logFailedWork } from '#platform/errors';
import { EventOutbox } from '#platform/events';
import { Shutdown } from '#platform/lifecycle';
import { LOGGER, type Logger } from '#platform/logging';
import { EndpointHealth } from './endpoint-health.js';
import { WebhookSecrets } from '../endpoints/webhook-secrets.js';
import { DeliveryStore } from './delivery-store.js';
import type { WebhookDelivery } from './delivery.js';
import { pauseAfter } from './retry-pauses.js';
import { bodyOf, signatureOf } from './webhook-message.js';
import { WebhookMetrics } from './webhook.metrics.js';
import { WebhookSender, type WebhookRequest, type WebhookResult } from './webhook-sender.js';

/** The address to which one batch of deliveries is sent, and the secrets that sign its requests. */
interface DeliveryTarget {
  url: string;
  secrets: readonly Secret[];
}

/** Sends the due deliveries of one endpoint. */
@Injectable()
export class DeliverToEndpoint {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly outbox: EventOutbox,
    private readonly store: DeliveryStore,
    private readonly secrets: WebhookSecrets,
    private readonly sender: WebhookSender,
    private readonly health: EndpointHealth,
    private readonly metrics: WebhookMetrics,
    private readonly shutdown: Shutdown,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Delivers until nothing is due, for at most WEBHOOK_SLICE_MS, after which other endpoints may proceed. Only one
   * worker at a time delivers to an endpoint. Every delivery is sent at least once, always with the same `webhook-id`
   * and body.
   * @returns the number of attempts.
   */
  async execute(endpointId: string): Promise<number> {
    const lease = await this.store.lease(endpointId);
    if (lease === null) return 0;
    const endsAtMs = this.clock.monotonicMs() + this.config.constants.WEBHOOK_SLICE_MS;
    const atOnce = this.config.constants.WEBHOOK_ENDPOINT_CONCURRENCY;
    let attempts = 0;
    try {
      while (this.clock.monotonicMs() < endsAtMs && !this.shutdown.hasBegun) {
        // Each batch reads the secrets and the address again, because they may have changed since the last batch.
        const secrets = await this.secrets.listSigning(lease.endpoint);
        const taken = await this.store.take(lease, atOnce);
        if (taken === null) break;
        const { url, deliveries } = taken;
        await Promise.all(deliveries.map((delivery) => this.attemptOrLog({ url, secrets }, delivery)));
        attempts += deliveries.length;
        if (deliveries.length < atOnce) break;
      }
    } finally {
      await this.store.release(lease);
    }
    return attempts;
  }

  /**
   * Sends one delivery. When its result cannot be stored, the delivery is due again after the lease. The failure does
   * not stop the other deliveries of the batch.
   */
  private async attemptOrLog(target: DeliveryTarget, delivery: WebhookDelivery): Promise<void> {
    try {
      await this.attempt(target, delivery);
    } catch (error) {
      logFailedWork(
        this.logger,
        error,
        'a webhook was not sent, or its result was not stored; its delivery is due again',
        {
          deliveryId: delivery.id,
        },
      );
    }
  }

  private async attempt({ url, secrets }: DeliveryTarget, delivery: WebhookDelivery): Promise<void> {
    const event = await this.outbox.find(delivery.eventId);
    // The event and its deliveries were deleted after this delivery was taken, so nothing is sent.
    if (event === null) return;
    const body = bodyOf(event, this.config.constants.WEBHOOK_BODY_MAX_BYTES);
    const at = this.clock.now();
    const headers = {
      'content-type': 'application/json',
      'webhook-id': event.id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': signatureOf(event.id, at, body, secrets),
    };
    const request = { url, headers, body };
    const result = await this.sender.send(request);
    this.metrics.ended(result);
    await this.record(delivery, request, result);
  }

  private async record(
    delivery: WebhookDelivery,
    { url, headers }: WebhookRequest,
    result: WebhookResult,
  ): Promise<void> {
    await this.db.transaction(async (tx) => {
      await this.health.observe(tx, { endpointId: delivery.endpointId, url }, result);
      await this.store.finishAttempt(tx, delivery, headers, result);
      await this.store.settle(tx, delivery, this.nextOf(delivery, result));
    });
  }

  private nextOf(
    { attempts, attemptsBefore }: WebhookDelivery,
    { error }: WebhookResult,
  ): { state: WebhookDelivery['state']; nextAttemptAt: Date | null } {
    if (error === null) return { state: 'delivered', nextAttemptAt: null };
    const pauseMs = pauseAfter(attempts - attemptsBefore, Math.random());
    if (pauseMs === null) return { state: 'failed', nextAttemptAt: null };
    return { state: 'pending', nextAttemptAt: new Date(this.clock.now().getTime() + pauseMs) };
  }
}
