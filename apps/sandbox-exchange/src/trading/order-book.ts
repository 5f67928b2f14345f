import { Amount } from '#money';
import type { SandboxPair } from '../data/pairs.js';
import { bestPrices } from '../data/tickers.js';
import type { Exchange } from '../exchange.js';
import type { Change, Level, Order, PairStatus } from '../ledger/records.js';

/** The part of an order that trades at one price. */
export interface Lot {
  price: Amount;
  volume: Amount;
}

/** Returns the price that the control API has set for the pair, or else the pair's start price. */
export function lastPrice(exchange: Exchange, pair: SandboxPair): Amount {
  return Amount.of(exchange.prices.get(pair.id) ?? pair.startPrice);
}

export function statusOf(exchange: Exchange, { id, info }: SandboxPair): PairStatus {
  return exchange.pairStatuses.get(id) ?? info.status;
}

/** Best bid and ask: from the order book, or one tick around the last price when the pair has none. */
export function bestOf(exchange: Exchange, pair: SandboxPair): { bid: Amount; ask: Amount } {
  const beside = bestPrices(pair, lastPrice(exchange, pair));
  const offers = exchange.depths.get(pair.id);
  const first = (levels: Level[] | undefined, otherwise: Amount) => {
    const price = levels?.[0]?.price;
    return price === undefined ? otherwise : Amount.of(price);
  };
  return { bid: first(offers?.bids, beside.bid), ask: first(offers?.asks, beside.ask) };
}

interface Demand {
  side: Order['side'];
  volume: Amount;
  /** Null for any price. */
  limit: Amount | null;
}

/** Returns whether a price equals the limit or is better. */
export function isWithin({ side, limit }: Omit<Demand, 'volume'>, price: Amount): boolean {
  if (limit === null) return true;
  return side === 'buy' ? !price.greaterThan(limit) : !price.lessThan(limit);
}

/** The offers that an order can take now, best first, and the order book after it has taken them. */
export function offersTo(
  exchange: Exchange,
  pair: SandboxPair,
  demand: Demand,
): { lots: Lot[]; change: Pick<Change, 'depth'> } {
  const { side, volume } = demand;
  const offers = exchange.depths.get(pair.id);
  if (offers === undefined) {
    const best = bestOf(exchange, pair);
    const price = side === 'buy' ? best.ask : best.bid;
    return { lots: isWithin(demand, price) ? [{ price, volume }] : [], change: {} };
  }
  const name = side === 'buy' ? 'asks' : 'bids';
  const { lots, rest } = takeFrom(offers[name], demand);
  return { lots, change: { depth: { pair: pair.id, offers: { ...offers, [name]: rest } } } };
}

/** Takes the wanted volume from the best levels. `rest` contains the levels and volumes that remain. */
export function takeFrom(levels: readonly Level[], demand: Demand): { lots: Lot[]; rest: Level[] } {
  let wanted = demand.volume;
  const lots: Lot[] = [];
  const rest: Level[] = [];
  for (const level of levels) {
    const [price, offered] = [Amount.of(level.price), Amount.of(level.volume)];
    if (wanted.isZero() || !isWithin(demand, price)) {
      rest.push(level);
      continue;
    }
    const volume = wanted.lessThan(offered) ? wanted : offered;
    lots.push({ price, volume });
    wanted = wanted.minus(volume);
    if (volume.lessThan(offered)) rest.push({ price: level.price, volume: offered.minus(volume).toString() });
  }
  return { lots, rest };
}

export const volumeOf = (lots: readonly Lot[]): Amount => Amount.sum(lots.map(({ volume }) => volume));
export const turnoverOf = (lots: readonly Lot[]): Amount =>
  Amount.sum(lots.map(({ price, volume }) => price.times(volume)));

/** The part of an order's volume that is not executed yet. */
export const restOf = ({ volume, executedVolume }: Order): Amount => Amount.of(volume).minus(Amount.of(executedVolume));
