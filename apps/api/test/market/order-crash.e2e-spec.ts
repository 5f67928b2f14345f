import { randomUUID } from 'node:crypto';
import type { Output } from '#client';
import { until } from '#platform/testing';
import { BuiltProcess } from '../support/built-process.js';
import { causewayOf, refusalOf } from '../support/causeway-client.js';
import { TestApp, type TestProjectWithClient, type TestWallet } from '../support/test-app.js';

const TIMEOUT_MS = 300_000;
/** Timeout of a submission. On a busy machine, seconds may pass between the arrivals of the three orders. */
const SUBMIT_MS = 6_000;
/** A process refuses to send an order when less than SUBMIT_MS of its lease is left. */
const LEASE_MS = 2 * SUBMIT_MS;
/** A limit price above the market, so that the order stays open. */
const TERMS = { routeId: 'kraken:spot:BTC-USD', side: 'sell', volume: '0.0125', price: '175000.5' } as const;

interface Trader extends TestWallet {
  project: TestProjectWithClient;
  /** The Idempotency-Key of the order whose API process was killed. */
  idempotencyKey: string;
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
    const project = await app.project();
    const wallet = await app.wallet(project);
    await app.sandbox.arm({ endpoint: 'AddOrder', fault, apiKey: wallet.account.apiKey });
    return { ...wallet, project, idempotencyKey: randomUUID() };
  };
  const read = ({ causeway }: TestWallet, orderId: string): Promise<Output<'getOrder'>> =>
    causeway.getOrder({ orderId });
  /** Returns the id of the unknown order that blocks an identical order. */
  const inDoubt = async ({ causeway }: TestWallet): Promise<string> => {
    const refusal = await refusalOf(causeway.placeOrder(TERMS));
    if (refusal.code !== 'GENERIC_INVALID_REQUEST' || refusal.status !== 409) throw refusal;
    return refusal.result?.orderId ?? '';
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
        EXCHANGE_SUBMIT_TIMEOUT_MS: String(SUBMIT_MS),
      },
      overrides: {
        // This lock is held for longer than a request takes, but the test can wait until it expires.
        IDEMPOTENCY_LOCK_SECONDS: 8,
        ORDER_LEASE_MS: LEASE_MS,
        ORDER_DEADLINE_SECONDS: 50,
        ORDER_SETTLE_SECONDS: 10,
        ORDER_CLEAN_SEARCHES: 2,
        ORDER_CHECK_SECONDS: 1,
      },
    });
    const traders = [await trader('hang_after'), await trader('hang_before'), await trader('hang_after')] as const;
    [readLater, neverMade, leftToWorker] = traders;

    const { process, url: baseUrl } = await start('api');
    const cut = traders.map(({ project, walletId, idempotencyKey }) =>
      refusalOf(causewayOf(app, project, { baseUrl, walletId, repeatsMax: 0 }).placeOrder(TERMS, { idempotencyKey })),
    );
    const isSent = async (each: Trader): Promise<boolean> => (await countsAt(each)).calls > 0;
    const sent = Promise.all(traders.map((each) => until('an order is sent', () => isSent(each))));
    // The exchange responds to no order. A response before the kill therefore fails the test, with the response as the
    // reason.
    const answered = Promise.race(cut).then((refusal) => Promise.reject(refusal));
    await Promise.race([sent, answered]);
    process.child.kill('SIGKILL');
    for (const { code } of await Promise.all(cut)) expect(code).toBe('CLIENT_NO_RESPONSE');
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
    app.clock.advance(LEASE_MS);
    await until('the order is found', async () => (await read(readLater, orderId)).status !== 'unknown');
    expect(await read(readLater, orderId)).toMatchObject({
      orderId,
      status: 'open',
      rawStatus: 'open',
      volume: '0.0125',
    });
    expect(await countsAt(readLater)).toEqual({ calls: 1, orders: 1 });
  };
  it('are found when a caller reads them, if the exchange has placed them', isFoundByReading, TIMEOUT_MS);

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

    expect((await neverMade.causeway.placeOrder(TERMS)).status).toBe('open');
    expect(await countsAt(neverMade)).toEqual({ calls: 2, orders: 1 });
  };
  it(
    'become not_placed only after their deadline, if the exchange has not placed them, and then allow an equal order',
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

    const { project, walletId, idempotencyKey } = leftToWorker;
    // This client repeats its request while the killed process still holds the Idempotency-Key.
    const patient = causewayOf(app, project, { walletId });
    const { orderId, txid } = await patient.placeOrder(TERMS, { idempotencyKey });
    expect(txid).toEqual([made?.id]);
    expect(await read(leftToWorker, orderId)).toMatchObject({ status: 'open', rawStatus: 'open' });
    expect(await countsAt(leftToWorker)).toEqual({ calls: 1, orders: 1 });
  };
  it(
    'are found by the worker, if the exchange has placed them, and the repeated request returns them',
    isFoundByWorker,
    TIMEOUT_MS,
  );
});
