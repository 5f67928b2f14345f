import type { AddressInfo } from 'node:net';
import { TestApp, type TestProjectWithClient, type TestWallet } from './test-app.js';
import type { PlacedBody } from './order-client.js';
import { btcQuote, execute, quote, savedAddress, type ErrorBody } from './withdrawal-client.js';

const HOUR_MS = 3_600_000;
const ORDER = '/v0/wallet/trade/order';
/** A limit far above the market, which waits. */
const WISH = { routeId: 'kraken:spot:BTC-USD', side: 'sell', volume: '0.0125', price: '175000.5' };
const READY = { status: 'ready', checks: { clock: true, database: true } };
const NOT_READY = { status: 'unavailable', checks: { clock: false, database: true } };

describe('hosts whose clocks are wrong', () => {
  let app: TestApp;
  let project: TestProjectWithClient;
  let wallet: TestWallet;

  beforeAll(async () => {
    app = await TestApp.create({
      worker: true,
      env: {
        ORDER_SWEEP_MS: '50',
        ORDER_CHECK_SECONDS: '1',
        ORDER_SPACING_SECONDS: '0',
        ORDER_FRESH_MS: '0',
        EXCHANGE_TIMEOUT_MS: '10000',
        EXCHANGE_SUBMIT_TIMEOUT_MS: '10000',
      },
    });
    project = await app.project();
    wallet = await app.wallet(project);
  });
  afterEach(async () => {
    app.clock.wallErrorMs = 0;
    app.workerClock.wallErrorMs = 0;
    await app.sandbox.calm();
  });
  afterAll(() => app.close());

  const workerReadiness = async (): Promise<{ status: number; body: unknown }> => {
    const { port } = app.worker.getHttpServer().address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`);
    return { status: answer.status, body: await answer.json() };
  };
  const until = async (isSo: () => Promise<boolean>): Promise<void> => {
    const deadline = Date.now() + 15_000;
    while (!(await isSo())) {
      if (Date.now() > deadline) throw new Error('not in time');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };

  describe('an API', () => {
    it.each([HOUR_MS, -HOUR_MS])('is not ready with a clock that is %i ms off', async (errorMs) => {
      expect(await app.http.get('/readyz')).toMatchObject({ status: 200, body: READY });
      app.clock.wallErrorMs = errorMs;
      const refused = await app.http.get('/readyz');
      expect(refused).toMatchObject({ status: 503, body: NOT_READY });
      expect(refused.headers['retry-after']).toBe('1');
      app.clock.wallErrorMs = 0;
      expect(await app.http.get('/readyz')).toMatchObject({ status: 200, body: READY });
    });

    it.each([HOUR_MS, -HOUR_MS])('places no order with a clock that is %i ms off', async (errorMs) => {
      app.clock.wallErrorMs = errorMs;
      const refused = await wallet.http.post<ErrorBody>(ORDER, { body: WISH });
      expect(refused).toMatchObject({
        status: 502,
        body: { type: 'TRADING_PROVIDER_ERROR', result: { reason: 'host_clock_differs' } },
      });
      expect(await app.sandbox.countCalls(wallet.account, 'AddOrder')).toBe(0);
    });

    it.each([HOUR_MS, -HOUR_MS])('quotes nothing with a clock that is %i ms off', async (errorMs) => {
      const refusal = {
        status: 502,
        body: { type: 'WITHDRAWAL_PROVIDER_ERROR', result: { reason: 'host_clock_differs' } },
      };
      app.clock.wallErrorMs = errorMs;
      const address = savedAddress(wallet, 'BTC', 'Bitcoin');
      expect(await quote(wallet, { asset: 'BTC', amount: '0.01', address })).toMatchObject(refusal);
    });

    it('does everything with a clock that is off by less than the limit', async () => {
      app.clock.wallErrorMs = 4_000;
      expect(await app.http.get('/readyz')).toMatchObject({ status: 200, body: READY });
      const placed = await wallet.http.post<PlacedBody>(ORDER, { body: WISH });
      expect(placed).toMatchObject({ status: 200, body: { status: 'open' } });
      const { id, expiresAt } = await btcQuote(wallet);
      // The database's time, which is the right one here.
      expect(Math.abs(expiresAt - 300_000 - Date.now())).toBeLessThan(3_000);
      expect((await execute(wallet, id)).status).toBe(200);
      expect(await app.sandbox.countCalls(wallet.account, 'Withdraw')).toBe(1);
    });
  });

  describe('a worker', () => {
    it('is not ready, and does not call an order never made that the exchange makes late', async () => {
      const trader = await app.wallet(project);
      app.workerClock.wallErrorMs = HOUR_MS;
      expect(await workerReadiness()).toMatchObject({ status: 503, body: NOT_READY });
      await app.sandbox.arm({
        endpoint: 'AddOrder',
        fault: 'accept_late',
        delayMs: 2_000,
        apiKey: trader.account.apiKey,
      });
      const { body: placed } = await trader.http.post<PlacedBody>(ORDER, { body: WISH });
      expect(placed.status).toBe('unknown');
      await until(async () => (await app.sandbox.orders(trader.account)).length === 1);
      expect(await stateOf(placed.orderId)).toBe('unknown');

      app.workerClock.wallErrorMs = 0;
      expect(await workerReadiness()).toMatchObject({ status: 200, body: READY });
      await until(async () => (await stateOf(placed.orderId)) === 'open');
      expect(await app.sandbox.orders(trader.account)).toHaveLength(1);
    });
  });

  async function stateOf(orderId: string): Promise<string | undefined> {
    const [row] = await app.db.query<{ state: string }>(`select state from orders where id = $1`, [orderId]);
    return row?.state;
  }
});
