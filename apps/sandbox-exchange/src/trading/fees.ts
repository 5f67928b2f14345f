import { Amount } from '#money';
import type { FeeTier, SandboxPair } from '../data/pairs.js';
import { pairs } from '../data/pairs.js';
import type { AccountBook } from '../ledger/state.js';

const VOLUME_WINDOW_MS = 30 * 24 * 60 * 60 * 1000;

const pairById = new Map(pairs.map((pair) => [pair.id, pair]));

/** @throws Error when the exchange has no pair of this id */
export function pairOf(id: string): SandboxPair {
  const pair = pairById.get(id);
  if (pair === undefined) throw new Error(`there is no pair ${id}`);
  return pair;
}

/** The account's volume of the last 30 days, at the fixed dollar values of the pairs. It decides the fee tier. */
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

/** The fee tier that a volume has reached, and the next one. The first tier of every schedule starts at volume zero. */
export function feeTiers(schedule: readonly FeeTier[], volume: Amount): { current: FeeTier; next: FeeTier | null } {
  const reached = schedule.filter((tier) => reaches(volume, tier));
  return { current: reached.at(-1) ?? [0, 0], next: schedule[reached.length] ?? null };
}

/** Decimal places of costs and fees: those of the market, limited to those of the quote asset. */
export function costPlaces({ info }: SandboxPair, quoteDecimals: number): number {
  return Math.min(info.cost_decimals, quoteDecimals);
}

export function feeOf(cost: Amount, [, percent]: FeeTier, places: number): Amount {
  return cost
    .times(Amount.of(String(percent)))
    .times(Amount.of('0.01'))
    .truncate(places);
}
