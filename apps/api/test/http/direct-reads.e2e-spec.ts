import { AsyncLocalStorage } from 'node:async_hooks';
import { channel } from 'node:diagnostics_channel';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { RefuseOnlyIfCached } from '#platform/http';
import { currentLoad } from '#platform/load';
import { PartnerSandbox } from '../support/partner-sandbox.js';
import { sendRaw, type RawAnswer } from '../support/raw-http.js';
import { TestApp, type TestProjectWithClient, type TestWallet } from '../support/test-app.js';
import { btcQuote, execute } from '../support/withdrawal-client.js';

/**
 * A header that means nothing for a GET request. A request with this header is not a direct read, and passes all
 * guards, pipes and interceptors of Nest.
 */
const WHOLE_PIPELINE = { 'content-length': '0' };
/** Time limit for the start of the API and the worker on a busy machine, and for the read of a history. */
const START_MS = 90_000;
/** More than the lifetime of a quote. */
const EXPIRED_MS = 301_000;
const NONE = '01a1fb00-0000-7000-8000-000000000000';

const apart = new Set(['date', 'x-request-id', 'ratelimit']);

/** Returns the response without the parts that differ between any two requests. */
function stable({ status, headers, body }: RawAnswer): object {
  const kept = Object.entries(headers).filter(([name]) => !apart.has(name));
  const text = body.toString().replaceAll(/"requestId":"[^"]*"/g, '"requestId"');
  const length = kept.map(([name, value]) => [name, name === 'content-length' ? value?.length : value]);
  return { status, headers: Object.fromEntries(length), names: Object.keys(headers), text };
}

/** The diagnostics channel on which Fastify publishes each request before it calls the handler. */
const HANDLED = 'tracing:fastify.request.handler:start';

/** Returns the load classes with which handlers of requests take connections to the database; null = without a load. */
function watchLoads({ api }: TestApp): (string | null)[] {
  const classes: (string | null)[] = [];
  // Set only in the work of requests: the background work of the API takes connections, too, and has no load.
  const handling = new AsyncLocalStorage<true>();
  channel(HANDLED).bindStore(handling, () => true);
  const pool = (api.get(DataSource).driver as PostgresDriver).master as Pool;
  const connect = pool.connect.bind(pool) as (...args: unknown[]) => unknown;
  Object.assign(pool, {
    connect: (...args: unknown[]) => {
      if (handling.getStore() === true) classes.push(currentLoad()?.loadClass ?? null);
      return connect(...args);
    },
  });
  return classes;
}

async function historyIsRead({ http }: TestWallet): Promise<void> {
  for (const deadline = Date.now() + START_MS; ;) {
    const { body } = await http.get<{ syncProgress: { state: string } | null }>('/v0/wallet');
    if (body.syncProgress?.state === 'complete') return;
    if (Date.now() > deadline) throw new Error('the worker has not read the history');
  }
}

describe('a direct read', () => {
  let app: TestApp;
  let project: TestProjectWithClient;
  let wallet: TestWallet;
  let headers: Record<string, string>;
  let loads: (string | null)[];
  /** How often Nest's interceptors ran. */
  let runs = 0;
  const stage = RefuseOnlyIfCached.prototype;
  const original = Reflect.get(stage, 'intercept');

  beforeAll(async () => {
    stage.intercept = function (...args) {
      runs += 1;
      return original.apply(this, args);
    };
    app = await TestApp.create({ worker: true });
    loads = watchLoads(app);
    project = await app.project();
    wallet = await app.wallet(project, { balances: { BTC: '5', ETH: '0.1234567891', USD: '100000' } });
    const other = await app.wallet(project);
    // Responses contain the progress of the first read of the history. Until this read ends, two equal requests get
    // different responses.
    await historyIsRead(wallet);
    await historyIsRead(other);
    headers = { ...project.headers, 'x-svc-wallet-id': wallet.walletId };
  }, START_MS);
  afterAll(async () => {
    stage.intercept = original;
    await app.close();
  });

  const read = (path: string, sent: Record<string, string | string[]>, method = 'GET'): Promise<RawAnswer> =>
    sendRaw(`${app.url}${path}`, sent, method);

  /**
   * Sends the request twice, first as a direct read and then with the header of WHOLE_PIPELINE, and expects equal
   * responses.
   * @returns how often Nest's interceptors ran, and the status
   */
  async function compare(
    path: string,
    sent: Record<string, string | string[]> = headers,
    method = 'GET',
  ): Promise<[interceptions: number, status: number]> {
    const before = runs;
    loads.length = 0;
    const direct = await read(path, sent, method);
    const whole = await read(path, { ...sent, ...WHOLE_PIPELINE }, method);
    expect(stable(direct)).toEqual(stable(whole));
    expect([path, loads]).not.toEqual([path, expect.arrayContaining([null])]);
    if (direct.status === 200) expect(loads).not.toEqual([]);
    return [runs - before, direct.status];
  }

  it.each([
    '/v0/wallet',
    '/v0/wallet/list',
    '/v0/wallet/list?limit=1&page=1',
    '/v0/wallet/list?limit=1&page=7',
    '/v0/wallet/list?fields=exchange,exact&exchange=kraken&invalidApi=false&createdSince=2020-01-01',
    '/v0/wallet/transactions?limit=3&asset=btc',
    '/v0/wallet/transactions?unknown=1',
  ])('%s has the response of Nest’s whole pipeline', async (path) => {
    expect(await compare(path)).toEqual([1, 200]);
    // The API does not validate an equal query again. The response must be correct in this case, too.
    expect(await compare(path)).toEqual([1, 200]);
  });

  it('serves quotes, their withdrawals and transactions like Nest’s whole pipeline', async () => {
    const quote = await btcQuote(wallet);
    const status = `/v0/wallet/withdraw/${quote.id}`;
    expect(await compare(status)).toEqual([1, 200]);
    const { body } = await execute(wallet, quote.id);
    expect(await compare(status)).toEqual([1, 200]);
    // Each of the two requests takes one connection, for all its statements.
    expect(loads).toEqual(['ordinary', 'ordinary']);
    expect(await compare(`/v0/wallet/transaction/${body.result.transactionId}`)).toEqual([1, 200]);
    expect(await compare('/v0/wallet/transactions')).toEqual([1, 200]);
  });

  it('stores the expiry of a quote at its first read, and only reads it afterwards', async () => {
    const quote = await btcQuote(wallet);
    app.clock.advance(EXPIRED_MS);
    const status = `/v0/wallet/withdraw/${quote.id}`;
    expect((await wallet.http.get(status)).body).toMatchObject({ status: 'expired' });
    expect(await compare(status)).toEqual([1, 200]);
    expect(loads).toEqual(['ordinary', 'ordinary', 'ordinary', 'ordinary']);
  });

  it('serves a transaction that another one has replaced like Nest’s whole pipeline', async () => {
    const { body } = await wallet.http.get<{ transactions: { id: string }[] }>('/v0/wallet/transactions');
    const [replaced, replacing] = body.transactions.map(({ id }) => id);
    await app.db.query('update transactions set superseded_by = $2 where id = $1', [replaced, replacing]);
    expect(await compare(`/v0/wallet/transaction/${replaced}`)).toEqual([1, 200]);
  });

  it('serves the report of a verification like Nest’s whole pipeline', async () => {
    const partner = new PartnerSandbox(app, project);
    const verified = await partner.wallet({ mode: 'step_by_step', methods: ['SMS', 'FACE'], relation: 'AND' });
    const quote = await partner.quote(verified);
    expect((await execute(verified, quote.id)).status).not.toBe(200);
    const sent = { ...headers, 'x-svc-wallet-id': verified.walletId };
    expect(await compare(`/v0/wallet/withdraw/${quote.id}`, sent)).toEqual([1, 200]);
  });

  it('serves orders like Nest’s whole pipeline', async () => {
    const order = { routeId: 'kraken:spot:BTC-USD', volume: '0.01', side: 'sell' };
    const placed = await wallet.http.post<{ orderId: string }>('/v0/wallet/trade/order', { body: order });
    expect(await compare(`/v0/wallet/trade/order/${placed.body.orderId}`)).toEqual([1, 200]);
  });

  it('serves an open order, which it reads from the exchange, like Nest’s whole pipeline', async () => {
    const order = { routeId: 'kraken:spot:BTC-USD', volume: '0.01', side: 'buy', price: '20000.1' };
    const placed = await wallet.http.post<{ orderId: string }>('/v0/wallet/trade/order', { body: order });
    expect(await compare(`/v0/wallet/trade/order/${placed.body.orderId}`)).toEqual([1, 200]);
  });

  it('serves the list of a wallet that was never connected like Nest’s whole pipeline', async () => {
    expect(await compare('/v0/wallet/transactions?walletId=never', project.headers)).toEqual([1, 404]);
  });

  it.each<[string, number]>([
    ['/v0/wallet/list?exchange=nope', 400],
    ['/v0/wallet/list?limit=1001', 400],
    ['/v0/wallet/list?limit=1&limit=2', 400],
    ['/v0/wallet/transactions?asset=%00', 400],
    ['/v0/wallet/transactions?walletId=other', 400],
    [`/v0/wallet/transaction/${NONE}`, 404],
    ['/v0/wallet/transaction/none', 404],
    ['/v0/wallet/transaction/', 404],
    [`/v0/wallet/withdraw/${NONE}`, 404],
    [`/v0/wallet/trade/order/${NONE}`, 404],
  ])('%s is refused like in Nest’s whole pipeline', async (path, status) => {
    expect((await compare(path))[1]).toBe(status);
    const accept = { ...headers, accept: 'application/problem+json' };
    expect((await compare(path, accept))[1]).toBe(status);
  });

  it('checks credentials, scopes and the wallet header like Nest’s whole pipeline', async () => {
    const connects = await app.project({ scopes: ['connect'] });
    const other = await app.project();
    const requests: [Record<string, string | string[]>, number][] = [
      [{}, 401],
      [{ ...headers, 'x-svc-project-id': NONE }, 401],
      [{ ...headers, 'x-svc-api-key': [project.headers['x-svc-api-key'] ?? '', 'svc_test_other'] }, 401],
      [{ ...headers, ...connects.headers }, 403],
      [{ ...headers, ...other.headers }, 404],
      [project.headers, 400],
      [{ ...headers, 'x-svc-wallet-id': ['a', 'b'] }, 400],
      [{ ...headers, 'x-svc-wallet-id': 'none' }, 404],
    ];
    for (const [sent, status] of requests) expect((await compare('/v0/wallet', sent))[1]).toBe(status);
  });

  it.each([
    ['an encoded character', '/v0/wallet/transactions?asset=%42TC', {}, 200],
    ['only-if-cached', '/v0/wallet', { 'cache-control': 'max-age=1, Only-If-Cached' }, 400],
    ['a body', '/v0/wallet', { 'content-length': '0' }, 200],
  ])('is handled by Nest’s whole pipeline when the request has %s', async (_, path, more, status) => {
    const before = runs;
    expect((await read(path, { ...headers, ...more })).status).toBe(status);
    expect(runs - before).toBe(1);
  });

  it('responds to HEAD like Nest’s whole pipeline', async () => {
    expect((await compare('/v0/wallet', headers, 'HEAD'))[1]).toBe(200);
  });
});
