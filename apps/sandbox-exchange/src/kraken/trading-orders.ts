import { Amount } from '#money';
import type { SandboxPair } from '../data/pairs.js';
import type { Permission, Order } from '../ledger/records.js';
import { KrakenError, required, type Call } from './handler.js';
import { pairOf } from './trading-fees.js';

const CLOSED_PAGE = 50;
const QUERY_MAX = 50;

/** As Kraken writes numbers: always with all the digits of the market. */
export function fixed(amount: string, places: number): string {
  const [whole = '0', fraction = ''] = Amount.of(amount).toString().split('.');
  return places === 0 ? whole : `${whole}.${fraction.padEnd(places, '0')}`;
}

/** "buy 0.02100000 ETHUSDT @ limit 330.00" */
export function describe(order: Order, { info }: SandboxPair): string {
  const price = order.limitPrice === null ? '' : ` ${fixed(order.limitPrice, info.pair_decimals)}`;
  return `${order.side} ${fixed(order.volume, info.lot_decimals)} ${info.altname} @ ${order.type}${price}`;
}

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
    expiretm: 0,
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
    misc: '',
    oflags: order.oflags,
    timeinforce: order.timeInForce,
    ...closing,
  };
}

const byId = (orders: readonly Order[]) => Object.fromEntries(orders.map((order) => [order.id, infoOf(order)]));

/** The two filters that all lists of orders have. */
function isAsked({ userref, clientOrderId }: Order, params: Record<string, string>): boolean {
  return (
    (params['userref'] === undefined || String(userref) === params['userref']) &&
    (params['cl_ord_id'] === undefined || clientOrderId === params['cl_ord_id'])
  );
}

const neededFor = (order: Order): Permission => (order.status === 'open' ? 'query-open-trades' : 'query-closed-trades');

/** https://docs.kraken.com/api-reference/account-data/query-orders-info: the permission depends on the order. */
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
  return byId(found.filter((order) => isAsked(order, params)));
}

const newestFirst = (left: Order, right: Order) => right.openedAt - left.openedAt;

/** https://docs.kraken.com/api-reference/account-data/get-open-orders */
export function openOrders({ account, params, exchange }: Call): unknown {
  const orders = [...exchange.book(account).orders.values()];
  return { open: byId(orders.filter((order) => order.status === 'open' && isAsked(order, params)).sort(newestFirst)) };
}

function momentOf(params: Record<string, string>, name: 'start' | 'end'): number | null {
  const text = params[name];
  if (text === undefined || text === '') return null;
  if (!/^[0-9]{1,11}(\.[0-9]+)?$/.test(text)) throw new KrakenError('EGeneral:Invalid arguments');
  return Number(text) * 1000;
}

/** https://docs.kraken.com/api-reference/account-data/get-closed-orders: 50 at a time, the newest first; `start` and `end` as times. */
export function closedOrders({ account, params, exchange }: Call): unknown {
  const start = momentOf(params, 'start');
  const end = momentOf(params, 'end');
  const offset = Number(params['ofs'] ?? '0');
  if (!Number.isSafeInteger(offset) || offset < 0) throw new KrakenError('EGeneral:Invalid arguments');
  const closed = [...exchange.book(account).orders.values()]
    .filter(({ closedAt }) => closedAt !== null && closedAt > (start ?? -1) && closedAt <= (end ?? Infinity))
    .filter((order) => isAsked(order, params))
    .sort(newestFirst);
  return { closed: byId(closed.slice(offset, offset + CLOSED_PAGE)), count: closed.length };
}

/** https://docs.kraken.com/api-reference/trading/cancel-order: `txid` is an id or a userref. */
export function cancelOrder({ account, params, exchange, now }: Call): unknown {
  const clientOrderId = params['cl_ord_id'];
  const txid = clientOrderId === undefined ? required(params, 'txid') : null;
  const { orders } = exchange.book(account);
  const asked = [...orders.values()].filter(
    (order) =>
      order.status === 'open' &&
      (txid === null ? order.clientOrderId === clientOrderId : order.id === txid || String(order.userref) === txid),
  );
  if (asked.length === 0) throw new KrakenError('EOrder:Unknown order');
  for (const order of asked) {
    exchange.commit({
      order: { ...order, status: 'canceled', hold: null, closedAt: now.getTime(), reason: 'User requested' },
    });
  }
  return { count: asked.length };
}
