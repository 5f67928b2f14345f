import {
  ExchangeError,
  type AssetBalance,
  type ExchangeOrder,
  type ExchangeSession,
  type TradingCapability,
} from '#exchange';
import { Amount } from '#money';
import type { Clock } from '#platform/clock';
import type { DatabaseTime } from '#platform/database';
import { testConfig } from '#platform/testing';
import type { Order } from '../orders/order.entity.js';
import { ConfirmRefusal } from './confirm-refusal.js';

const config = testConfig({ appUrl: 'postgres://localhost/unused' });
const NOW = new Date('2026-11-20T12:00:00Z');
const time: DatabaseTime = { now: () => NOW, requireSteadyHost: () => undefined };
const order = {
  clientOrderId: 'ours',
  request: {},
  createdAt: NOW,
  side: 'sell',
  baseAsset: 'BTC',
  quoteAsset: 'USD',
} as Order;
const funds = (free: string) => ({ free: Amount.of(free), used: Amount.zero, owed: Amount.zero });

/** Looks at the account after a refusal. `found` and `free` are what each look shows. */
async function confirm(
  found: (ExchangeOrder | Error | null)[],
  free: string | null = '1',
  before: string | null = '1',
) {
  let looks = 0;
  const trading: Partial<TradingCapability> = {
    find: () => {
      const seen = found[Math.min(looks++, found.length - 1)] ?? null;
      return seen instanceof Error ? Promise.reject(seen) : Promise.resolve(seen);
    },
  };
  const balance = { asset: 'BTC', free: Amount.of(free ?? '0'), used: Amount.zero, total: Amount.of(free ?? '0') };
  const balances: AssetBalance[] = [free === null ? { ...balance, isPartial: true } : balance];
  const session: Partial<ExchangeSession> = { exchange: 'kraken', balances: () => Promise.resolve(balances) };
  const clock: Pick<Clock, 'sleep'> = { sleep: () => Promise.resolve() };
  const refused = { session: session as ExchangeSession, trading: trading as TradingCapability, order, time };
  const fundsBefore = before === null ? null : funds(before);
  const { kind } = await new ConfirmRefusal(clock as Clock, config).execute({ ...refused, fundsBefore });
  return [kind, looks];
}

describe('the refusal of an order', () => {
  const made = { exchangeId: 'X' } as ExchangeOrder;

  it('is confirmed by two looks that show neither the order nor a lower balance', async () => {
    expect(await confirm([null])).toEqual(['confirmed', 2]);
    expect(await confirm([null], '2')).toEqual(['confirmed', 2]);
  });

  it('is wrong when a look shows the order', async () => {
    expect(await confirm([made])).toEqual(['found', 1]);
    expect(await confirm([null, made])).toEqual(['found', 2]);
  });

  it('is in doubt when the balance is lower, cannot be read, or was not known before', async () => {
    expect(await confirm([null], '0.5')).toEqual(['doubtful', 1]);
    expect(await confirm([null], null)).toEqual(['doubtful', 1]);
    expect(await confirm([null], '1', null)).toEqual(['doubtful', 1]);
  });

  it('is in doubt when the account cannot be read; a fault of ours is reported', async () => {
    expect(await confirm([new ExchangeError('unavailable', 'kraken', 's')])).toEqual(['doubtful', 1]);
    await expect(confirm([new TypeError('ours')])).rejects.toBeInstanceOf(TypeError);
  });
});
