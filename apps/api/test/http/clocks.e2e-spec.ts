import type { AddressInfo } from 'node:net';
import { MetricsServer } from '#platform/metrics';
import { until } from '#platform/testing';
import { Exposition } from '../support/exposition.js';
import { TestApp, type TestProjectWithClient, type TestWallet } from '../support/test-app.js';
import { refusalOf } from '../support/causeway-client.js';
import { btcQuote, savedAddress } from '../support/withdrawal-client.js';

const HOUR_MS = 3_600_000;
/** A limit price far above the market, so that the order stays open. */
const TERMS = { routeId: 'kraken:spot:BTC-USD', side: 'sell', volume: '0.0125', price: '175000.5' } as const;
const READY = { status: 'ready', checks: { clock: true, database: true } };
const NOT_READY = { status: 'unavailable', checks: { clock: false, database: true } };

describe('hosts whose clocks are wrong', () => {
  let app: TestApp;
  let project: TestProjectWithClient;
  let wallet: TestWallet;
  let metricsUrl: string;

  beforeAll(async () => {
    app = await TestApp.create({
      worker: true,
      env: { EXCHANGE_TIMEOUT_MS: '10000', EXCHANGE_SUBMIT_TIMEOUT_MS: '10000' },
      overrides: {
        ORDER_SWEEP_MS: 50,
        ORDER_CHECK_SECONDS: 1,
        ORDER_SPACING_SECONDS: 0,
        ORDER_FRESH_MS: 0,
        WITHDRAWAL_CLEAN_LISTING_GAP_MS: 50,
        METRICS_KEEP_MS: 0,
      },
    });
    metricsUrl = await app.api.get(MetricsServer).listen(0, '127.0.0.1');
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

  describe('an API', () => {
    it.each([HOUR_MS, -HOUR_MS])('is not ready with a clock that is %i ms off', async (errorMs) => {
      expect(await app.http.get('/readyz')).toMatchObject({ status: 200, body: READY });
      app.clock.wallErrorMs = errorMs;
      const refused = await app.http.get('/readyz');
      expect(refused).toMatchObject({ status: 503, body: NOT_READY });
      expect(refused.headers['retry-after']).toBe('1');
      const metrics = await Exposition.scrape(metricsUrl);
      const differenceMs = (metrics.value('causeway_database_clock_difference_seconds') ?? 0) * 1_000;
      expect(Math.abs(differenceMs - errorMs)).toBeLessThan(3_000);
      app.clock.wallErrorMs = 0;
      expect(await app.http.get('/readyz')).toMatchObject({ status: 200, body: READY });
    });

    it.each([HOUR_MS, -HOUR_MS])('places no order with a clock that is %i ms off', async (errorMs) => {
      app.clock.wallErrorMs = errorMs;
      expect(await refusalOf(wallet.causeway.placeOrder(TERMS))).toMatchObject({
        status: 502,
        code: 'TRADING_PROVIDER_ERROR',
        result: { reason: 'host_clock_differs' },
      });
      expect(await app.sandbox.countCalls(wallet.account, 'AddOrder')).toBe(0);
    });

    it.each([HOUR_MS, -HOUR_MS])('pays nothing with a clock that is %i ms off', async (errorMs) => {
      const { id } = await btcQuote(wallet);
      const refusal = { status: 502, code: 'WITHDRAWAL_PROVIDER_ERROR', result: { reason: 'host_clock_differs' } };
      app.clock.wallErrorMs = errorMs;
      expect(await refusalOf(wallet.causeway.executeQuote({ quoteId: id }))).toMatchObject(refusal);
      const order = { asset: 'BTC', amount: '0.01', address: savedAddress(wallet, 'BTC', 'Bitcoin') };
      expect(await refusalOf(wallet.causeway.createQuote(order))).toMatchObject(refusal);
      expect(await app.sandbox.countCalls(wallet.account, 'Withdraw')).toBe(0);
    });

    it('works normally with a clock that is off by less than the limit', async () => {
      app.clock.wallErrorMs = 4_000;
      expect(await app.http.get('/readyz')).toMatchObject({ status: 200, body: READY });
      expect((await wallet.causeway.placeOrder(TERMS)).status).toBe('open');
      const { id, expiresAt } = await btcQuote(wallet);
      // The expiry comes from the clock of the database, which is correct here.
      expect(Math.abs(expiresAt - 300_000 - Date.now())).toBeLessThan(3_000);
      expect((await wallet.causeway.executeQuote({ quoteId: id })).success).toBe(true);
      expect(await app.sandbox.countCalls(wallet.account, 'Withdraw')).toBe(1);
    });
  });

  describe('a worker', () => {
    beforeEach(async () => {
      wallet = await app.wallet(project);
      app.workerClock.wallErrorMs = HOUR_MS;
      expect(await workerReadiness()).toMatchObject({ status: 503, body: NOT_READY });
    });

    const acceptLate = (endpoint: string): Promise<void> =>
      app.sandbox.arm({ endpoint, fault: 'accept_late', delayMs: 2_000, apiKey: wallet.account.apiKey });
    const rightTheClock = async (): Promise<void> => {
      app.workerClock.wallErrorMs = 0;
      expect(await workerReadiness()).toMatchObject({ status: 200, body: READY });
    };

    it('whose clock is an hour ahead does not declare an order absent that the exchange places late', async () => {
      await acceptLate('AddOrder');
      const placed = await wallet.causeway.placeOrder(TERMS);
      expect(placed.status).toBe('unknown');
      const state = (): Promise<string | undefined> => stateOf('orders', placed.orderId);
      await until('an order is placed', async () => (await app.sandbox.orders(wallet.account)).length === 1);
      expect(await state()).toBe('unknown');
      await rightTheClock();
      await until('the order is open', async () => (await state()) === 'open');
      expect(await app.sandbox.orders(wallet.account)).toHaveLength(1);
    });

    it('whose clock is an hour ahead does not declare a withdrawal failed that the exchange books late', async () => {
      await acceptLate('Withdraw');
      const { id } = await btcQuote(wallet);
      const executed = await wallet.causeway.executeQuote({ quoteId: id });
      expect(executed.result.status).toBe('pending');
      const state = (): Promise<string | undefined> => stateOf('withdrawals', executed.result.id);
      await until('a withdrawal is made', async () => (await app.sandbox.withdrawals(wallet.account)).length === 1);
      expect(await state()).toBe('unknown');
      await rightTheClock();
      await until('the withdrawal is known', async () => ['submitted', 'completed'].includes((await state()) ?? ''));
      expect(await app.sandbox.withdrawals(wallet.account)).toHaveLength(1);
    });
  });

  async function stateOf(table: 'orders' | 'withdrawals', id: string): Promise<string | undefined> {
    const [row] = await app.db.query<{ state: string }>(`select state from ${table} where id = $1`, [id]);
    return row?.state;
  }
});
