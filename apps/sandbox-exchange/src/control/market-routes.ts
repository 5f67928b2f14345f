import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { Amount, INPUT_AMOUNT_PATTERN } from '#money';
import type { SandboxPair } from '../data/pairs.js';
import { Overdrawn, type Exchange } from '../exchange.js';
import { isWithin, restOf } from '../trading/order-book.js';
import { trade } from '../trading/trade.js';
import { knownPair } from '../kraken/trading/market.js';
import { movePrice, setDepth } from '../trading/market-moves.js';
import { isLive, pairStatuses, type Depth, type Level, type Order } from '../ledger/records.js';
import { endOrder, settle } from '../ledger/settlement.js';
import type { SandboxServer } from '../server.js';
import { ControlError } from './control-error.js';

/** Maximum number of levels on each side of an order book. */
const LEVELS_MAX = 100;

/** The pair's id, its altname, or its name with a slash. */
const pairName = z.string().min(1).max(20);
const number = z.string().regex(INPUT_AMOUNT_PATTERN);
export const priceInput = z.strictObject({ pair: pairName, price: number });
const levels = z
  .array(z.tuple([number, number]))
  .max(LEVELS_MAX)
  .optional();
const depthInput = z.union([
  /** An omitted side stays unchanged. */
  z.strictObject({ pair: pairName, bids: levels, asks: levels }),
  z.strictObject({ pair: pairName, unlimited: z.literal(true) }),
]);
const pairInput = z.strictObject({ pair: pairName, status: z.enum(pairStatuses) });
const orderInput = z.discriminatedUnion('action', [
  /** The default is the remaining volume, at the limit price of the order. */
  z.strictObject({ action: z.literal('fill'), volume: number.optional(), price: number.optional() }),
  z.strictObject({ action: z.literal('cancel'), reason: z.string().max(200).default('Canceled by the exchange') }),
  z.strictObject({ action: z.literal('expire') }),
  z.strictObject({ action: z.enum(['pend', 'open']) }),
]);
type OrderInput = z.infer<typeof orderInput>;

/** Routes that move the market: prices, order books, pair statuses, and single orders. */
export function marketControlRoutes(app: FastifyInstance, { exchange, now }: SandboxServer): void {
  app.post('/control/prices', ({ body }) => moveTo(exchange, priceInput.parse(body), now()));
  app.post('/control/depth', ({ body }) => {
    const input = depthInput.parse(body);
    const pair = knownPair(input.pair);
    if ('unlimited' in input) {
      exchange.commit({ depth: { pair: pair.id, offers: null } });
      return { pair: pair.id, filled: [] };
    }
    const filled = setDepth(exchange, pair, depthOf(exchange, pair, input), now());
    return { pair: pair.id, filled, ...exchange.depths.get(pair.id) };
  });
  app.post('/control/pairs', ({ body }) => {
    const { pair: name, status } = pairInput.parse(body);
    const pair = knownPair(name);
    exchange.commit({ pairStatus: { pair: pair.id, status } });
    return { pair: pair.id, status };
  });
  app.post<{ Params: { id: string } }>('/control/orders/:id', ({ params, body }) =>
    moveOrder(exchange, params.id, { ...orderInput.parse(body), now: now() }),
  );
}

export function moveTo(exchange: Exchange, input: z.infer<typeof priceInput>, now: Date): unknown {
  const pair = knownPair(input.pair);
  const price = onTick(input.price, pair);
  return { pair: pair.id, price, filled: movePrice(exchange, pair, price, now) };
}

function onTick(text: string, { info }: SandboxPair): Amount {
  const price = Amount.of(text);
  if (!price.isPositive() || !price.isMultipleOf(Amount.of(info.tick_size))) {
    throw new ControlError(422, `a price of ${info.wsname} must be a positive multiple of ${info.tick_size}`);
  }
  return price;
}

function inLots(text: string, { info }: SandboxPair): Amount {
  const volume = Amount.of(text);
  if (!volume.isPositive() || volume.decimalPlaces() > info.lot_decimals) {
    throw new ControlError(
      422,
      `a volume of ${info.wsname} must have at most ${info.lot_decimals} digits after the point`,
    );
  }
  return volume;
}

function depthOf(
  exchange: Exchange,
  pair: SandboxPair,
  { bids, asks }: { bids?: [string, string][] | undefined; asks?: [string, string][] | undefined },
): Depth {
  const before = exchange.depths.get(pair.id) ?? { bids: [], asks: [] };
  const sorted = (given: [string, string][], better: 1 | -1): Level[] =>
    given
      .map(([price, volume]) => ({ price: onTick(price, pair), volume: inLots(volume, pair) }))
      .sort((left, right) => better * left.price.compare(right.price))
      .map(({ price, volume }) => ({ price: price.toString(), volume: volume.toString() }));
  const depth = {
    bids: bids === undefined ? before.bids : sorted(bids, -1),
    asks: asks === undefined ? before.asks : sorted(asks, 1),
  };
  const [bid, ask] = [depth.bids[0], depth.asks[0]];
  if (bid !== undefined && ask !== undefined && !Amount.of(bid.price).lessThan(Amount.of(ask.price))) {
    throw new ControlError(422, 'the best bid must be below the best ask');
  }
  return depth;
}

function moveOrder(exchange: Exchange, id: string, input: OrderInput & { now: Date }): Order | null {
  const known = exchange.findOrder(id);
  if (known === null) throw new ControlError(404, `there is no order ${id}`);
  settle(exchange, exchange.bookOf(known.accountId).account, input.now);
  const order = exchange.findOrder(id) ?? known;
  if (!isLive(order)) throw new ControlError(409, `the order already has the final status ${order.status}`);
  const at = input.now.getTime();
  if (input.action === 'fill') fillPart(exchange, order, input);
  else if (input.action === 'cancel') endOrder(exchange, order, { status: 'canceled', at, reason: input.reason });
  else if (input.action === 'expire') endOrder(exchange, order, { status: 'expired', at, reason: null });
  else exchange.commit({ order: { ...order, status: input.action === 'pend' ? 'pending' : 'open' } });
  return exchange.findOrder(id);
}

function fillPart(
  exchange: Exchange,
  order: Order,
  { volume: volumeText, price: priceText, now }: { volume?: string | undefined; price?: string | undefined; now: Date },
): void {
  const pair = knownPair(order.pair);
  const rest = restOf(order);
  const volume = volumeText === undefined ? rest : inLots(volumeText, pair);
  if (order.status === 'pending') throw new ControlError(409, 'the order has not reached the market yet');
  if (volume.greaterThan(rest)) throw new ControlError(422, `the remaining volume is ${rest.toString()}`);
  const price = priceText === undefined ? Amount.of(order.limitPrice ?? '0') : onTick(priceText, pair);
  if (!isWithin({ side: order.side, limit: Amount.of(order.limitPrice ?? '0') }, price)) {
    throw new ControlError(422, 'the price is worse than the limit of the order');
  }
  try {
    trade(exchange, { order, lots: [{ price, volume }], role: 'maker', rest: { kind: 'waits' }, now });
  } catch (error) {
    if (error instanceof Overdrawn) throw new ControlError(409, 'the account does not have the funds for this trade');
    throw error;
  }
}
