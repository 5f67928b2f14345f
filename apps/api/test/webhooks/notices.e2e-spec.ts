import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { Receiver } from '#webhook/testing';
import { until } from '#platform/testing';
import { sendRaw } from '../support/raw-http.js';
import { TestApp, type TestWallet } from '../support/test-app.js';

const SECRET = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
const PERIOD_SECONDS = 3_600;
const PATH = '/v0/webhooks/sandbox';

interface Stored {
  outcome: string | null;
  body: { type: string; data: { keys: string[] } };
}

/** Covers webhooks of exchanges, from the sandbox exchange to the wallet. */
describe('webhooks of exchanges', () => {
  let app: TestApp;
  /** Stands between the sandbox exchange and the API, and passes each webhook on. */
  let relay: Receiver;

  beforeAll(async () => {
    relay = await Receiver.start();
    app = await TestApp.create({
      worker: true,
      notices: { url: relay.url, secret: SECRET },
      env: {
        WEBHOOK_SECRET_SANDBOX: SECRET,
        EXCHANGE_TIMEOUT_MS: '10000',
        WALLET_SYNC_SECONDS: String(PERIOD_SECONDS),
        TRANSACTION_SYNC_SECONDS: String(PERIOD_SECONDS),
      },
      overrides: { TRANSACTION_SYNC_SWEEP_MS: 50, WALLET_SYNC_SWEEP_MS: 50, QUEUE_LEASE_MS: 500, WEBHOOK_SWEEP_MS: 50 },
    });
    relay.behave = (response, { headers, body }) =>
      void fetch(`${app.url}${PATH}`, { method: 'POST', headers: headers as Record<string, string>, body }).then(
        ({ status }) => response.writeHead(status).end(),
        () => response.destroy(),
      );
  });
  afterAll(async () => {
    await app.close();
    await relay.close();
  });
  const stored = (id: string): Promise<Stored[]> =>
    app.db.query<Stored>(`select outcome, body from received_webhooks where notice_id = $1`, [id]);
  const signed = (body: object, { id = randomUUID(), at = app.clock.now(), secret = SECRET } = {}) => ({
    body,
    headers: {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(secret).sign(id, at, JSON.stringify(body)),
    },
  });

  it('make the worker read the history of the wallet at once', async () => {
    const wallet: TestWallet = await app.wallet(await app.project());
    const { causeway, walletId } = wallet;
    await until('first reading', async () => (await causeway.getWallet()).syncProgress?.state === 'complete');
    const deposit = await app.sandbox.fund(wallet.account, 'BTC', '0.125');
    // Without the notice, the worker would read the history only after an hour.
    await until('the deposit in the history', async () => {
      const { transactions } = await causeway.listTransactions({ walletId });
      return transactions.some(({ exchangeTransactionId }) => exchangeTransactionId === deposit.refid);
    });
    const outcomes = await Promise.all(relay.ids.map(async (id) => (await stored(id))[0]?.outcome));
    expect(outcomes).toContain('applied');
    expect(JSON.stringify(await stored(relay.ids[0] ?? ''))).not.toContain(wallet.account.apiKey);
  });

  it('are stored once for each id and answered with 202, also when they are repeated', async () => {
    const request = signed({ type: 'deposit.updated', data: { keys: ['0'.repeat(64)] } }, { id: randomUUID() });
    const id = request.headers['webhook-id'];
    for (let repeat = 0; repeat < 3; repeat++) {
      const { status, body } = await app.http.post(PATH, request);
      expect([status, body]).toEqual([202, { success: true }]);
    }
    await until('processed', async () => (await stored(id))[0]?.outcome === 'no_wallet');
    expect(await stored(id)).toHaveLength(1);
  });

  it.each([[{ type: 'maintenance' }], [{}], [{ type: 'deposit.updated', data: { keys: ['none'] } }]])(
    'are ignored when they report neither a deposit nor a withdrawal, or have a malformed key: %j',
    async (body) => {
      const request = signed(body);
      expect((await app.http.post(PATH, request)).status).toBe(202);
      await until('ignored', async () => (await stored(request.headers['webhook-id']))[0]?.outcome === 'ignored');
    },
  );

  it('are refused without their headers, with an old time, and with a wrong signature', async () => {
    const body = { type: 'deposit.updated' };
    const good = signed(body);
    const refused = async (request: { headers: Record<string, string> }): Promise<[number, unknown]> => {
      const answer = await app.http.post(PATH, { ...request, body });
      return [answer.status, answer.body['type']];
    };
    expect(await refused({ headers: {} })).toEqual([400, 'WEBHOOK_MISSING_HEADERS']);
    const { 'webhook-signature': _signature, ...unsigned } = good.headers;
    expect(await refused({ headers: unsigned })).toEqual([400, 'WEBHOOK_MISSING_HEADERS']);
    const old = signed(body, { at: new Date(app.clock.now().getTime() - 301_000) });
    expect(await refused(old)).toEqual([400, 'WEBHOOK_INVALID_TIMESTAMP']);
    const secret = `whsec_${Buffer.alloc(32, 6).toString('base64')}`;
    expect(await refused(signed(body, { secret }))).toEqual([401, 'WEBHOOK_SIGNATURE_INVALID']);
    const altered = await app.http.post(PATH, { headers: good.headers, body: '{"type":  "deposit.updated"}' });
    expect([altered.status, altered.body['type']]).toEqual([401, 'WEBHOOK_SIGNATURE_INVALID']);
    expect(await stored(good.headers['webhook-id'])).toEqual([]);
  });

  it('are refused with a header that was sent twice, because a proxy may have checked the other value', async () => {
    const { body, headers } = signed({ type: 'deposit.updated' });
    for (const [name, value] of Object.entries(headers)) {
      const twice = { ...headers, 'content-type': 'application/json', [name]: ['1', value] };
      const answer = await sendRaw(`${app.url}${PATH}`, twice, 'POST', Buffer.from(JSON.stringify(body)));
      const { type } = JSON.parse(answer.body.toString()) as { type?: string };
      expect([name, answer.status, type]).toEqual([name, 400, 'WEBHOOK_MISSING_HEADERS']);
    }
  });

  it('are refused for an exchange that sends no webhooks, and for an unknown exchange', async () => {
    const kraken = await app.http.post('/v0/webhooks/kraken', signed({}));
    expect([kraken.status, kraken.body['type']]).toEqual([400, 'GENERIC_INVALID_REQUEST']);
    const unknown = await app.http.post('/v0/webhooks/mtgox', signed({}));
    expect([unknown.status, unknown.body['type']]).toEqual([404, 'GENERIC_NOT_FOUND']);
  });
});
