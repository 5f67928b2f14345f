import { loadConfig } from '#platform/config';
import { ManualClock } from '../testing/manual-clock.js';
import { CallBudgets } from './call-budget.js';

const BYBIT = { exchange: 'bybit', baseUrl: 'https://api.bybit.com' };

describe('the limit of our address at an exchange', () => {
  /** Counts the calls that start within a time, each for another credential. */
  async function callsIn(forMs: number, processes: number, addressRate?: { calls: number; periodMs: number }) {
    const clock = new ManualClock();
    const config = loadConfig({ EXCHANGE_EGRESS_CALLS_PER_SECOND: '100', EXCHANGE_EGRESS_CALLS_BURST: '200' });
    const budget = new CallBudgets(clock, config, undefined, { count: processes }).at({ ...BYBIT, addressRate });
    const endMs = clock.monotonicMs() + forMs;
    let calls = 0;
    while (clock.monotonicMs() <= endMs) {
      await budget.createQueue(`wallet ${calls}`).run(() => Promise.resolve(), { endpoint: 'GET balances' });
      calls += 1;
    }
    return calls - 1;
  }

  it('is that of the settings when the exchange documents none', async () => {
    expect(await callsIn(10_000, 1)).toBe(1_200);
  });

  it('is divided by the number of processes', async () => {
    expect(await callsIn(10_000, 4)).toBe(300);
  });

  /** Bybit's page rate-limit: "600 requests within a 5-second window per IP". Here with a smaller number. */
  it.each([1, 3])(
    'allows no more calls in a period than the exchange documents, with %d processes',
    async (processes) => {
      const calls = await callsIn(5_000, processes, { calls: 60, periodMs: 5_000 });
      expect(calls * processes).toBeLessThanOrEqual(60);
      expect(calls * processes).toBeGreaterThan(50);
    },
  );

  it('is one limit for the calls of accounts and for public calls', async () => {
    const clock = new ManualClock();
    const config = loadConfig({ EXCHANGE_EGRESS_CALLS_BURST: '1' });
    const budgets = new CallBudgets(clock, config);
    const startMs = clock.monotonicMs();
    for (const budget of [budgets.at(BYBIT), budgets.at(BYBIT)]) await budget.queueOf('x').run(() => Promise.resolve());
    expect(clock.monotonicMs() - startMs).toBe(10);
  });

  it('is a limit of its own for each site of an exchange, and for each exchange', async () => {
    const clock = new ManualClock();
    const budgets = new CallBudgets(clock, loadConfig({ EXCHANGE_EGRESS_CALLS_BURST: '1' }));
    const startMs = clock.monotonicMs();
    const others = [
      { ...BYBIT, baseUrl: 'https://api.bybit.nl' },
      { ...BYBIT, exchange: 'another' },
    ];
    for (const site of [BYBIT, ...others])
      await budgets
        .at(site)
        .queueOf('x')
        .run(() => Promise.resolve());
    expect(clock.monotonicMs() - startMs).toBe(0);
  });
});
