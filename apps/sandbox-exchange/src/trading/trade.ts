import { Amount } from '#money';
import { assetById } from '../catalogue.js';
import type { SandboxPair } from '../data/pairs.js';
import type { Exchange, Posting } from '../exchange.js';
import type { Change, Order } from '../ledger/records.js';
import { restOf, turnoverOf, volumeOf, type Lot } from './order-book.js';
import { costPlaces, feeOf, pairOf, feeTiers, tradedVolume } from './fees.js';

/**
 * The funds that an order holds for its open volume. A purchase also holds the highest possible fee, so that it can
 * always be paid.
 */
function holdOf(order: Order, pair: SandboxPair): Order['hold'] {
  const rest = restOf(order);
  if (order.side === 'sell') return { asset: pair.info.base, amount: rest.toString() };
  const places = costPlaces(pair, assetById(pair.info.quote).decimals);
  const cost = Amount.of(order.limitPrice ?? '0')
    .times(rest)
    .truncate(places);
  const { current } = feeTiers(pair.info.fees, Amount.zero);
  return { asset: pair.info.quote, amount: cost.plus(feeOf(cost, current, places)).toString() };
}

/** Divides, and cuts the quotient off after `places` digits behind the point. */
function quotient(dividend: Amount, divisor: Amount, places: number): Amount {
  const digits = Math.max(dividend.decimalPlaces(), divisor.decimalPlaces());
  const units = (amount: Amount, scale: number) => BigInt(amount.times(Amount.of(`1e${scale}`)).toString());
  const cut = units(dividend, digits + places) / units(divisor, digits);
  return Amount.of(String(cut)).times(Amount.of(`1e-${places}`));
}

/** The outcome for the part of an order that finds no counterpart. */
export type RestOf = { kind: 'waits' } | { kind: 'canceled'; reason: string };

export interface Trade {
  order: Order;
  /** Empty when the order trades nothing now. */
  lots: readonly Lot[];
  role: 'maker' | 'taker';
  rest: RestOf;
  now: Date;
  /** The order book after the trade. */
  change?: Pick<Change, 'depth'>;
}

function ending(order: Order, pair: SandboxPair, { rest, now }: Trade): Partial<Order> {
  const closed = { hold: null, closedAt: now.getTime() };
  if (restOf(order).isZero()) return { status: 'closed', ...closed };
  if (rest.kind === 'canceled') return { status: 'canceled', reason: rest.reason, ...closed };
  return { hold: holdOf(order, pair) };
}

/**
 * Executes parts of an order, and books both assets and the fee, which is always in the quote asset. The remaining
 * volume stays open or is canceled, depending on `execution.rest`.
 * @throws Overdrawn when the account lacks the funds for the trade, or the funds to hold for the remaining volume; then
 *   nothing is recorded
 */
export function trade(exchange: Exchange, execution: Trade): void {
  const { order, lots, role, now, change } = execution;
  const pair = pairOf(order.pair);
  const book = exchange.bookOf(order.accountId);
  const places = costPlaces(pair, assetById(pair.info.quote).decimals);
  const turnover = turnoverOf(lots);
  const cost = turnover.truncate(places);
  const schedule = role === 'maker' ? pair.info.fees_maker : pair.info.fees;
  const fee = feeOf(cost, feeTiers(schedule, tradedVolume(book, now)).current, places);
  const volume = volumeOf(lots);
  const executed = Amount.of(order.executedVolume).plus(volume);
  const turnedOver = Amount.of(order.turnover ?? order.cost).plus(turnover);
  const traded: Order = {
    ...order,
    executedVolume: executed.toString(),
    turnover: turnedOver.toString(),
    cost: Amount.of(order.cost).plus(cost).toString(),
    fee: Amount.of(order.fee).plus(fee).toString(),
    averagePrice: executed.isZero() ? '0' : quotient(turnedOver, executed, pair.info.pair_decimals).toString(),
  };
  const postings = lots.length === 0 ? [] : legs(order, pair, { volume, cost, fee });
  exchange.commit(
    { order: { ...traded, ...ending(traded, pair, execution) }, ...change },
    { account: book.account, now, postings },
  );
}

function legs(
  { id: refid, side }: Order,
  { info: { base, quote } }: SandboxPair,
  { volume, cost, fee }: { volume: Amount; cost: Amount; fee: Amount },
): Posting[] {
  const none = Amount.zero;
  const leg = { type: 'trade', refid } as const;
  return side === 'buy'
    ? [
        { ...leg, asset: quote, amount: none.minus(cost), fee },
        { ...leg, asset: base, amount: volume, fee: none },
      ]
    : [
        { ...leg, asset: base, amount: none.minus(volume), fee: none },
        { ...leg, asset: quote, amount: cost, fee },
      ];
}
