import { assetById } from '../catalogue.js';
import type { Call } from '../kraken/handler.js';
import type { Deposit, Order, Withdrawal } from '../ledger/records.js';
import { heldAssets, permissionsOf } from '../rest/account.js';
import { assetOf, networkOf, shownAddresses } from '../rest/networks.js';
import { findSpotOrder, placeSpotOrder } from '../rest/orders.js';
import { Refusal } from '../rest/refusal.js';
import { partOf, periodOf, requestWithdrawal, FoundRecords } from '../rest/transfers.js';
import { bitgetChain, bitgetMarkets } from './lists.js';

/** Sources: the pages of www.bitget.com/api-doc/spot (December 2025). */

const DAY_MS = 24 * 60 * 60 * 1000;

/** Docs: account/Get-Account-Info. */
export function keyInfo({ account, key }: Call): unknown {
  const authorities = permissionsOf(key, { read: 'readonly', trade: 'trade', withdraw: 'wwow' });
  return { userId: account.id, ips: key.ipAllowlist.join(','), authorities, parentId: 1, traderType: 'not_trader' };
}

/** Docs: account/Get-Account-Assets. All money is in the spot account. */
export const balances = (call: Call): unknown =>
  heldAssets(call).map(({ code: coin, free: available, held: frozen }) => ({
    coin,
    available,
    frozen,
    locked: '0',
    limitAvailable: '0',
    uTime: String(call.now.getTime()),
  }));

/** Docs: common/account/Funding-Assets. Always empty, because all money is in the spot account. */
export const fundingBalances = (): unknown => [];

/** Docs: account/Get-Deposit-Address. */
export function depositAddress(call: Call): unknown {
  const { coin, chain } = call.params;
  const shown = shownAddresses(call, bitgetChain, assetOf(coin));
  const found = shown.findLast((one) => one.chain === chain);
  if (found === undefined) throw new Refusal('network_unknown');
  return { address: found.address, chain, coin, tag: found.memo ?? '', url: '' };
}

/**
 * Docs: account/Wallet-Withdrawal. The page says about Lightning: "The value of size is the credited amount, excluding
 * fees". Here this holds for all networks.
 */
export function withdrawal(call: Call): unknown {
  const { coin, transferType, address = '', chain = '', tag = '', size: amount = '', clientOid = '' } = call.params;
  if (transferType !== 'on_chain') throw new Refusal('parameter_invalid');
  const asset = assetOf(coin);
  const method = networkOf(bitgetChain, asset, chain);
  const sent = { asset, method, address, tag, amount, amountIs: 'net', reference: clientOid, isUnique: true } as const;
  return { orderId: requestWithdrawal(call, sent), clientOid };
}

const states = { Initial: 'pending', Pending: 'pending', Settled: 'pending', Success: 'success', Failure: 'fail' };

function transfer({ refid, asset, network, amount, address, memo, txid, status }: Deposit | Withdrawal): object {
  const { code: coin } = assetById(asset);
  return {
    orderId: refid,
    tradeId: txid ?? '',
    coin,
    dest: 'on_chain',
    size: amount,
    status: states[status],
    fromAddress: '',
    toAddress: address,
    chain: bitgetChain(coin, network) ?? network,
    tag: memo ?? '',
    confirm: '1',
  };
}

/**
 * A page of records, newest first, that follows the record with the id `idLessThan`. Bitget on `limit`: "the maximum
 * value is 100".
 */
function pageOf<T extends Deposit | Withdrawal>(
  found: FoundRecords<T>,
  { idLessThan, limit = '20' }: Call['params'],
): T[] {
  return found.after(idLessThan, { limit: Number(limit), max: 100 });
}

/** Docs: account/Get-Withdraw-Record. Fees are negative. */
export function withdrawals(call: Call): unknown {
  const { coin: asset, orderId, clientOid, startTime, endTime } = call.params;
  const fields = { refid: orderId, clientId: clientOid };
  const period = periodOf(call, startTime, endTime, 90 * DAY_MS);
  const found = new FoundRecords(call.exchange.book(call.account).withdrawals, { ...period, asset, fields });
  return pageOf(found, call.params).map((one) => ({
    ...transfer(one),
    clientOid: one.clientId ?? '',
    fee: `-${one.fee}`,
    type: 'withdraw',
    cTime: String(one.requestedAt),
    uTime: String(one.requestedAt),
  }));
}

/** Docs: account/Get-Deposit-Record. */
export function deposits(call: Call): unknown {
  const { coin: asset, orderId, startTime, endTime } = call.params;
  const fields = { refid: orderId };
  const period = periodOf(call, startTime, endTime, 90 * DAY_MS);
  const found = new FoundRecords(call.exchange.book(call.account).deposits, { ...period, asset, fields });
  return pageOf(found, call.params).map((one) => ({
    ...transfer(one),
    type: 'deposit',
    cTime: String(one.receivedAt),
    uTime: String(one.receivedAt),
  }));
}

/** Docs: trade/Place-Order. The sandbox takes limit orders only. */
export function placeOrder(call: Call): unknown {
  const { symbol, side = '', orderType: type, force, price = '', size: volume = '', clientOid = '' } = call.params;
  if (type !== 'limit' || force !== 'gtc') throw new Refusal('parameter_invalid');
  const order = { market: bitgetMarkets.find(symbol), side, type, volume, price, clientOrderId: clientOid };
  return { orderId: placeSpotOrder(call, { ...order, uniqueAmong: 'all' }), clientOid };
}

/** Docs: trade/Get-Order-Info. A query by `clientOid` finds only an order that is "in unfilled status". */
export function order(call: Call): unknown {
  const { orderId: id, clientOid } = call.params;
  if (id !== undefined) return [shown(call, id)];
  const open = [...bookOf(call).values()].findLast((one) => one.closedAt === null && one.clientOrderId === clientOid);
  if (open === undefined) throw new Refusal('order_unknown');
  return [shown(call, open.id)];
}

const bookOf = ({ exchange, account }: Call): ReadonlyMap<string, Order> => exchange.book(account).orders;

/** Docs: trade/Get-History-Orders: ended orders, newest first. "It only supports to get the data within 90days" */
export function endedOrders(call: Call): unknown {
  const { symbol, startTime, endTime, idLessThan, limit = '100' } = call.params;
  const { since, until } = periodOf(call, startTime, endTime, 90 * DAY_MS);
  const isAsked = ({ pair }: Order) => symbol === undefined || bitgetMarkets.find(symbol)?.pair.id === pair;
  const ended = [...bookOf(call).values()]
    .filter((one) => one.closedAt !== null && isAsked(one))
    .filter(({ openedAt }) => openedAt >= since && openedAt <= until)
    .sort((a, b) => b.openedAt - a.openedAt);
  const from = idLessThan === undefined ? 0 : ended.findIndex(({ id }) => id === idLessThan) + 1;
  return partOf(ended, { from, limit: Number(limit), max: 100 }).map(({ id }) => shown(call, id));
}

/** `feeDetail` is a text that contains JSON. The fees in it are negative. */
function shown(call: Call, id: string): object {
  const ids = { symbol: undefined, id, clientOrderId: undefined, forgottenAfterMs: Infinity };
  const { isUntraded, quote, ...one } = findSpotOrder(call, { markets: bitgetMarkets, ...ids });
  const status = { pending: 'live', open: isUntraded ? 'live' : 'partially_filled', closed: 'filled' };
  const fee = { deduction: false, feeCoinCode: quote, totalDeductionFee: '0', totalFee: `-${one.fee}` };
  return {
    orderId: one.id,
    clientOid: one.clientOrderId ?? '',
    symbol: one.symbol,
    side: one.side,
    force: 'gtc',
    orderType: one.type,
    price: one.limitPrice ?? '',
    size: one.volume,
    baseVolume: one.executedVolume,
    quoteVolume: one.cost,
    priceAvg: one.averagePrice,
    feeDetail: isUntraded ? '' : JSON.stringify({ fee }),
    status: { ...status, canceled: 'cancelled', expired: 'cancelled' }[one.status],
    cTime: String(one.openedAt),
    uTime: String(one.closedAt ?? one.openedAt),
  };
}
