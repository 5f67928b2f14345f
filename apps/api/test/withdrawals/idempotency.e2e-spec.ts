import { randomUUID } from 'node:crypto';
import { createApiKey } from '#access/testing';
import { DAY_MS } from '#platform/clock';
import { until, withoutRules } from '#platform/testing';
import type { Answer } from '../support/documented-responses.js';
import type { HttpClient } from '../support/http-client.js';
import { ADMIN_TOKEN, TestApp, type TestProjectWithClient, type TestWallet } from '../support/test-app.js';
import {
  btcQuote,
  execute,
  savedAddress,
  type ErrorBody,
  type ExecutionBody,
  type QuoteBody,
} from '../support/withdrawal-client.js';

const QUOTE = '/v0/wallet/withdraw/quote';
const CONNECT = '/v0/wallet/kraken/connect';
const LOCK_MS = 120_000;

type QuoteAnswer = Answer<QuoteBody & ErrorBody>;

describe('a request with an Idempotency-Key', () => {
  let app: TestApp;
  let project: TestProjectWithClient;
  let wallet: TestWallet;
  let key: string;

  beforeAll(async () => {
    // A call that the sandbox exchange holds back must not time out before the test releases it.
    app = await TestApp.create({ env: { EXCHANGE_TIMEOUT_MS: '60000' } });
    project = await app.project();
  });
  beforeEach(async () => {
    wallet = await app.wallet(project);
    key = randomUUID();
  });
  afterEach(() => app.sandbox.calm());
  afterAll(() => app.close());

  const keyed = (http: HttpClient = wallet.http): HttpClient => http.with({ 'idempotency-key': key });
  const btc = (amount = '0.01') => ({
    asset: 'BTC',
    network: 'bitcoin',
    amount,
    address: savedAddress(wallet, 'BTC', 'Bitcoin'),
  });
  const quote = (body: object = btc(), http = keyed()): Promise<QuoteAnswer> => http.post(QUOTE, { body });
  const isReplayed = ({ headers }: { headers: Answer['headers'] }): boolean =>
    headers['idempotent-replayed'] === 'true';
  const facts = ({ status, body }: Answer<ErrorBody>) => [status, body.type];
  const arm = (endpoint: string, fault: string, count = 1) =>
    app.sandbox.arm({ endpoint, fault, count, apiKey: wallet.account.apiKey });

  const countQuotes = async (): Promise<number> => {
    const [row] = await app.db.query<{ count: number }>(
      `select count(*)::int as count from quotes q join wallets w on w.id = q.wallet_id where w.external_id = $1`,
      [wallet.walletId],
    );
    return row?.count ?? 0;
  };

  /** Sends a request for a quote. The call to the exchange hangs until `app.sandbox.calm()`, and then fails. */
  const heldQuote = async (): Promise<{ answered: Promise<QuoteAnswer> }> => {
    const count = (): Promise<number> => app.sandbox.countCalls(wallet.account, 'BalanceEx');
    const before = await count();
    await arm('BalanceEx', 'hang_before');
    const answered = quote();
    await until('the exchange has the request', async () => (await count()) > before);
    return { answered };
  };

  it('is carried out once: a repeat gets the same status and body, and a header that marks the repeat', async () => {
    const first = await quote();
    expect([first.status, isReplayed(first)]).toEqual([200, false]);
    const repeat = await quote();
    expect([repeat.status, isReplayed(repeat)]).toEqual([200, true]);
    expect(JSON.stringify(repeat.body)).toBe(JSON.stringify(first.body));
    expect(await countQuotes()).toBe(1);
    const other = await quote(btc(), wallet.http.with({ 'idempotency-key': randomUUID() }));
    expect(other.body.id).not.toBe(first.body.id);
  });

  it('gets the status 201 of the first response at a repeat, and its exchange credentials are not stored', async () => {
    const { apiKey, apiSecret } = await app.sandbox.open();
    const http = keyed(project.http.with({ 'x-svc-wallet-id': key }));
    const connect = () => http.post(CONNECT, { body: { apiKey, apiSecret } });
    const [first, repeat] = [await connect(), await connect()];
    expect([first.status, repeat.status, isReplayed(repeat)]).toEqual([201, 201, true]);
    expect(repeat.body).toEqual(first.body);
    const again = () => http.with({ 'idempotency-key': `${key} again` }).post(CONNECT, { body: { apiKey, apiSecret } });
    expect([(await again()).status, (await again()).status]).toEqual([200, 200]);
    const [row] = await app.db.query<{ text: string }>(
      'select row_to_json(a)::text as text from idempotent_responses a where key = $1',
      [key],
    );
    expect(row?.text).not.toContain(apiSecret);
    expect(row?.text).not.toContain(apiKey);
  });

  it('gets the same refusal at every repeat, in the format that the repeat accepts', async () => {
    const refused = { ...btc(), network: 'tron' };
    const http = keyed().with({ 'x-request-id': 'one-and-the-same' });
    const [first, repeat] = [await quote(refused, http), await quote(refused, http)];
    expect(facts(first)).toEqual([400, 'WITHDRAWAL_NETWORK_NOT_SUPPORTED']);
    expect(repeat.status).toBe(first.status);
    expect(JSON.stringify(repeat.body)).toBe(JSON.stringify(first.body));
    expect([isReplayed(first), isReplayed(repeat)]).toEqual([false, true]);

    const problem = await quote(refused, http.with({ accept: 'application/problem+json' }));
    expect(problem.headers['content-type']).toContain('application/problem+json');
    expect(problem.body).toMatchObject({
      type: '/docs/errors#WITHDRAWAL_NETWORK_NOT_SUPPORTED',
      code: 'WITHDRAWAL_NETWORK_NOT_SUPPORTED',
      status: 400,
      detail: first.body.error,
      result: first.body.result,
    });
    const ofItsOwn = await quote(refused, http.with({ 'x-request-id': 'another' }));
    expect(ofItsOwn.body).toEqual({ ...first.body, requestId: 'another' });
  });

  describe('is refused with 422 when the payload differs', () => {
    const others: [string, () => Promise<Answer<ErrorBody>>][] = [
      ['body', () => quote(btc('0.02'))],
      ['query', () => keyed().post(`${QUOTE}?other=1`, { body: btc() })],
      ['path and method', () => keyed().put(`/v0/wallet/withdraw/${randomUUID()}/execute`, { body: btc() })],
      ['wallet', () => quote(btc(), keyed().with({ 'x-svc-wallet-id': 'another' }))],
    ];
    it.each(others)('in its %s', async (_, send) => {
      const first = await quote();
      const other = await send();
      expect(facts(other)).toEqual([422, 'GENERIC_INVALID_REQUEST']);
      expect(isReplayed(other)).toBe(false);
      expect((await quote()).body).toEqual(first.body);
      const problem = await quote(btc('0.03'), keyed().with({ accept: 'application/problem+json' }));
      expect(problem.body).toMatchObject({ status: 422, code: 'GENERIC_INVALID_REQUEST' });
    });
  });

  it('gets 409 while the first request is in progress, and its result afterwards', async () => {
    const first = await heldQuote();
    const second = await quote();
    expect(facts(second)).toEqual([409, 'GENERIC_INVALID_REQUEST']);
    expect(Number(second.headers['retry-after'])).toBeGreaterThan(0);
    expect(facts(await quote(btc('0.02')))).toEqual([422, 'GENERIC_INVALID_REQUEST']);
    // This ends the reused connection of the first request, whose read is then repeated.
    await app.sandbox.calm();
    expect((await first.answered).status).toBe(200);
    const third = await quote();
    expect([third.status, isReplayed(third)]).toEqual([200, true]);
    expect(await countQuotes()).toBe(1);
  });

  it('is carried out once when it is sent twenty times at once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => quote()));
    const served = answers.filter(({ status }) => status === 200);
    expect(served.length).toBeGreaterThan(0);
    expect(new Set(served.map(({ body }) => body.id)).size).toBe(1);
    expect(served.filter((answer) => !isReplayed(answer))).toHaveLength(1);
    for (const other of answers.filter(({ status }) => status !== 200)) {
      expect(facts(other)).toEqual([409, 'GENERIC_INVALID_REQUEST']);
    }
    expect(await countQuotes()).toBe(1);
  });

  describe('leaves its key free for another request after', () => {
    const executed = async (id: string): Promise<Answer<ExecutionBody & ErrorBody>> =>
      keyed().put(`/v0/wallet/withdraw/${id}/execute`, { body: {} });

    it('a failure of the exchange', async () => {
      await arm('*', 'error_before', 3);
      expect(facts(await quote())).toEqual([502, 'WITHDRAWAL_PROVIDER_ERROR']);
      await app.sandbox.calm();
      const next = await quote();
      expect([next.status, isReplayed(next)]).toEqual([200, false]);
    });

    it('a failure of Causeway', async () => {
      await app.asOwner('alter table quotes rename to quotes_away');
      expect(facts(await quote())).toEqual([500, 'GENERIC_INTERNAL_SERVER_ERROR']);
      await app.asOwner('alter table quotes_away rename to quotes');
      expect((await quote()).status).toBe(200);
    });

    it('a rate limit', async () => {
      const { id } = await btcQuote(wallet);
      await arm('WithdrawAddresses', 'rate_limit');
      const limited = await executed(id);
      expect(facts(limited)).toEqual([429, 'WITHDRAWAL_RATE_LIMIT_EXCEEDED']);
      const retryAfterSeconds = Number(limited.headers['retry-after']);
      expect(retryAfterSeconds).toBeGreaterThan(0);
      app.clock.advance(retryAfterSeconds * 1_000);
      const next = await executed(id);
      expect([next.status, isReplayed(next)]).toEqual([200, false]);
    });

    it('an invalid parameter', async () => {
      expect(facts(await quote(btc('a lot')))).toEqual([400, 'GENERIC_VALIDATION_ERROR']);
      expect((await quote()).status).toBe(200);
    });

    it('a conflict with a withdrawal in flight', async () => {
      const { id } = await btcQuote(wallet);
      await arm('Withdraw', 'answer_lost');
      const { apiKey } = wallet.account;
      await app.sandbox.arm({
        endpoint: 'WithdrawStatus',
        fault: 'history_lags',
        count: 1_000,
        delayMs: 60_000,
        apiKey,
      });
      const unknown = await wallet.http.put<ExecutionBody>(`/v0/wallet/withdraw/${id}/execute`, { body: {} });
      expect(unknown.status).toBe(200);
      const duplicate = await btcQuote(wallet);
      for (const answer of [await executed(duplicate.id), await executed(duplicate.id)]) {
        expect([...facts(answer), isReplayed(answer)]).toEqual([409, 'GENERIC_INVALID_REQUEST', false]);
        expect(answer.body.result.transactionId).toBe(unknown.body.result.transactionId);
      }
    });
  });

  it('leaves its key free when credentials or scopes are refused', async () => {
    const stranger = await app.project();
    const unauthorized = await quote(btc(), keyed().with({ 'x-svc-api-key': stranger.headers['x-svc-api-key'] }));
    expect(unauthorized.status).toBe(401);
    const weak = await createApiKey(app.api, project, { scopes: ['read'] });
    expect((await quote(btc(), keyed().with(weak.headers))).status).toBe(403);
    const first = await quote();
    expect([first.status, isReplayed(first)]).toEqual([200, false]);
    // An API key without the scope to quote gets 403, although a response is stored for this Idempotency-Key.
    expect((await quote(btc(), keyed().with(weak.headers))).status).toBe(403);
  });

  it('counts as a new request after the stored response has expired', async () => {
    const first = await quote();
    app.clock.advance(DAY_MS - 1_000);
    expect((await quote()).body).toEqual(first.body);
    app.clock.advance(1_000);
    const next = await quote(btc('0.02'));
    expect([next.status, isReplayed(next)]).toEqual([200, false]);
    expect((await quote(btc('0.02'))).body).toEqual(next.body);
  });

  it('takes over the key of a request whose process died, after the lock has expired', async () => {
    const first = await quote();
    // A process that dies before it stores its response leaves this row.
    await withoutRules(app.ownerUrl, `update idempotent_responses set status = null, body = null where key = '${key}'`);
    app.clock.advance(LOCK_MS - 1_000);
    expect((await quote()).status).toBe(409);
    app.clock.advance(1_000);
    expect(facts(await quote(btc('0.02')))).toEqual([422, 'GENERIC_INVALID_REQUEST']);
    const second = await quote();
    expect([second.status, isReplayed(second)]).toEqual([200, false]);
    expect(second.body.id).not.toBe(first.body.id);
    const third = await quote();
    expect([third.body, isReplayed(third)]).toEqual([second.body, true]);
  });

  it('does not get its earlier refusal again after another request has executed the quote', async () => {
    const poor = await app.wallet(project, { balances: { BTC: '1' } });
    const { id } = await btcQuote(poor, '0.9');
    const other = await btcQuote(poor, '0.5');
    expect((await execute(poor, other.id)).status).toBe(200);
    const path = `/v0/wallet/withdraw/${id}/execute`;
    const withKey = poor.http.with({ 'idempotency-key': randomUUID() });
    const refused = await withKey.put<ErrorBody>(path, { body: {} });
    expect([refused.status, refused.body.type]).toEqual([400, 'WITHDRAWAL_INSUFFICIENT_BALANCE']);
    await app.sandbox.fund(poor.account, 'BTC', '1');
    const paid = await execute(poor, id);
    expect(paid.status).toBe(200);
    const repeated = await withKey.put<ExecutionBody>(path, { body: {} });
    expect([repeated.status, repeated.body]).toEqual([200, paid.body]);
  });

  it('executes a quote, and other requests with or without a key do not execute it again', async () => {
    const { id } = await btcQuote(wallet);
    const path = `/v0/wallet/withdraw/${id}/execute`;
    const first = await keyed().put<ExecutionBody>(path, { body: {} });
    expect(first.status).toBe(200);
    const repeat = await keyed().put<ExecutionBody>(path, { body: {} });
    expect([repeat.body, isReplayed(repeat)]).toEqual([first.body, true]);
    for (const other of [wallet.http, wallet.http.with({ 'idempotency-key': randomUUID() })]) {
      const answer = await other.put<ExecutionBody>(path, { body: {} });
      expect([answer.status, answer.body, isReplayed(answer)]).toEqual([200, first.body, false]);
    }
    expect(await app.sandbox.countCalls(wallet.account, 'Withdraw')).toBe(1);
    expect(await app.sandbox.withdrawals(wallet.account)).toHaveLength(1);
  });

  it('is independent of the same key in another project', async () => {
    const elsewhere = await app.wallet(await app.project());
    const first = await quote();
    const other = await quote(btc('0.5'), keyed(elsewhere.http));
    expect([other.status, isReplayed(other)]).toEqual([200, false]);
    expect(other.body.id).not.toBe(first.body.id);
  });

  it.each([
    ['too long', 'k'.repeat(256)],
    ['not ASCII', 'clé'],
    ['with a control character', 'a\tb'],
    ['sent twice', ['a', 'b']],
  ])('is refused when the key is %s, and the error names the header', async (_, given) => {
    const answer = await quote(btc(), wallet.http.with({ 'idempotency-key': given }));
    expect(facts(answer)).toEqual([400, 'GENERIC_VALIDATION_ERROR']);
    expect(answer.body.result?.fields?.map(({ field }) => field)).toEqual(['idempotency-key']);
    expect(await countQuotes()).toBe(0);
  });

  it('accepts any printable key of up to 255 characters', async () => {
    for (const given of ['k'.repeat(255), '"8e03978e-40d5-43dd-bc93-6894a57f9324"', 'a b ~']) {
      const http = wallet.http.with({ 'idempotency-key': given });
      const [first, repeat] = [await quote(btc(), http), await quote(btc(), http)];
      expect([first.status, repeat.body, isReplayed(repeat)]).toEqual([200, first.body, true]);
    }
  });

  it('is carried out at every repeat on operator routes, because their responses contain keys', async () => {
    const http = keyed(app.http.with({ authorization: `Bearer ${ADMIN_TOKEN}` }));
    const create = () => http.post<{ id: string }>('/v0/admin/organizations', { body: { name: 'Twice' } });
    const [first, second] = [await create(), await create()];
    expect([first.status, second.status, isReplayed(second)]).toEqual([201, 201, false]);
    expect(second.body.id).not.toBe(first.body.id);
  });
});

it('the worker deletes stored responses that have expired', async () => {
  const app = await TestApp.create({ worker: true, overrides: { RETENTION_SWEEP_MS: 1_000 } });
  const wallet = await app.wallet(await app.project());
  const http = wallet.http.with({ 'idempotency-key': 'k' });
  const refused = await http.post<ErrorBody>(QUOTE, { body: { asset: 'NOPE', amount: '1', address: 'x' } });
  expect(refused.body.type).toBe('WITHDRAWAL_ASSET_NOT_SUPPORTED');
  const count = async () => (await app.db.query(`select 1 from idempotent_responses where key = 'k'`)).length;
  expect(await count()).toBe(1);
  app.clock.advance(DAY_MS);
  await until('the response is deleted', async () => (await count()) === 0);
  await app.close();
});
