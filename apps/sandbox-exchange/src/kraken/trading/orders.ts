import { Amount } from '#money';
import type { SandboxPair } from '../../data/pairs.js';
import { isLive, type Order, type Permission } from '../../ledger/records.js';
import { endOrder } from '../../ledger/settlement.js';
import { KrakenError, required, type Call } from '../handler.js';
import { pairOf } from '../../trading/fees.js';

const CLOSED_PAGE = 50;
const QUERY_MAX = 50;

/** Writes a number as Kraken does, with all decimal places of the market. */
export function fixed(amount: string, places: number): string {
  const [whole = '0', fraction = ''] = Amount.of(amount).toString().split('.');
  return places === 0 ? whole : `${whole}.${fraction.padEnd(places, '0')}`;
}

/** Describes an order as Kraken does, for example "buy 0.02100000 ETHUSDT @ limit 330.00". */
export function describe(order: Order, { info }: SandboxPair): string {
  const price = order.limitPrice === null ? '' : ` ${fixed(order.limitPrice, info.pair_decimals)}`;
  return `${order.side} ${fixed(order.volume, info.lot_decimals)} ${info.altname} @ ${order.type}${price}`;
}

const isPartial = ({ executedVolume, volume }: Order) => executedVolume !== '0' && executedVolume !== volume;

const seconds = (time: number) => time / 1000;

function infoOf(order: Order): object {
  const pair = pairOf(order.pair);
  const { pair_decimals: price, lot_decimals: lot, cost_decimals: cost, altname } = pair.info;
  const closing = order.closedAt === null ? {} : { closetm: seconds(order.closedAt), reason: order.reason };
  return {
    refid: null,
    userref: order.userref,
    ...(order.clientOrderId === null ? {} : { cl_ord_id: order.clientOrderId }),
    status: order.status,
    opentm: seconds(order.openedAt),
    starttm: 0,
    expiretm: seconds(order.expiresAt ?? 0),
    descr: {
      pair: altname,
      type: order.side,
      ordertype: order.type,
      price: order.limitPrice === null ? '0' : fixed(order.limitPrice, price),
      price2: '0',
      leverage: 'none',
      order: describe(order, pair),
      close: '',
    },
    vol: fixed(order.volume, lot),
    vol_exec: fixed(order.executedVolume, lot),
    cost: fixed(order.cost, cost),
    fee: fixed(order.fee, cost),
    price: fixed(order.averagePrice, price),
    stopprice: fixed('0', price),
    limitprice: fixed('0', price),
    misc: isPartial(order) ? 'partial' : '',
    oflags: order.oflags,
    timeinforce: order.timeInForce,
    ...closing,
  };
}

const byId = (orders: readonly Order[]) => Object.fromEntries(orders.map((order) => [order.id, infoOf(order)]));

/** Applies the filters `userref` and `cl_ord_id`, which all lists of orders support. */
function matchesFilter({ userref, clientOrderId }: Order, params: Record<string, string>): boolean {
  return (
    (params['userref'] === undefined || String(userref) === params['userref']) &&
    (params['cl_ord_id'] === undefined || clientOrderId === params['cl_ord_id'])
  );
}

const neededFor = (order: Order): Permission => (isLive(order) ? 'query-open-trades' : 'query-closed-trades');

/**
 * Source: https://docs.kraken.com/api-reference/account-data/query-orders-info. Open orders and ended orders require
 * different permissions.
 */
export function queryOrders({ account, params, exchange, key }: Call): unknown {
  const ids = required(params, 'txid').split(',');
  if (ids.length > QUERY_MAX) throw new KrakenError('EGeneral:Invalid arguments');
  const { orders } = exchange.book(account);
  const found = ids.map((id) => {
    const order = orders.get(id.trim());
    if (order === undefined) throw new KrakenError('EOrder:Unknown order');
    if (!key.permissions.includes(neededFor(order))) throw new KrakenError('EGeneral:Permission denied');
    return order;
  });
  return byId(found.filter((order) => matchesFilter(order, params)));
}

/**
 * Source: https://docs.kraken.com/api-reference/account-data/get-open-orders. The response includes pending orders and
 * has no pages.
 */
export function openOrders({ account, params, exchange }: Call): unknown {
  const { orders, openOrders: ids } = exchange.book(account);
  const open = [...ids].flatMap((id) => orders.get(id) ?? []).filter((order) => matchesFilter(order, params));
  return { open: byId(open.sort((left, right) => right.openedAt - left.openedAt)) };
}

/** A bound of a listing: a time in seconds, or the id of an order, whose opening time is then the bound. */
function momentOf({ params, exchange, account }: Call, name: 'start' | 'end'): number | null {
  const text = params[name];
  if (text === undefined || text === '') return null;
  const order = exchange.book(account).orders.get(text);
  if (order !== undefined) return order.openedAt;
  if (!/^[0-9]{1,11}(\.[0-9]+)?$/.test(text)) throw new KrakenError('EGeneral:Invalid arguments');
  return Number(text) * 1000;
}

/**
 * The times that `closetime` compares with the range. For `both`, one time in the range is enough; Kraken does not
 * document this.
 */
const timesFor: Readonly<Record<string, (order: Order) => number[]>> = {
  open: ({ openedAt }) => [openedAt],
  close: ({ closedAt }) => [closedAt ?? 0],
  both: ({ openedAt, closedAt }) => [openedAt, closedAt ?? 0],
};

/**
 * Source: https://docs.kraken.com/api-reference/account-data/get-closed-orders. The call returns 50 orders on a
 * page, newest first, after `start` and up to `end`.
 */
export function closedOrders(call: Call): unknown {
  const { account, params, exchange } = call;
  const [start, end] = [momentOf(call, 'start') ?? -1, momentOf(call, 'end') ?? Infinity];
  const offset = Number(params['ofs'] ?? '0');
  const by = params['closetime'] ?? 'both';
  const timesOf = Object.hasOwn(timesFor, by) ? timesFor[by] : undefined;
  if (timesOf === undefined || !Number.isSafeInteger(offset) || offset < 0) {
    throw new KrakenError('EGeneral:Invalid arguments');
  }
  const latest = (order: Order) => Math.max(...timesOf(order));
  const closed = [...exchange.book(account).orders.values()]
    .filter((order) => !isLive(order) && timesOf(order).some((time) => time > start && time <= end))
    .filter((order) => matchesFilter(order, params))
    .sort((left, right) => latest(right) - latest(left));
  const page = { closed: byId(closed.slice(offset, offset + CLOSED_PAGE)) };
  return params['without_count'] === 'true' ? page : { ...page, count: closed.length };
}

/** Source: https://docs.kraken.com/api-reference/trading/cancel-order. `txid` is an id or a userref. */
export function cancelOrder({ account, params, exchange, now }: Call): unknown {
  const clientOrderId = params['cl_ord_id'];
  const txid = clientOrderId === undefined ? required(params, 'txid') : null;
  const { orders } = exchange.book(account);
  const canceled = [...orders.values()].filter(
    (order) =>
      isLive(order) &&
      (txid === null ? order.clientOrderId === clientOrderId : order.id === txid || String(order.userref) === txid),
  );
  if (canceled.length === 0) throw new KrakenError('EOrder:Unknown order');
  for (const order of canceled) {
    endOrder(exchange, order, { status: 'canceled', at: now.getTime(), reason: 'User requested' });
  }
  return { count: canceled.length };
}
