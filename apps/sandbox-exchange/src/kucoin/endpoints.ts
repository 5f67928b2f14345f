import { assetById } from '../catalogue.js';
import type { Call } from '../kraken/handler.js';
import type { History } from '../ledger/history.js';
import type { Deposit, Withdrawal } from '../ledger/records.js';
import { heldAssets, numberOf, permissionsOf } from '../rest/account.js';
import { assetOf, createAddress, networkOf, shownAddresses } from '../rest/networks.js';
import { findSpotOrder, placeSpotOrder } from '../rest/orders.js';
import { Refusal } from '../rest/refusal.js';
import { requestWithdrawal, FoundRecords } from '../rest/transfers.js';
import { kucoinMarkets } from '../tickers/kucoin-symbols.js';
import { kucoinChain } from './currencies.js';

/** Sources: the pages of www.kucoin.com/docs-new/rest (November 2025). */

/** KuCoin lists canceled orders for "2 days" (docs-new/rest/ua/get-order-details). */
const FORGOTTEN_AFTER_MS = 2 * 24 * 60 * 60 * 1000;
const CLIENT_OID = /^[\w-]{0,40}$/;

/** Docs: account-info/account-funding/get-apikey-info. */
export function keyInfo({ account, key }: Call): unknown {
  const names = permissionsOf(key, { read: 'General', trade: 'Spot', withdraw: 'Transfer' });
  const { apiKey, name: remark = '', createdAt, ipAllowlist } = key;
  const bound = { ipWhitelist: ipAllowlist.join(',') };
  const about = { uid: numberOf(account.id), isMaster: true, apiVersion: 3, remark, permission: names.join(',') };
  return { ...about, apiKey, createdAt, ...bound };
}

/**
 * Docs: account-info/account-funding/get-account-list-spot. All money is in the main account; orders use it, too. Docs:
 * websocket-api/private-channels/account-balance: a withdrawal is first held (`main.withdraw_hold`), and leaves the
 * balance when it is done (`main.withdraw_done`).
 */
export const accounts = (call: Call): unknown =>
  heldAssets(call).map(({ code, total, free, held, leaving }) => ({
    id: `${call.account.id} ${code}`,
    currency: code,
    type: 'main',
    balance: total.plus(leaving),
    available: free,
    holds: held.plus(leaving),
  }));

type Shown = Pick<ReturnType<typeof shownAddresses>[number], 'chain' | 'contract' | 'address' | 'memo'>;

const addressRecord = (currency: string | undefined, { chain, contract, address, memo }: Shown): object => ({
  address,
  memo: memo ?? '',
  chainId: chain,
  chainName: chain.toUpperCase(),
  to: 'MAIN',
  expirationDate: 0,
  currency,
  contractAddress: contract,
});

/** Docs: account-info/deposit/get-deposit-address-v3. */
export function depositAddresses(call: Call): unknown {
  const { currency, chain } = call.params;
  const shown = shownAddresses(call, kucoinChain, assetOf(currency), { creates: false });
  return shown.filter((one) => [undefined, one.chain].includes(chain)).map((one) => addressRecord(currency, one));
}

/** Docs: account-info/deposit/add-deposit-address-v3. */
export function newAddress(call: Call): unknown {
  const { currency, chain = '', to = 'main' } = call.params;
  if (to.toLowerCase() !== 'main') throw new Refusal('parameter_invalid');
  return addressRecord(currency, createAddress(call, networkOf(kucoinChain, assetOf(currency), chain)));
}

/** Docs: account-info/withdrawals/withdraw-v3. The sandbox demands `feeDeductType`. */
export function withdrawal(call: Call): unknown {
  const { currency, chain = '', toAddress: address = '', memo: tag = '', amount = '', ...more } = call.params;
  const { withdrawType, isInner = 'false', feeDeductType = '', remark: reference = '' } = more;
  const amountIs = ({ EXTERNAL: 'net', INTERNAL: 'gross' } as const)[feeDeductType];
  const isOnChain = withdrawType === 'ADDRESS' && isInner === 'false';
  if (amountIs === undefined || !isOnChain) throw new Refusal('parameter_invalid');
  const asset = assetOf(currency);
  const method = networkOf(kucoinChain, asset, chain === 'bech32' ? 'btc' : chain);
  const sent = { asset, method, address, tag, amount, amountIs };
  return { withdrawalId: requestWithdrawal(call, { ...sent, reference, isUnique: false }) };
}

const bookOf = ({ exchange, account }: Call) => exchange.book(account);
type Listed = Deposit | Withdrawal;
const PENDING = 'WALLET_PROCESSING';
const states = { Initial: 'PROCESSING', Pending: PENDING, Settled: PENDING, Success: 'SUCCESS', Failure: 'FAILURE' };

function transfer(one: Listed, createdAt: number): Record<string, unknown> {
  const { code: currency } = assetById(one.asset);
  const chain = kucoinChain(currency, one.network) ?? one.network;
  return {
    currency,
    chain,
    address: one.address,
    memo: one.memo ?? '',
    isInner: false,
    amount: one.amount,
    walletTxId: one.txid,
    createdAt,
    updatedAt: createdAt,
    status: states[one.status],
  };
}

const sent = (one: Withdrawal) => ({
  ...transfer(one, one.requestedAt),
  id: one.refid,
  fee: one.fee,
  remark: one.clientId ?? '',
});
const received = (one: Deposit) => ({
  ...transfer(one, one.receivedAt),
  fee: '0',
  remark: 'Deposit',
  walletTxId: `${one.txid}@${one.refid}`,
  status: one.status === 'Settled' ? 'PROCESSING' : states.Success,
});

/** A page of records of a period. The documentation does not say whether a period contains its ends; here it does. */
function listed<T extends Listed>(history: History<T>, { params }: Call, show: (one: T) => object): unknown {
  const { startAt = '-Infinity', endAt = 'Infinity', currency: asset, currentPage = '1', pageSize = '50' } = params;
  const all = new FoundRecords(history, { since: Number(startAt), until: Number(endAt), asset });
  const [page, size] = [Number(currentPage), Number(pageSize)];
  // KuCoin: "Minimum is 10, maximum is 500."
  if (size < 10) throw new Refusal('parameter_invalid');
  const items = all.part({ from: (page - 1) * size, limit: size, max: 500 }).map(show);
  const totalNum = all.count();
  return { currentPage: page, pageSize: size, totalNum, totalPage: Math.ceil(totalNum / size), items };
}

/**
 * Docs: account-info/withdrawals/get-withdrawal-history. The field `id` is only in the older documentation,
 * github.com/Kucoin/kucoin-api-docs.
 */
export const withdrawals = (call: Call): unknown => listed(bookOf(call).withdrawals, call, sent);

/** Docs: account-info/withdrawals/get-withdrawal-history-by-id. */
export function withdrawalById(call: Call): unknown {
  const found = bookOf(call).withdrawals.get(call.params['withdrawalId'] ?? '');
  if (found === undefined) throw new Refusal('parameter_invalid');
  const { chain: chainId, ...one } = sent(found) as Record<string, unknown>;
  return { ...one, chainId, cancelType: 'NON_CANCELABLE', returnStatus: 'NOT_RETURN' };
}

/** Docs: account-info/deposit/get-deposit-history. Records of deposits have no id. */
export const deposits = (call: Call): unknown => listed(bookOf(call).deposits, call, received);

/** Docs: spot-trading/orders/add-order. The sandbox refuses market orders with `funds` (quote asset) and no `size`. */
export function placeOrder(call: Call): unknown {
  const { clientOid = '', symbol, side = '', type = '', size: volume = '', price = '' } = call.params;
  if (!CLIENT_OID.test(clientOid)) throw new Refusal('parameter_invalid');
  const order = { market: kucoinMarkets.find(symbol), side, type, volume, price, clientOrderId: clientOid };
  return { orderId: placeSpotOrder(call, { ...order, uniqueAmong: 'all' }), clientOid };
}

/** Docs: spot-trading/orders/get-order-by-orderid and get-order-by-clientoid */
export function order(call: Call): unknown {
  const { symbol = '', orderId: id, clientOid: clientOrderId } = call.params;
  const ids = { symbol, id, clientOrderId, forgottenAfterMs: FORGOTTEN_AFTER_MS };
  const found = findSpotOrder(call, { markets: kucoinMarkets, ...ids });
  const active = found.closedAt === null;
  return {
    id: found.id,
    clientOid: found.clientOrderId ?? '',
    symbol,
    opType: 'DEAL',
    side: found.side,
    type: found.type,
    price: found.limitPrice ?? '0',
    size: found.volume,
    dealSize: found.executedVolume,
    dealFunds: found.cost,
    fee: found.fee,
    feeCurrency: found.quote,
    timeInForce: found.timeInForce,
    active,
    inOrderBook: active,
    cancelExist: !active && found.status !== 'closed',
    tradeType: 'TRADE',
    createdAt: found.openedAt,
    lastUpdatedAt: found.closedAt ?? found.openedAt,
  };
}
