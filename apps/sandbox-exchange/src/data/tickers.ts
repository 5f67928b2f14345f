import { Amount } from '#money';
import { floorToTick, type SandboxPair } from './pairs.js';

/** Field names follow docs.kraken.com/api-reference/market-data/get-ticker-information. */
export interface Ticker {
  /** Ask: price, whole lot volume, lot volume. */
  readonly a: readonly [string, string, string];
  /** Bid: price, whole lot volume, lot volume. */
  readonly b: readonly [string, string, string];
  /** Last trade: price, lot volume. */
  readonly c: readonly [string, string];
  /**
   * Volume of today and of the last 24 hours; the same two periods for p (vwap), t (number of trades), l (low) and h
   * (high).
   */
  readonly v: readonly [string, string];
  readonly p: readonly [string, string];
  readonly t: readonly [number, number];
  readonly l: readonly [string, string];
  readonly h: readonly [string, string];
  /** Today's opening price. */
  readonly o: string;
}

/** Best bid and ask without an order book: one tick on each side of the last price. */
export function bestPrices(pair: SandboxPair, last: Amount): { bid: Amount; ask: Amount } {
  const tick = Amount.of(pair.info.tick_size);
  const below = last.minus(tick);
  return { bid: below.isPositive() ? below : last, ask: last.plus(tick) };
}

/** Derives a ticker: volumes from the pair's name, all other values from the price. */
export function tickerOf(pair: SandboxPair, last: Amount, best = bestPrices(pair, last)): Ticker {
  const { bid, ask } = best;
  const seed = [...pair.id].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
  const lots = (count: number) => Amount.of(pair.info.ordermin).times(Amount.of(String(count)));
  const share = (factor: string) => floorToTick(last.times(Amount.of(factor)), pair.info).toString();
  const lot = lots(10 + (seed % 90)).toString();
  const wholeLot = lots(10 + (seed % 90))
    .truncate(0)
    .toString();
  const trades = 1000 + (seed % 700);
  return {
    a: [ask.toString(), wholeLot, lot],
    b: [bid.toString(), wholeLot, lot],
    c: [last.toString(), lots(2 + (seed % 5)).toString()],
    v: [lots(trades * 60).toString(), lots(trades * 100).toString()],
    p: [share('0.995'), share('0.99')],
    t: [trades * 3, trades * 5],
    l: [share('0.98'), share('0.97')],
    h: [ask.toString(), ask.toString()],
    o: share('0.985'),
  };
}
