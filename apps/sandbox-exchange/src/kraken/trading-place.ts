import { Amount, InvalidAmount } from '#money';
import type { SandboxPair } from '../data/pairs.js';
import { bestPrices } from '../data/tickers.js';
import { Overdrawn, type Exchange } from '../exchange.js';
import type { Order } from '../ledger/records.js';
import { KrakenError, required, type Call } from './handler.js';
import { fill, holdOf, lastPrice } from './trading-fill.js';
import { knownPair } from './trading-market.js';
import { describe } from './trading-orders.js';

const invalid = (name: string) => new KrakenError(`EGeneral:Invalid arguments:${name}`);

function oneOf<T extends string>(params: Record<string, string>, name: string, allowed: readonly T[]): T {
  const value = required(params, name);
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined) throw invalid(name);
  return found;
}

function amountOf(params: Record<string, string>, name: string): Amount {
  try {
    return Amount.parseInput(required(params, name));
  } catch (error) {
    throw error instanceof InvalidAmount ? invalid(name) : error;
  }
}

function readUserref(text: string | undefined): number | null {
  if (text === undefined || text === '') return null;
  if (!/^-?[0-9]{1,10}$/.test(text)) throw invalid('userref');
  return Number(text);
}

/** The order that is asked for, before anything is known about funds and prices. */
function readOrder({ account, params, exchange, now }: Call, pair: SandboxPair): Order {
  const type = oneOf(params, 'ordertype', ['market', 'limit']);
  if ((params['leverage'] ?? 'none') !== 'none') throw invalid('leverage');
  const oflags = params['oflags'] ?? 'fciq';
  // Such an order counts in the quote asset; to take its volume for one in the base would trade far too much.
  if (oflags.split(',').includes('viqc')) throw invalid('oflags');
  const volume = amountOf(params, 'volume');
  if (volume.decimalPlaces() > pair.info.lot_decimals) throw invalid('volume');
  return {
    id: exchange.newId('O'),
    accountId: account.id,
    pair: pair.id,
    side: oneOf(params, 'type', ['buy', 'sell']),
    type,
    status: 'open',
    clientOrderId: params['cl_ord_id'] ?? null,
    userref: readUserref(params['userref']),
    limitPrice: type === 'limit' ? limitOf(params, pair).toString() : null,
    volume: volume.toString(),
    executedVolume: '0',
    cost: '0',
    fee: '0',
    averagePrice: '0',
    oflags,
    timeInForce: params['timeinforce'] === undefined ? 'GTC' : oneOf(params, 'timeinforce', ['GTC', 'IOC']),
    hold: null,
    openedAt: now.getTime(),
    closedAt: null,
    reason: null,
  };
}

function limitOf(params: Record<string, string>, { info }: SandboxPair): Amount {
  const price = amountOf(params, 'price');
  if (price.decimalPlaces() > info.pair_decimals) {
    throw new KrakenError(
      `EOrder:Invalid price:${info.altname} price can only be specified up to ${info.pair_decimals} decimals.`,
    );
  }
  if (!price.isMultipleOf(Amount.of(info.tick_size))) throw new KrakenError('EOrder:Tick size check failed');
  return price;
}

/** The rules of the market; the texts are those of docs.kraken.com/exchange/guides/general/errors. */
function checkMarket(order: Order, { info }: SandboxPair, price: Amount): void {
  const isPost = order.oflags.split(',').includes('post');
  const refused =
    info.status === 'cancel_only' ||
    (info.status === 'limit_only' && order.type === 'market') ||
    (info.status === 'post_only' && !isPost);
  if (refused) throw new KrakenError(`EService:Market in ${info.status} mode`);
  const volume = Amount.of(order.volume);
  if (volume.lessThan(Amount.of(info.ordermin))) throw new KrakenError('EOrder:Order minimum not met');
  if (volume.times(price).lessThan(Amount.of(info.costmin))) throw new KrakenError('EOrder:Cost minimum not met');
}

/**
 * https://docs.kraken.com/api-reference/trading/add-order. Market orders and limits that cross the best price trade at
 * once and whole; other limits wait. With `validate` nothing reaches the market, and so nobody looks at the funds.
 */
export function addOrder(call: Call): unknown {
  const { account, params, exchange, now } = call;
  const pair = knownPair(required(params, 'pair'));
  const order = readOrder(call, pair);
  const { bid, ask } = bestPrices(pair, lastPrice(exchange, pair));
  const best = order.side === 'buy' ? ask : bid;
  const limit = order.limitPrice === null ? null : Amount.of(order.limitPrice);
  checkMarket(order, pair, limit ?? best);
  const descr = { order: describe(order, pair) };
  if (['true', '1'].includes(params['validate'] ?? '')) return { descr };

  const book = exchange.book(account);
  const { clientOrderId } = order;
  const isOpen = (id: string) => book.orders.get(id)?.clientOrderId === clientOrderId;
  if (clientOrderId !== null && [...book.openOrders].some(isOpen)) {
    throw new KrakenError('EOrder:cl_ord_id already in use');
  }
  const crosses = limit === null || (order.side === 'buy' ? !limit.lessThan(ask) : !limit.greaterThan(bid));
  if (limit === null || crosses) {
    if (order.oflags.split(',').includes('post')) throw new KrakenError('EOrder:Post only order');
    trade(exchange, order, best, now);
  } else if (order.timeInForce === 'IOC') {
    exchange.commit({
      order: { ...order, status: 'canceled', closedAt: now.getTime(), reason: 'Immediate or cancel' },
    });
  } else {
    wait(exchange, call, { ...order, hold: holdOf(order, pair, limit) });
  }
  return { descr, txid: [order.id] };
}

function trade(exchange: Exchange, order: Order, price: Amount, now: Date): void {
  try {
    fill(exchange, { order, price, role: 'taker', now });
  } catch (error) {
    throw error instanceof Overdrawn ? new KrakenError('EOrder:Insufficient funds') : error;
  }
}

function wait(exchange: Exchange, { account }: Call, order: Order): void {
  const { hold } = order;
  if (hold !== null && exchange.book(account).free(hold.asset).lessThan(Amount.of(hold.amount))) {
    throw new KrakenError('EOrder:Insufficient funds');
  }
  exchange.commit({ order });
}
