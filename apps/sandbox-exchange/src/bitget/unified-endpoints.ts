import { assetById } from '../catalogue.js';
import type { Call } from '../kraken/handler.js';
import type { Deposit, Order, Withdrawal } from '../ledger/records.js';
import { heldAssets, permissionsOf } from '../rest/account.js';
import { assetOf, shownAddresses } from '../rest/networks.js';
import { findSpotOrder, placeSpotOrder } from '../rest/orders.js';
import { Refusal } from '../rest/refusal.js';
import { partOf, periodOf, FoundRecords } from '../rest/transfers.js';
import { bitgetChain, bitgetMarkets } from './lists.js';

/** Sources: the pages of www.bitget.com/api-doc/uta (December 2025). */

const DAY_MS = 24 * 60 * 60 * 1000;
/** The longest period of a call. Docs: trade/Get-Order-History. For records, ccxt 4.5.84 (`bitget.fetchDeposits`). */
const PERIOD_MAX_MS = 30 * DAY_MS;
/** Docs: trade/Get-Order-History: "The access window is 90 days". */
const FORGOTTEN_AFTER_MS = 90 * DAY_MS;

/** Docs: account/Get-Account-Info. One type applies to all permissions of a key. */
export function keyInfo({ account, key }: Call): unknown {
  const permissions = permissionsOf(key, { read: 'uta_mgt', trade: 'uta_trade', withdraw: 'withdraw' });
  const permType = permissions.some((name) => name !== 'uta_mgt') ? 'read-and-write' : 'read-only';
  const ids = { userId: account.id, inviterId: '', parentId: '', channelCode: '', channel: '' };
  const regisTime = String(account.createdAt);
  return { ...ids, regisTime, ips: key.ipAllowlist.join(','), permType, permissions };
}

/** Docs: account/Get-Account, which lists only assets with a balance. All money is in the unified account. */
export function balances(call: Call): unknown {
  const assets = heldAssets(call).map(({ code: coin, free: available, held: locked, total: equity }) => ({
    coin,
    equity,
    usdValue: '0',
    balance: available,
    available,
    debt: '0',
    locked,
  }));
  const equity = { accountEquity: '0', usdtEquity: '0', btcEquity: '0', effEquity: '0' };
  const profit = { unrealisedPnl: '0', usdtUnrealisedPnl: '0', btcUnrealizedPnl: '0' };
  const margin = { mmr: '0', imr: '0', mgnRatio: '0', positionMgnRatio: '0' };
  return { ...equity, ...profit, ...margin, assets };
}

/** Docs: account/Get-Account-Funding-Assets. Always empty, because all money is in the unified account. */
export const fundingBalances = (): unknown => [];

/** Docs: account/deposit/Get-Deposit-Address. The sample has the name of the chain in lower case. */
export function depositAddress(call: Call): unknown {
  const { coin, chain } = call.params;
  const found = shownAddresses(call, bitgetChain, assetOf(coin)).findLast((one) => one.chain === chain);
  if (found === undefined) throw new Refusal('parameter_invalid');
  return { address: found.address, chain: found.chain.toLowerCase(), coin, tag: found.memo, url: '' };
}

const states = { Initial: 'pending', Pending: 'pending', Settled: 'pending', Success: 'success', Failure: 'fail' };

function transfer({ refid, asset, network, amount, address, txid, status }: Deposit | Withdrawal, at: number): object {
  const { code: coin } = assetById(asset);
  const chain = (bitgetChain(coin, network) ?? network).toLowerCase();
  return {
    orderId: refid,
    recordId: txid ?? '',
    coin,
    dest: 'on_chain',
    size: amount,
    status: states[status],
    chain,
    fromAddress: '',
    toAddress: address,
    createdTime: String(at),
    updatedTime: String(at),
  };
}

/**
 * A page of records, newest first, that follows the record with the id `cursor`. Docs: "use the smallest orderId
 * returned from the previous query". Ids are no numbers here.
 */
function pageOf<T extends Deposit | Withdrawal>(found: FoundRecords<T>, { cursor, limit = '20' }: Call['params']): T[] {
  return found.after(cursor, { limit: Number(limit), max: 100 });
}

/** The period of a call about records, whose ends are required. @throws Refusal */
function requiredPeriod(call: Call) {
  const { startTime, endTime } = call.params;
  if (startTime === undefined || endTime === undefined) throw new Refusal('parameter_invalid');
  return periodOf(call, startTime, endTime, PERIOD_MAX_MS);
}

/** Docs: account/withdrawal/Get-Withdrawal-Records. Fees are positive. */
export function withdrawals(call: Call): unknown {
  const { coin: asset, orderId, clientOid } = call.params;
  const fields = { refid: orderId, clientId: clientOid };
  const period = requiredPeriod(call);
  const found = new FoundRecords(call.exchange.book(call.account).withdrawals, { ...period, asset, fields });
  return pageOf(found, call.params).map((one) => ({
    ...transfer(one, one.requestedAt),
    type: 'withdraw',
    clientOid: one.clientId ?? '',
    fee: one.fee,
    tag: one.memo ?? '',
    confirm: '1',
  }));
}

/** Docs: account/deposit/Get-Deposit-Records. */
export function deposits(call: Call): unknown {
  const { coin: asset, orderId } = call.params;
  const fields = { refid: orderId };
  const period = requiredPeriod(call);
  const found = new FoundRecords(call.exchange.book(call.account).deposits, { ...period, asset, fields });
  return pageOf(found, call.params).map((one) => ({ ...transfer(one, one.receivedAt), type: 'deposit' }));
}

/** Only this category is served: other ones are margin and futures. @throws Refusal */
function requireSpot({ category }: Call['params']): void {
  if (category !== 'SPOT') throw new Refusal('parameter_invalid');
}

/** Docs: trade/Place-Order. The sandbox takes limit orders only. A `clientOid` is unique among open orders. */
export function placeOrder(call: Call): unknown {
  const { symbol, side = '', orderType: type, timeInForce, price = '', qty: volume = '', clientOid = '' } = call.params;
  requireSpot(call.params);
  if (type !== 'limit' || timeInForce !== 'gtc') throw new Refusal('parameter_invalid');
  const order = { market: bitgetMarkets.find(symbol), side, type, volume, price, clientOrderId: clientOid };
  return { orderId: placeSpotOrder(call, order), clientOid };
}

const bookOf = ({ exchange, account }: Call): ReadonlyMap<string, Order> => exchange.book(account).orders;

/**
 * Docs: trade/Get-Order-Details. The page does not state whether ended orders are found by `clientOid`. Here they are
 * not.
 */
export function order(call: Call): unknown {
  const { orderId: id, clientOid } = call.params;
  if (id !== undefined) return shown(call, id);
  const open = [...bookOf(call).values()].findLast((one) => one.closedAt === null && one.clientOrderId === clientOid);
  if (open === undefined) throw new Refusal('order_unknown');
  return shown(call, open.id);
}

/** Docs: trade/Get-Order-History: ended orders of the last 90 days, newest first. An empty list is null (recorded). */
export function endedOrders(call: Call): unknown {
  const { symbol, startTime, endTime, cursor, limit = '100' } = call.params;
  requireSpot(call.params);
  const { since, until } = periodOf(call, startTime, endTime, PERIOD_MAX_MS);
  if (call.now.getTime() - since > FORGOTTEN_AFTER_MS) throw new Refusal('parameter_invalid');
  const isAsked = ({ pair }: Order) => symbol === undefined || bitgetMarkets.find(symbol)?.pair.id === pair;
  const ended = [...bookOf(call).values()]
    .filter((one) => one.closedAt !== null && isAsked(one))
    .filter(({ openedAt }) => openedAt >= since && openedAt <= until)
    .sort((a, b) => b.openedAt - a.openedAt);
  const from = cursor === undefined ? 0 : ended.findIndex(({ id }) => id === cursor) + 1;
  const page = partOf(ended, { from, limit: Number(limit), max: 100 });
  return { list: page.length === 0 ? null : page.map(({ id }) => shown(call, id)), cursor: page.at(-1)?.id ?? null };
}

function shown(call: Call, id: string): object {
  const ids = { symbol: undefined, id, clientOrderId: undefined, forgottenAfterMs: FORGOTTEN_AFTER_MS };
  const { isUntraded, quote, ...one } = findSpotOrder(call, { markets: bitgetMarkets, ...ids });
  const status = { pending: 'live', open: isUntraded ? 'new' : 'partially_filled', closed: 'filled' };
  return {
    orderId: one.id,
    clientOid: one.clientOrderId ?? '',
    category: 'SPOT',
    symbol: one.symbol,
    side: one.side,
    orderType: one.type,
    price: one.limitPrice ?? '',
    qty: one.volume,
    amount: '0',
    timeInForce: 'gtc',
    cumExecQty: one.executedVolume,
    cumExecValue: one.cost,
    avgPrice: one.averagePrice,
    feeDetail: isUntraded ? '' : [{ feeCoin: quote, fee: one.fee }],
    orderStatus: { ...status, canceled: 'cancelled', expired: 'cancelled' }[one.status],
    createdTime: String(one.openedAt),
    updatedTime: String(one.closedAt ?? one.openedAt),
  };
}
