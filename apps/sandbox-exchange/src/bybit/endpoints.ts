import { Amount } from '#money';
import { assetById } from '../catalogue.js';
import type { Call } from '../kraken/handler.js';
import type { Deposit, Withdrawal } from '../ledger/records.js';
import { heldAssets, numberOf } from '../rest/account.js';
import { assetOf, namedChains, networkOf, networksByAsset, shownAddresses } from '../rest/networks.js';
import { findSpotOrder, placeSpotOrder } from '../rest/orders.js';
import { Refusal } from '../rest/refusal.js';
import { partOf, periodOf, requestWithdrawal, FoundRecords, type Part } from '../rest/transfers.js';
import { bybitMarkets } from '../tickers/bybit-instruments.js';

/** Sources: the pages of bybit-exchange.github.io/docs/v5 (July 2026). */

/**
 * For each network, Bybit's `chain`; ccxt 4.5.84 lists the names (`bybit.options.networks`). The sandbox lists no other
 * network for Bybit. It lists BTC on Ethereum (kBTC), because real exchanges list wrapped coins under the name of the
 * coin.
 */
export const bybitChain = namedChains({
  Bitcoin: 'BTC',
  Ethereum: 'ETH',
  'Ethereum (kBTC)': 'ETH',
  'Ethereum Classic': 'ETC',
  'Arbitrum One': 'ARBI',
  Optimism: 'OP',
  Base: 'BASE',
  Polygon: 'MATIC',
  'BNB Smart Chain': 'BSC',
  'Avalanche C-Chain': 'CAVAX',
  'zkSync Era': 'ZKV2',
  Solana: 'SOL',
  Tron: 'TRX',
  Litecoin: 'LTC',
  'Bitcoin Cash': 'BCH',
  Dogecoin: 'DOGE',
  Ripple: 'XRP',
  Stellar: 'XLM',
  Hedera: 'HBAR',
  Stacks: 'STX',
  Cosmos: 'ATOM',
  'The Open Network': 'TON',
  Cardano: 'ADA',
  Polkadot: 'DOT',
  Algorand: 'ALGO',
  NEAR: 'NEAR',
  Tezos: 'XTZ',
  Sui: 'SUI',
  Aptos: 'APTOS',
  Filecoin: 'FIL',
});
const DAY_MS = 24 * 60 * 60 * 1000;
const PERIOD_MAX_MS = 30 * DAY_MS;
/** Docs: asset/withdraw/withdraw: "you can only withdraw once every 10 seconds per chain/coin combination". */
const WITHDRAWAL_EVERY_MS = 10_000;
const REQUEST_ID = /^[0-9A-Za-z]{0,32}$/;
const ORDER_LINK_ID = /^[\w-]{0,36}$/;

/** `kycRegion` of some countries that the control API can set; others have that of the documented sample. */
const COUNTRIES: Readonly<Record<string, string>> = { AE: 'ARE', DE: 'DEU', IN: 'IND', KR: 'KOR', TR: 'TUR' };

const isoTime = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`;

/** Docs: user/apikey-info. `readOnly` is 1 for a key that may neither trade nor withdraw. */
export function keyInfo({ exchange, account, key }: Call): unknown {
  const { permissions, ipAllowlist: ips, createdAt, validUntil = 0 } = key;
  const Spot = permissions.includes('modify-trades') ? ['SpotTrade'] : [];
  const Wallet = permissions.includes('withdraw-funds') ? ['Withdraw'] : [];
  const readOnly = Spot.length + Wallet.length === 0 ? 1 : 0;
  return {
    id: String(numberOf(key.apiKey)),
    secret: '',
    type: 1,
    deadlineDay: -2,
    uta: 0,
    isMaster: true,
    kycLevel: 'LEVEL_1',
    kycRegion: COUNTRIES[exchange.oauth.identities.get(account.id)?.country ?? ''] ?? 'MYS',
    userID: numberOf(account.id),
    note: key.name ?? '',
    apiKey: key.apiKey,
    readOnly,
    permissions: { Spot, Wallet },
    ips: ips.length === 0 ? ['*'] : ips,
    expiredAt: isoTime(validUntil),
    createdAt: isoTime(createdAt),
  };
}

/** Docs: asset/balance/all-balance. All money is in the funding account, and orders use it, too. */
export function balances(call: Call): unknown {
  const { accountType } = call.params;
  const balance = heldAssets(call).map(({ code: coin, total, free }) => ({
    coin,
    walletBalance: total,
    transferBalance: free,
    bonus: '',
  }));
  return { memberId: call.account.id, accountType, balance: accountType === 'FUND' ? balance : [] };
}

/** Docs: account/wallet-balance. The unified account is always empty: all money is in the funding account. */
export const unifiedBalance = (): unknown => ({ list: [{ accountType: 'UNIFIED', coin: [] }] });

/** Docs: asset/coin-info. */
export function coins({ exchange, params: { coin } }: Call): unknown {
  const rows = networksByAsset(exchange, bybitChain, coin?.split(',')).map(([name, networks]) => {
    const chains = networks.map((one) => ({
      chain: one.chain,
      chainType: one.network,
      confirmation: '6',
      safeConfirmNumber: '65',
      withdrawFee: one.fee,
      withdrawPercentageFee: '0',
      withdrawMin: one.minimum,
      withdrawMax: one.maximum,
      depositMin: one.minDeposit,
      minAccuracy: String(one.asset.decimals),
      contractAddress: one.contract,
      chainDeposit: one.canDeposit ? '1' : '0',
      chainWithdraw: one.canWithdraw ? '1' : '0',
    }));
    return { name, coin: name, remainAmount: '', chains };
  });
  return { rows };
}

/** Docs: asset/deposit/master-deposit-addr. `contractAddress`: "Only display last 6 characters" */
export function depositAddresses(call: Call): unknown {
  const { coin, chainType } = call.params;
  const shown = shownAddresses(call, bybitChain, assetOf(coin)).filter(
    ({ chain, isLatest }) => isLatest && [undefined, chain].includes(chainType),
  );
  const chains = shown.map(({ chain, network, contract, address, memo }) => ({
    chainType: network,
    chain,
    addressDeposit: address,
    tagDeposit: memo ?? '',
    batchReleaseLimit: '-1',
    contractAddress: contract.slice(-6),
  }));
  return { coin, chains };
}

/**
 * A page that starts at the cursor. As in the documented samples, the last page has a next cursor, too; only an empty
 * page has none.
 */
function pageOf<T>(read: (part: Part) => T[], { cursor = '0', limit = '50' }: Call['params'], max = 50) {
  const rows = read({ from: Number(cursor), limit: Number(limit), max });
  return { rows, nextPageCursor: rows.length === 0 ? '' : String(Number(cursor) + rows.length) };
}

/** Docs: asset/withdraw/withdraw-address. */
export function savedAddresses({ exchange, account, params }: Call): unknown {
  const saved = [...exchange.book(account).savedAddresses.values()].flatMap((one) => {
    const { code: coin } = assetById(one.asset);
    const chain = bybitChain(coin, one.network);
    if (chain === null || ![undefined, chain].includes(params['chain'])) return [];
    const status = one.verified ? 0 : 1;
    return [
      {
        coin,
        chain,
        address: one.address,
        tag: one.memo ?? '',
        remark: one.key,
        status,
        addressType: 0,
        verified: 0,
        createdAt: '1760951195',
      },
    ];
  });
  return pageOf((part) => partOf(saved, part), params);
}

/** Docs: asset/withdraw/withdraw. With `feeType` 1 the fee is deducted from the amount. */
export function withdrawal(call: Call): unknown {
  const { coin, chain = '', address = '', tag = '', amount = '', ...more } = call.params;
  const { timestamp = '', forceChain, accountType, feeType = '0', requestId = '' } = more;
  const asset = assetOf(coin);
  const isKnown = forceChain === '1' && accountType === 'FUND' && ['0', '1'].includes(feeType);
  const isNamed = REQUEST_ID.test(requestId) && /^\d{13}$/.test(timestamp);
  if (!isKnown || !isNamed) throw new Refusal('parameter_invalid');
  const method = networkOf(bybitChain, asset, chain);
  const sent = { asset, method, address, tag, amount, amountIs: feeType === '0' ? 'net' : 'gross' } as const;
  const rules = { isUnique: true, everyMs: WITHDRAWAL_EVERY_MS };
  return { id: requestWithdrawal(call, { ...sent, reference: requestId, ...rules }) };
}

function transfer({ asset, network, amount, address, memo, txid }: Deposit | Withdrawal): object {
  const coin = assetById(asset).code;
  const to = { toAddress: address, tag: memo ?? '', txID: txid ?? '' };
  return { coin, chain: bybitChain(coin, network) ?? network, amount, ...to };
}

/** Docs: asset/withdraw/withdraw-record. Records do not have the `requestId`. */
export function withdrawals(call: Call): unknown {
  const { coin: asset, withdrawID, startTime, endTime } = call.params;
  const states = { Initial: 'SecurityCheck', Pending: 'Pending', Settled: 'BlockchainConfirmed', Success: 'success' };
  const period = periodOf(call, startTime, endTime, PERIOD_MAX_MS);
  const fields = { refid: withdrawID };
  const found = new FoundRecords(call.exchange.book(call.account).withdrawals, { ...period, asset, fields });
  const { rows: records, ...more } = pageOf((part) => found.part(part), call.params);
  const rows = records.map((one) => ({
    ...transfer(one),
    withdrawId: one.refid,
    withdrawFee: one.fee,
    withdrawType: 0,
    createTime: String(one.requestedAt),
    updateTime: String(one.requestedAt),
    status: one.canceled ? 'CancelByUser' : { ...states, Failure: 'Fail' }[one.status],
  }));
  return { rows, ...more };
}

/**
 * Docs: asset/deposit/deposit-record: "the query logic is actually effective based on second level". So the period is
 * extended to whole seconds.
 */
export function deposits(call: Call): unknown {
  const { coin: asset, id, startTime, endTime } = call.params;
  const { since, until } = periodOf(call, startTime, endTime, PERIOD_MAX_MS);
  const seconds = { since: Math.floor(since / 1000) * 1000, until: Math.floor(until / 1000) * 1000 + 999 };
  const found = new FoundRecords(call.exchange.book(call.account).deposits, {
    ...seconds,
    asset,
    fields: { refid: id },
  });
  const { rows: records, ...more } = pageOf((part) => found.part(part), call.params);
  const rows = records.map((one) => ({
    ...transfer(one),
    id: one.refid,
    depositFee: '',
    depositType: '0',
    successAt: String(one.receivedAt),
    status: { Settled: 2, Success: 3, Failure: 4 }[one.status],
  }));
  return { rows, ...more };
}

/**
 * Docs: asset/fund-history, without a period: "defaults to the last 7 days". All money is in the funding account, so
 * trades are listed, too. The names of the types are our choice, because Bybit lists none.
 */
export function fundingHistory({ exchange, account, params, now }: Call): unknown {
  const { entries } = exchange.book(account);
  const period = { since: now.getTime() - 7 * DAY_MS, until: Infinity, asset: undefined };
  const found = new FoundRecords(entries, period);
  const { rows, nextPageCursor } = pageOf((part) => found.part(part), { limit: '10', ...params }, 100);
  const list = rows.map(({ id, type, time, balance: afterAmt, ...entry }) => {
    const change = Amount.of(entry.amount).minus(Amount.of(entry.fee));
    return {
      memberId: String(numberOf(account.id)),
      currency: assetById(entry.asset).code,
      afterAmt,
      ioDirection: change.isNegative() ? 'O' : 'I',
      txnAmt: change.abs().toString(),
      currcCursor: id,
      createTime: String(Math.floor(time / 1000)),
      showBusiType: type,
      showBusiTypeEn: type,
      description: type,
      descriptionEn: type,
    };
  });
  return { list, nextPageCursor };
}

/**
 * Docs: order/create-order. By default, the size of a market order to buy is in the quote asset; the sandbox refuses
 * such orders. Docs: market/instrument: "no longer check minOrderQty, check minOrderAmt instead".
 */
export function placeOrder(call: Call): unknown {
  const { category, symbol, isLeverage = '0', side = '', orderType = '', qty = '', price = '', ...more } = call.params;
  const { marketUnit = orderType === 'Market' && side === 'Buy' ? 'quoteCoin' : 'baseCoin', orderLinkId = '' } = more;
  const isOffered = category === 'spot' && isLeverage === '0' && marketUnit === 'baseCoin';
  if (!isOffered || !ORDER_LINK_ID.test(orderLinkId)) throw new Refusal('parameter_invalid');
  const [type, way] = [orderType.toLowerCase(), side.toLowerCase()];
  const order = { market: bybitMarkets.find(symbol), side: way, type, volume: qty, price, clientOrderId: orderLinkId };
  return { orderId: placeSpotOrder(call, { ...order, uniqueAmong: 'all', hasMinimum: false }), orderLinkId };
}

/**
 * Docs: order/open-order and order/order-list. The sandbox's list of open orders never contains ended orders. Bybit's
 * own list may, except "After a server release or restart": then "filled, cancelled, and rejected orders" of an account
 * "should only be queried through order history".
 */
export const ordersThat = (are: 'open' | 'ended') => (call: Call) => {
  const { category, symbol, orderId: id, orderLinkId: clientOrderId } = call.params;
  const sought = { markets: bybitMarkets, symbol, id, clientOrderId, forgottenAfterMs: DAY_MS };
  const { isUntraded, side, type, ...order } = findSpotOrder(call, sought);
  if ((order.closedAt === null) !== (are === 'open')) throw new Refusal('order_unknown');
  const canceled = isUntraded ? 'Cancelled' : 'PartiallyFilledCanceled';
  const states = { pending: 'New', open: isUntraded ? 'New' : 'PartiallyFilled', closed: 'Filled' };
  const shown = {
    orderId: order.id,
    orderLinkId: order.clientOrderId ?? '',
    symbol: order.symbol,
    qty: order.volume,
    side: side === 'buy' ? 'Buy' : 'Sell',
    orderType: type === 'limit' ? 'Limit' : 'Market',
    orderStatus: { ...states, canceled, expired: canceled }[order.status],
    price: order.limitPrice ?? '0',
    avgPrice: isUntraded ? '' : order.averagePrice,
    isLeverage: '0',
    cumExecQty: order.executedVolume,
    cumExecValue: order.cost,
    timeInForce: order.timeInForce,
    cumFeeDetail: isUntraded ? {} : { [order.quote]: order.fee },
    createdTime: String(order.openedAt),
    updatedTime: String(order.closedAt ?? order.openedAt),
  };
  return { category, list: [shown], nextPageCursor: '' };
};
