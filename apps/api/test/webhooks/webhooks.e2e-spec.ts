import { randomUUID } from 'node:crypto';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { Webhook } from 'standardwebhooks';
import type { Input } from '#client';
import { eventTypes } from '#webhook';
import { Receiver, type ReceivedRequest } from '#webhook/testing';
import { until } from '#platform/testing';
import { schemaNameOf } from '../../src/openapi/webhook-events.js';
import { refusalOf } from '../support/causeway-client.js';
import type { HttpClient } from '../support/http-client.js';
import { ADMIN_TOKEN, TestApp, type TestProjectWithClient } from '../support/test-app.js';
import { btcQuote } from '../support/withdrawal-client.js';

interface Message {
  id: string;
  type: string;
  walletId: string | null;
  walletSequence: number | null;
  data: Record<string, unknown>;
}

const FORMATS = { uuid: true, 'date-time': true } as const;
const messageOf = ({ body }: ReceivedRequest): Message => JSON.parse(body) as Message;
const numberOf = (request: ReceivedRequest): number => messageOf(request).walletSequence ?? 0;

/** Covers webhooks from the change at an exchange to the application. */
describe('webhooks', () => {
  let app: TestApp;
  let admin: HttpClient;
  let project: TestProjectWithClient;
  let receiver: Receiver;

  beforeAll(async () => {
    app = await TestApp.create({ worker: true, env: { WEBHOOK_ALLOW_PRIVATE: 'true', EXCHANGE_TIMEOUT_MS: '10000' } });
    admin = app.http.with({ authorization: `Bearer ${ADMIN_TOKEN}` });
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    project = await app.project();
    receiver = await Receiver.start();
  });
  afterEach(() => receiver.close());

  const endpointsPath = (): string => `/v0/admin/projects/${project.projectId}/webhook-endpoints`;
  const create = (wanted: Partial<Omit<Input<'createWebhookEndpoint'>, 'id'>> = {}) => {
    const { causeway, projectId } = project;
    return causeway.createWebhookEndpoint({ id: projectId, url: receiver.url, ...wanted });
  };
  const has = (type: string) => (requests: readonly ReceivedRequest[]) =>
    requests.some((request) => messageOf(request).type === type);

  it('report a wallet, its quote, its withdrawal and the transaction, as the OpenAPI document describes them', async () => {
    const { secret } = await create();
    const wallet = await app.wallet(project, { settle: 'manual' });
    const { id } = await btcQuote(wallet);
    await wallet.causeway.executeQuote({ quoteId: id });
    const types = ['wallet.created', 'quote.created', 'transaction.created', 'withdrawal.submitted'];
    for (const type of types) await receiver.until(has(type));
    // Concurrent deliveries arrive in any order. None is missing when the highest event number equals their count.
    await receiver.until((requests) => Math.max(...requests.map(numberOf)) === requests.length);

    const ajv = new Ajv2020({ strict: false, allErrors: true, formats: FORMATS });
    ajv.addSchema({
      $id: 'openapi',
      ...(JSON.parse(JSON.stringify(app.document).replaceAll('"#/', '"openapi#/')) as object),
    });
    for (const request of receiver.requests) {
      const { type, walletId, id: eventId } = messageOf(request);
      const name = schemaNameOf(eventTypes.find((known) => known === type) ?? 'wallet.created');
      const validate = ajv.compile({ $ref: `openapi#/components/schemas/${name}` });
      expect([type, validate(messageOf(request)), validate.errors]).toEqual([type, true, null]);
      expect(walletId).toBe(wallet.walletId);
      expect(request.headers['webhook-id']).toBe(eventId);
      const at = new Date(Number(request.headers['webhook-timestamp']) * 1_000);
      const signature = new Webhook(secret).sign(eventId, at, request.body);
      expect(request.headers['webhook-signature']).toBe(signature);
    }
    const numbers = receiver.requests.map(numberOf).sort((a, b) => a - b);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  });

  it('list each delivery with its attempts, and send a delivery again on request', async () => {
    receiver.answer(500);
    const { id } = await create({ eventTypes: ['wallet.created'] });
    await app.wallet(project);
    await receiver.until((requests) => requests.length > 0);
    receiver.answer(200);
    const { causeway } = project;
    const { deliveries } = await causeway.listWebhookDeliveries({ id });
    expect(deliveries).toMatchObject([{ endpointId: id, eventType: 'wallet.created' }]);
    const deliveryId = deliveries[0]?.id ?? '';
    expect((await causeway.resendWebhookDelivery({ id: deliveryId })).resends).toBe(1);
    await receiver.until((requests) => requests.length > 1);
    expect(new Set(receiver.ids).size).toBe(1);
    const shown = await causeway.getWebhookDelivery({ id: deliveryId });
    expect(shown.requestBody).toBe(receiver.requests[0]?.body);
    expect(shown.log[0]).toMatchObject({ number: 1, url: receiver.url });
    expect((await causeway.listWebhookDeliveries({ id, state: 'failed' })).deliveries).toEqual([]);
    const path = `/v0/admin/webhook-endpoints/${id}/deliveries`;
    expect((await admin.get(path, { query: { state: 'lost' } })).status).toBe(400);
  });

  it('send the events of a time range on request, even to an endpoint that was created after the events', async () => {
    await app.wallet(project);
    const open = `select from events where project_id = $1 and dispatched_at is null`;
    await until('the event is dispatched', async () => (await app.db.query(open, [project.projectId])).length === 0);
    const { id } = await create({ eventTypes: ['wallet.created'] });
    const resend = (from: string) => project.causeway.resendWebhookDeliveries({ id, from });
    const aMinuteAgo = new Date(app.clock.now().getTime() - 60_000).toISOString();
    expect(await resend(aMinuteAgo)).toEqual({ count: 1, continueFrom: null });
    await receiver.until(has('wallet.created'));
    expect(receiver.requests).toHaveLength(1);
    for (const from of ['yesterday', '2026-01-01T00:00:00']) expect((await refusalOf(resend(from))).status).toBe(400);
  });

  it('have endpoints that can be listed, changed, given a new secret and deleted, and that show each secret once', async () => {
    const { id, secret } = await create({ description: 'shop' });
    expect(secret).toMatch(/^whsec_/);
    const { causeway, projectId } = project;
    const listed = await causeway.listWebhookEndpoints({ id: projectId });
    expect(listed).toMatchObject({ endpoints: [{ id, description: 'shop', disabledAt: null }] });
    expect(JSON.stringify([listed, await causeway.getWebhookEndpoint({ id })])).not.toContain('whsec_');
    const changed = await causeway.updateWebhookEndpoint({ id, enabled: false, eventTypes: ['order.updated'] });
    expect(changed).toMatchObject({ disabledReason: 'requested', eventTypes: ['order.updated'] });
    const rotated = await causeway.rotateWebhookSecret({ id });
    expect(rotated.secret).toMatch(/^whsec_/);
    expect(rotated.secret).not.toBe(secret);
    expect(await causeway.deleteWebhookEndpoint({ id })).toMatchObject({ id });
    expect((await refusalOf(causeway.getWebhookEndpoint({ id }))).status).toBe(404);
  });

  it.each([
    [{}],
    [{ url: 'hooks' }],
    [{ url: 'https://hooks.example.com', eventTypes: ['wallet.sold'] }],
    [{ url: 'https://hooks.example.com', description: 'x'.repeat(201) }],
    [{ url: 'https://hooks.example.com', description: null }],
    [{ url: 'https://hooks.example.com', eventTypes: null }],
  ])('refuse the endpoint %j', async (body) => {
    const { status, body: error } = await admin.post(endpointsPath(), { body });
    expect([status, error['type']]).toEqual([400, 'GENERIC_VALIDATION_ERROR']);
  });

  it.each([[{ url: null }], [{ description: null }], [{ eventTypes: null }], [{ enabled: null }]])(
    'refuse the change %j of an endpoint',
    async (changes) => {
      const { id } = await create({});
      const { status, body } = await admin.put(`/v0/admin/webhook-endpoints/${id}`, { body: changes });
      expect([status, body['type']]).toEqual([400, 'GENERIC_VALIDATION_ERROR']);
    },
  );

  it.each([[{ to: null }], [{ includeDelivered: null }]])(
    'refuse the members %j in a request to send a time range again',
    async (members) => {
      const { id } = await create({});
      const body = { from: '2026-01-01T00:00:00Z', ...members };
      const refusal = await admin.post(`/v0/admin/webhook-endpoints/${id}/resend`, { body });
      expect(refusal).toMatchObject({
        status: 400,
        body: { result: { fields: [{ field: Object.keys(members)[0] }] } },
      });
    },
  );

  it('can be read and changed by the operator only', async () => {
    const { id } = await create({ eventTypes: ['wallet.created'] });
    await app.wallet(project);
    await receiver.until(has('wallet.created'));
    const endpoint = await project.causeway.getWebhookEndpoint({ id });
    const { deliveries } = await project.causeway.listWebhookDeliveries({ id });
    const ids = { projects: project.projectId, 'webhook-endpoints': id, 'webhook-deliveries': deliveries[0]?.id ?? '' };
    const routes = Object.entries(app.document.paths).filter(([path]) => /^\/v0\/admin\/.*webhook/.test(path));
    const calls = routes.flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => ({
        method: method as 'get' | 'post' | 'put' | 'delete',
        path: path.replace(/([\w-]+)\/\{id\}/, (_, kind: keyof typeof ids) => `${kind}/${ids[kind]}`),
      })),
    );
    expect(calls).toHaveLength(10);
    for (const { method, path } of calls) {
      const { status, body } = await project.http[method](path, method === 'get' ? {} : { body: {} });
      expect([method, path, status, body['type']]).toEqual([method, path, 401, 'GENERIC_UNAUTHORIZED']);
    }
    expect(await project.causeway.getWebhookEndpoint({ id })).toEqual(endpoint);
    expect(receiver.requests).toHaveLength(1);
    expect((await admin.get(`/v0/admin/webhook-endpoints/${randomUUID()}`)).status).toBe(404);
    expect((await admin.get(`/v0/admin/projects/${randomUUID()}/webhook-endpoints`)).status).toBe(404);
  });
});

describe('webhooks of an installation that allows no private addresses', () => {
  it('are refused for the address of a cloud’s metadata, for this machine, and without TLS', async () => {
    const app = await TestApp.create();
    const { projectId } = await app.project();
    const admin = app.http.with({ authorization: `Bearer ${ADMIN_TOKEN}` });
    for (const url of ['https://169.254.169.254/latest', 'https://localhost:8443/', 'http://example.com/']) {
      const { status, body } = await admin.post(`/v0/admin/projects/${projectId}/webhook-endpoints`, { body: { url } });
      expect([url, status, body['type']]).toEqual([url, 400, 'GENERIC_VALIDATION_ERROR']);
    }
    await app.close();
  });
});

describe('an endpoint that fails and then hangs', () => {
  it('does not delay the endpoint of another project, even with one delivery at a time', async () => {
    const app = await TestApp.create({
      worker: true,
      env: { WEBHOOK_ALLOW_PRIVATE: 'true' },
      overrides: { WEBHOOK_CONCURRENCY: 1 },
    });
    const failing = await Receiver.start();
    const healthy = await Receiver.start();
    const [first, second] = [await app.project(), await app.project()];
    const endpointOf = async ({ causeway, projectId }: TestProjectWithClient, { url }: Receiver) =>
      causeway.createWebhookEndpoint({ id: projectId, url, eventTypes: ['wallet.created'] });
    const { id } = await endpointOf(first, failing);
    await endpointOf(second, healthy);

    failing.answer(500);
    await app.wallet(first);
    const isFailing = async () => (await first.causeway.getWebhookEndpoint({ id })).failingSince !== null;
    await until('the failure is stored', isFailing);
    let hasClosed = false;
    failing.behave = (response) => response.on('close', () => (hasClosed = true));
    const { deliveries } = await first.causeway.listWebhookDeliveries({ id });
    await first.causeway.resendWebhookDelivery({ id: deliveries[0]?.id ?? '' });
    await failing.until((requests) => requests.length === 2);
    await app.wallet(second);
    await healthy.until((requests) => requests.length === 1);
    expect(hasClosed).toBe(false);

    await failing.close();
    await healthy.close();
    await app.close();
  });
});
