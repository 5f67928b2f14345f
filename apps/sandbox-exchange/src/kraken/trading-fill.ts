import { Amount } from '#money';
import { assetById } from '../catalogue.js';
import type { SandboxPair } from '../data/pairs.js';
import type { Exchange, Posting } from '../exchange.js';
import type { Order } from '../ledger/records.js';
import { costPlaces, feeOf, pairOf, rungs, tradedVolume } from './trading-fees.js';

/** Where the pair traded last. */
export function lastPrice(exchange: Exchange, pair: SandboxPair): Amount {
  return Amount.of(exchange.prices.get(pair.id) ?? pair.startPrice);
}

/** What an order keeps while it waits. A purchase keeps the highest fee too, so that it can always be paid. */
export function holdOf(order: Order, pair: SandboxPair, limit: Amount): { asset: string; amount: string } {
  if (order.side === 'sell') return { asset: pair.info.base, amount: order.volume };
  const places = costPlaces(pair, assetById(pair.info.quote).decimals);
  const cost = limit.times(Amount.of(order.volume)).truncate(places);
  const { current } = rungs(pair.info.fees, Amount.zero);
  return { asset: pair.info.quote, amount: cost.plus(feeOf(cost, current, places)).toString() };
}

/**
 * Trades the whole of an order at one price: its two sides and the fee, which is always in the quote asset.
 * @throws Overdrawn when the account has not what the order gives
 */
export function fill(
  exchange: Exchange,
  { order, price, role, now }: { order: Order; price: Amount; role: 'maker' | 'taker'; now: Date },
): void {
  const pair = pairOf(order.pair);
  const book = exchange.bookOf(order.accountId);
  const places = costPlaces(pair, assetById(pair.info.quote).decimals);
  const volume = Amount.of(order.volume);
  const cost = price.times(volume).truncate(places);
  const schedule = role === 'maker' ? pair.info.fees_maker : pair.info.fees;
  const fee = feeOf(cost, rungs(schedule, tradedVolume(book, now)).current, places);
  const done: Order = {
    ...order,
    status: 'closed',
    executedVolume: order.volume,
    cost: cost.toString(),
    fee: fee.toString(),
    averagePrice: price.toString(),
    hold: null,
    closedAt: now.getTime(),
  };
  const leg = (asset: string, amount: Amount, legFee: Amount): Posting => ({
    asset,
    type: 'trade',
    refid: order.id,
    amount,
    fee: legFee,
  });
  const { base, quote } = pair.info;
  const postings =
    order.side === 'buy'
      ? [leg(quote, Amount.zero.minus(cost), fee), leg(base, volume, Amount.zero)]
      : [leg(base, Amount.zero.minus(volume), Amount.zero), leg(quote, cost, fee)];
  exchange.commit({ order: done }, { account: book.account, now, postings });
}

const isReached = (order: Order, price: Amount) => {
  const limit = Amount.of(order.limitPrice ?? '0');
  return order.side === 'buy' ? !price.greaterThan(limit) : !price.lessThan(limit);
};

/** Moves a pair to a price, and fills at their limits the waiting orders that it reaches; returns their ids. */
export function movePrice(exchange: Exchange, pair: SandboxPair, price: Amount, now: Date): string[] {
  exchange.commit({ price: { pair: pair.id, last: price.toString() } });
  const reached = [...exchange.books.values()].flatMap((book) =>
    [...book.openOrders]
      .map((id) => book.orders.get(id))
      .filter((order) => order !== undefined)
      .filter((order) => order.pair === pair.id && isReached(order, price)),
  );
  for (const order of reached) {
    fill(exchange, { order, price: Amount.of(order.limitPrice ?? '0'), role: 'maker', now });
  }
  return reached.map(({ id }) => id);
}
