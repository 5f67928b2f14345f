import { randomUUID } from 'node:crypto';
import { until } from '#platform/testing';
import { BuiltProcess } from '../support/built-process.js';
import type { Answer } from '../support/documented-answers.js';
import { TestApp, type TestWallet } from '../support/test-app.js';
import type { ErrorBody } from '../support/withdrawal-client.js';

const TIMEOUT_MS = 60_000;
const ORDER = '/v0/wallet/trade/order';
/** A limit price above the market, so that the order stays open. */
const WISH = { routeId: 'kraken:spot:BTC-USD', side: 'sell', volume: '0.0125', price: '175000.5' };

interface PlacedBody {
  orderId: string;
  txid: string[];
  status: string;
  result?: { orderId?: string | null };
}

interface OrderBody {
  orderId: string;
  status: string;
  rawStatus: string | null;
  volume: string;
}

interface Trader extends TestWallet {
  /** The Idempotency-Key of the order whose API process was killed. */
  key: string;
}

/**
 * An API process is killed while the exchange responds to none of three orders. The test's API and a worker continue.
 */
describe('orders in flight when their API process is killed', () => {
  let app: TestApp;
  let built: BuiltProcess[];
  let readLater: Trader;
  let neverMade: Trader;
  let leftToWorker: Trader;

  const start = async (name: 'api' | 'worker'): Promise<{ process: BuiltProcess; url: string }> => {
    const process = BuiltProcess.start(name, app.env);
    built.push(process);
    return { process, url: await process.address() };
  };
  const trader = async (fault: 'hang_before' | 'hang_after'): Promise<Trader> => {
    const wallet = await app.wallet(await app.project());
    await app.sandbox.arm({ endpoint: 'AddOrder', fault, apiKey: wallet.account.apiKey });
    return { ...wallet, key: randomUUID() };
  };
  const place = (
    { http }: Pick<TestWallet, 'http'>,
    key: string = randomUUID(),
  ): Promise<Answer<PlacedBody & ErrorBody>> => http.with({ 'idempotency-key': key }).post(ORDER, { body: WISH });
  const read = async ({ http }: TestWallet, orderId: string): Promise<OrderBody> => {
    const { status, body } = await http.get<OrderBody>(`${ORDER}/${orderId}`);
    if (status !== 200) throw new Error(`not read: ${status} ${JSON.stringify(body)}`);
    return body;
  };
  /** Returns the id of the unknown order that blocks an identical order. */
  const inDoubt = async (wallet: TestWallet): Promise<string> => {
    const { status, body } = await place(wallet);
    expect([status, body.type]).toEqual([409, 'GENERIC_INVALID_REQUEST']);
    return body.result?.orderId ?? '';
  };
  const countsAt = async ({ account }: TestWallet): Promise<{ calls: number; orders: number }> => ({
    calls: await app.sandbox.countCalls(account, 'AddOrder'),
    orders: (await app.sandbox.orders(account)).length,
  });

  beforeAll(async () => {
    built = [];
    app = await TestApp.create({
      env: {
        PORT: '0',
        WORKER_PORT: '0',
        METRICS_PORT: '0',
        WORKER_METRICS_PORT: '0',
        EXCHANGE_SUBMIT_TIMEOUT_MS: '1500',
        ORDER_DEADLINE_SECONDS: '50',
      },
      overrides: {
        // Longer than a request takes, and short enough for a test to wait for.
        IDEMPOTENCY_LOCK_SECONDS: 3,
        ORDER_LEASE_MS: 2_000,
        ORDER_SETTLE_SECONDS: 10,
        ORDER_CLEAN_SEARCHES: 2,
        ORDER_CHECK_SECONDS: 1,
      },
    });
    const traders = [await trader('hang_after'), await trader('hang_before'), await trader('hang_after')] as const;
    [readLater, neverMade, leftToWorker] = traders;

    const { process, url } = await start('api');
    const cut = traders.map(({ http, key }) =>
      expect(place({ http: http.at(url) }, key)).rejects.toThrow(/socket hang up|ECONNRESET/),
    );
    for (const each of traders) await until('an order is sent', async () => (await countsAt(each)).calls > 0);
    process.child.kill('SIGKILL');
    await Promise.all(cut);
    // The killed process holds the nonces of each key until its lease expires, so the test releases them.
    await app.db.query('update exchange_nonces set holder = null, exclusive_until = null');
  }, TIMEOUT_MS);
  afterAll(async () => {
    for (const { child } of built) child.kill('SIGKILL');
    await Promise.all(built.map((process) => process.exitCode()));
    await app.close();
  });

  const isFoundByReading = async () => {
    const orderId = await inDoubt(readLater);
    app.clock.advance(2_000);
    await until('the order is found', async () => (await read(readLater, orderId)).status !== 'unknown');
    expect(await read(readLater, orderId)).toMatchObject({
      orderId,
      status: 'open',
      rawStatus: 'open',
      volume: '0.0125',
    });
    expect(await countsAt(readLater)).toEqual({ calls: 1, orders: 1 });
  };
  it('are found by reading, if the exchange has placed them', isFoundByReading, TIMEOUT_MS);

  const countsAsNeverMade = async () => {
    const orderId = await inDoubt(neverMade);
    // Before the deadline, and for some time after it, a missing order proves nothing.
    for (let looks = 0; looks < 3; looks++) expect((await read(neverMade, orderId)).status).toBe('unknown');
    expect(await inDoubt(neverMade)).toBe(orderId);

    app.clock.advance(60_000);
    let order = await read(neverMade, orderId);
    while (order.status === 'unknown') {
      app.clock.advance(1_000);
      order = await read(neverMade, orderId);
    }
    expect(order).toMatchObject({ status: 'canceled', rawStatus: 'not_placed' });
    expect(await countsAt(neverMade)).toEqual({ calls: 1, orders: 0 });

    expect((await place(neverMade)).body.status).toBe('open');
    expect(await countsAt(neverMade)).toEqual({ calls: 2, orders: 1 });
  };
  it(
    'are given up only after their deadline, if the exchange has not placed them; then another can be placed',
    countsAsNeverMade,
    TIMEOUT_MS,
  );

  const isFoundByWorker = async () => {
    const [made] = await app.sandbox.orders(leftToWorker.account);
    const stateOf = async (): Promise<string | undefined> => {
      const sql = 'select state from orders where client_order_id = $1';
      return (await app.db.query<{ state: string }>(sql, [made?.clientOrderId]))[0]?.state;
    };
    expect(await stateOf()).toBe('placing');
    await start('worker');
    await until('the order is open', async () => (await stateOf()) === 'open');

    let answer = await place(leftToWorker, leftToWorker.key);
    await until('the first request has ended', async () => {
      answer = await place(leftToWorker, leftToWorker.key);
      return answer.status !== 409;
    });
    expect(answer.body.txid).toEqual([made?.id]);
    expect(await read(leftToWorker, answer.body.orderId)).toMatchObject({ status: 'open', rawStatus: 'open' });
    expect(await countsAt(leftToWorker)).toEqual({ calls: 1, orders: 1 });
  };
  it(
    'are found by the worker, if the exchange has placed them, and the repeated request returns them',
    isFoundByWorker,
    TIMEOUT_MS,
  );
});
