import { Amount } from '#money';
import type { SandboxPair } from '../data/pairs.js';
import { bestPrices } from '../data/tickers.js';
import type { Exchange } from '../exchange.js';
import type { Change, Level, Order, PairStatus } from '../ledger/records.js';

/** A part of an order that trades at one price. */
export interface Lot {
  price: Amount;
  volume: Amount;
}

/** Where the pair traded last. */
export function lastPrice(exchange: Exchange, pair: SandboxPair): Amount {
  return Amount.of(exchange.prices.get(pair.id) ?? pair.startPrice);
}

export function statusOf(exchange: Exchange, { id, info }: SandboxPair): PairStatus {
  return exchange.pairStatuses.get(id) ?? info.status;
}

/** Best prices of a pair: of what it offers, and one tick beside the last price where nothing says what it offers. */
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
  /** null = at any price. */
  limit: Amount | null;
}

/** Whether a price is as good as the limit, or better. */
export function isWithin({ side, limit }: Omit<Demand, 'volume'>, price: Amount): boolean {
  if (limit === null) return true;
  return side === 'buy' ? !price.greaterThan(limit) : !price.lessThan(limit);
}

/** What the market has for an order now, the best first, and what it offers when that is taken. */
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

/** Takes from the best level on; what is left of them stays. */
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

export const volumeOf = (lots: readonly Lot[]): Amount =>
  lots.reduce((sum, { volume }) => sum.plus(volume), Amount.zero);
export const turnoverOf = (lots: readonly Lot[]): Amount =>
  lots.reduce((sum, { price, volume }) => sum.plus(price.times(volume)), Amount.zero);

/** What an order still wants. */
export const restOf = ({ volume, executedVolume }: Order): Amount => Amount.of(volume).minus(Amount.of(executedVolume));
