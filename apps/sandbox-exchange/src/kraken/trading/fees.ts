import { Amount } from '#money';
import type { FeeTier, SandboxPair } from '../data/pairs.js';
import { pairs } from '../data/pairs.js';
import type { AccountBook } from '../ledger/state.js';

const VOLUME_WINDOW_MS = 30 * 24 * 60 * 60 * 1000;

const pairById = new Map(pairs.map((pair) => [pair.id, pair]));

/** @throws Error for ids that are not the exchange's own */
export function pairOf(id: string): SandboxPair {
  const pair = pairById.get(id);
  if (pair === undefined) throw new Error(`no pair ${id}`);
  return pair;
}

/** What the account traded in the last 30 days, in dollars at the prices of the tables: it decides its fees. */
export function tradedVolume(book: AccountBook, now: Date): Amount {
  const since = now.getTime() - VOLUME_WINDOW_MS;
  let volume = Amount.zero;
  for (const order of book.orders.values()) {
    if ((order.closedAt ?? order.openedAt) < since) continue;
    volume = volume.plus(Amount.of(order.executedVolume).times(Amount.of(pairOf(order.pair).dollars)));
  }
  return volume;
}

const reaches = (volume: Amount, [from]: FeeTier) => !volume.lessThan(Amount.of(String(from)));

/** The rung that a volume has reached, and the next one; schedules start at zero. */
export function rungs(schedule: readonly FeeTier[], volume: Amount): { current: FeeTier; next: FeeTier | null } {
  const reached = schedule.filter((tier) => reaches(volume, tier));
  return { current: reached.at(-1) ?? [0, 0], next: schedule[reached.length] ?? null };
}

/** Digits after the point of costs and fees: the market's, as far as the quote asset can hold them. */
export function costPlaces({ info }: SandboxPair, quoteDecimals: number): number {
  return Math.min(info.cost_decimals, quoteDecimals);
}

export function feeOf(cost: Amount, [, percent]: FeeTier, places: number): Amount {
  return cost
    .times(Amount.of(String(percent)))
    .times(Amount.of('0.01'))
    .truncate(places);
}
