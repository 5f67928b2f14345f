import { Amount } from '#money';
import { assetById, type FundingMethod } from '../catalogue.js';
import type { Call } from '../kraken/handler.js';
import type { Deposit, Withdrawal } from '../ledger/records.js';
import { heldAssets, permissionsOf } from '../rest/account.js';
import { assetOf, listedNetworks, networkOf, shownAddresses, type ChainName } from '../rest/networks.js';
import { findSpotOrder, placeSpotOrder } from '../rest/orders.js';
import { Refusal } from '../rest/refusal.js';
import { requestWithdrawal, FoundRecords } from '../rest/transfers.js';
import { okxMarkets } from '../tickers/okx-instruments.js';

/** Sources: the anchors in www.okx.com/docs-v5/en (January 2026). */

/**
 * The networks that OKX names differently from the sandbox's ledger, with OKX's names; ccxt 4.5.84 lists the names
 * (`okx.options.networks`).
 */
const chains: Readonly<Record<string, string>> = {
  Tron: 'TRC20',
  'Bitcoin Cash': 'BitcoinCash',
  'BNB Smart Chain': 'BSC',
  Stellar: 'Stellar Lumens',
  Sui: 'SUI',
  Stacks: 'l-Stacks',
  Injective: 'INJ',
  Sei: 'SEI',
  'The Open Network': 'TON',
  'Ethereum (kBTC)': 'ERC20',
  'Polygon (USDC.e)': 'Polygon (Bridged)',
  'Optimism (USDC.e)': 'Optimism (Bridged)',
};
const PAGE_MAX = 100;
const CLIENT_ID = /^[0-9A-Za-z]{0,32}$/;
/** OKX: "The incomplete orders that have been canceled are only reserved for 2 hours." */
const FORGOTTEN_AFTER_MS = 2 * 60 * 60 * 1000;

export const okxChain = ((code, network) =>
  `${code}-${network === 'Ethereum' && code !== 'ETH' ? 'ERC20' : (chains[network] ?? network)}`) satisfies ChainName;

/** The name of the field for the tag depends on the network. */
function tagFields(network: string, memo: string | null | undefined): object {
  if (memo === null || memo === undefined) return {};
  return network === 'The Open Network'
    ? { addrEx: { comment: memo } }
    : { [network === 'Ripple' ? 'tag' : 'memo']: memo };
}

/** Docs: #trading-account-rest-api-get-account-configuration. `feeType` 1: fees are in the quote currency. */
export function accountConfig({ account, key }: Call): unknown {
  const perm = permissionsOf(key, { read: 'read_only', withdraw: 'withdraw', trade: 'trade' }).join(',');
  const ids = { uid: account.id, mainUid: account.id, label: account.name };
  return [{ ...ids, acctLv: '1', feeType: '1', perm, ip: key.ipAllowlist.join(',') }];
}

/** Docs: #funding-account-rest-api-get-balance. All money is in the funding account, and orders use it, too. */
export const balances = (call: Call): unknown =>
  heldAssets(call).map(({ code, total, free, held }) => ({ ccy: code, bal: total, availBal: free, frozenBal: held }));

/** Docs: #trading-account-rest-api-get-balance. Always empty, because all money is in the funding account. */
export const tradingBalances = (): unknown => [{ details: [] }];

/** Docs: #funding-account-rest-api-get-currencies. `ctAddr`: "Last 6 digits of contract address" */
export function currencies({ exchange, params: { ccy } }: Call): unknown {
  return listedNetworks(exchange, okxChain, ccy?.split(',')).map((one) => ({
    ccy: one.assetCode,
    name: one.assetCode,
    chain: one.chain,
    needTag: one.memo !== null,
    ctAddr: one.contract.slice(-6),
    canInternal: false,
    burningFeeRate: '',
    canWd: one.canWithdraw,
    minWd: one.minimum,
    maxWd: one.maximum,
    fee: one.fee,
    wdTickSz: String(one.asset.decimals),
    canDep: one.canDeposit,
    minDep: one.minDeposit,
    mainNet: one.contract === '',
    minInternal: one.minimum,
    minFee: one.fee,
    maxFee: one.fee,
    minDepArrivalConfirm: '1',
    minWdUnlockConfirm: '2',
    wdQuota: '10000000',
    usedWdQuota: '0',
    depQuotaFixed: '',
    usedDepQuotaFixed: '',
    depQuoteDailyLayer2: '',
    depEstOpenTime: '',
    wdEstOpenTime: '',
  }));
}

/** Docs: #funding-account-rest-api-get-deposit-address. Invoices of Lightning have a separate endpoint. */
export function depositAddresses(call: Call): unknown {
  const asset = assetOf(call.params['ccy']);
  return shownAddresses(call, okxChain, asset).map(({ chain, network, contract, address, memo, isLatest }) => ({
    ccy: asset.code,
    chain,
    to: '6',
    ctAddr: contract.slice(-6),
    addr: address,
    selected: isLatest,
    verifiedName: '',
    ...tagFields(network, memo),
  }));
}

/** Reads `toAddr`, which OKX documents as a verified address. An invoice of Lightning is none. */
function destinationOf(toAddr: string, method: FundingMethod | undefined): { address: string; tag: string | null } {
  if (method?.network === 'Lightning') throw new Refusal('address_not_saved');
  const [address = '', tag = null] = (method?.memo ?? null) === null ? [toAddr] : toAddr.split(/:(.*)/s, 2);
  return { address, tag };
}

/** Docs: #funding-account-rest-api-withdrawal: "Withdrawal fee is not included in withdrawal amount." */
export function withdrawal(call: Call): unknown {
  const { ccy, amt = '', dest, toAddr = '', clientId = '', ...more } = call.params;
  const asset = assetOf(ccy);
  if (dest !== '4' || !CLIENT_ID.test(clientId)) throw new Refusal('parameter_invalid');
  // OKX: "If the parameter is not filled in, the default will be the main chain."
  const main = listedNetworks(call.exchange, okxChain, [asset.code])[0]?.chain ?? '';
  const { chain = main } = more;
  const method = networkOf(okxChain, asset, chain);
  const sent = {
    asset,
    method,
    ...destinationOf(toAddr, method),
    amount: amt,
    amountIs: 'net',
    reference: clientId,
  } as const;
  return [{ amt, wdId: requestWithdrawal(call, { ...sent, isUnique: true }), ccy, clientId, chain }];
}

/** The bounds `after` and `before` are exclusive. */
function periodOf({ after, before, limit, ccy }: Record<string, string>) {
  return {
    since: before === undefined ? -Infinity : Number(before) + 1,
    until: after === undefined ? Infinity : Number(after) - 1,
    limit: Math.min(Number(limit ?? PAGE_MAX), PAGE_MAX),
    asset: ccy,
  };
}

/**
 * Docs: #funding-account-rest-api-asset-bills-details. All money is in the funding account, so trades are bills, too;
 * their types are our choice.
 */
export function fundingBills({ exchange, account, params }: Call): unknown {
  const book = exchange.book(account);
  const types = { deposit: ['1', '1'], withdrawal: ['13', '2'], trade: ['272', '273'], transfer: ['130', '131'] };
  const { limit, ...query } = periodOf(params);
  return new FoundRecords(book.entries, query)
    .part({ from: 0, limit, max: PAGE_MAX })
    .map(({ id, type, refid, time, balance: bal, ...entry }) => {
      const change = Amount.of(entry.amount).minus(Amount.of(entry.fee));
      const [gain, loss] = types[type];
      return {
        billId: id,
        ccy: assetById(entry.asset).code,
        clientId: book.withdrawals.get(refid)?.clientId ?? '',
        notes: '',
        balChg: change.toString(),
        bal,
        type: change.isNegative() ? loss : gain,
        ts: String(time),
      };
    });
}

function transfer({ asset, network, amount, address, memo, txid }: Deposit | Withdrawal, at: number): object {
  const ccy = assetById(asset).code;
  const sent = { amt: amount, from: '', to: address, txId: txid ?? '', ts: String(at) };
  return { ccy, chain: okxChain(ccy, network), ...sent, ...tagFields(network, memo) };
}

/** Docs: #funding-account-rest-api-get-withdrawal-history. */
export function withdrawals({ exchange, account, params }: Call): unknown {
  const { wdId, clientId } = params;
  const states = { Initial: '0', Pending: '1', Settled: '15', Success: '2', Failure: '-1' };
  const { limit, ...query } = periodOf(params);
  const found = new FoundRecords(exchange.book(account).withdrawals, { ...query, fields: { refid: wdId, clientId } });
  return found.part({ from: 0, limit, max: PAGE_MAX }).map((one) => ({
    ...transfer(one, one.requestedAt),
    wdId: one.refid,
    clientId: one.clientId ?? '',
    fee: one.fee,
    feeCcy: assetById(one.asset).code,
    state: one.canceled ? '-2' : states[one.status],
  }));
}

/**
 * Docs: #funding-account-rest-api-get-deposit-history. OKX has no state for a failed deposit, so the sandbox sends 12
 * (a frozen deposit).
 */
export function deposits({ exchange, account, params }: Call): unknown {
  const states = { Settled: '0', Success: '2', Failure: '12' };
  const { limit, ...query } = periodOf(params);
  const found = new FoundRecords(exchange.book(account).deposits, { ...query, fields: { refid: params['depId'] } });
  return found.part({ from: 0, limit, max: PAGE_MAX }).map((one) => ({
    ...transfer(one, one.receivedAt),
    depId: one.refid,
    fromWdId: '',
    actualDepBlkConfirm: '2',
    state: states[one.status],
  }));
}

/** Docs: #order-book-trading-trade-post-place-order. The deadline is in a header: #overview-transaction-timeouts. */
export function placeOrder(call: Call): unknown {
  const { instId, tdMode, side = '', ordType: type = '', sz = '', px = '', clOrdId = '', ...more } = call.params;
  const deadline = Number(more['expTime'] ?? Infinity);
  if (!(deadline > call.receivedAt.getTime())) throw new Refusal('deadline_past');
  if (deadline < call.now.getTime()) throw new Refusal('deadline_elapsed');
  // The size of a market order to buy is in the quote asset by default; the sandbox refuses such orders.
  const sizeIn = more['tgtCcy'] ?? (type === 'market' && side === 'buy' ? 'quote_ccy' : 'base_ccy');
  if (tdMode !== 'cash' || sizeIn !== 'base_ccy' || !CLIENT_ID.test(clOrdId)) throw new Refusal('parameter_invalid');
  const order = { market: okxMarkets.find(instId), side, type, volume: sz, price: px, clientOrderId: clOrdId };
  const ordId = placeSpotOrder(call, order);
  return [{ ordId, clOrdId, tag: '', ts: String(call.now.getTime()), sCode: '0', sMsg: '' }];
}

/** Docs: #order-book-trading-trade-get-order-details. */
export function order(call: Call): unknown {
  const { instId, ordId: sought, clOrdId } = call.params;
  const ids = { symbol: instId, id: sought, clientOrderId: clOrdId, forgottenAfterMs: FORGOTTEN_AFTER_MS };
  const { id: ordId, isUntraded, side, type, volume, ...found } = findSpotOrder(call, { markets: okxMarkets, ...ids });
  const states = { open: isUntraded ? 'live' : 'partially_filled', closed: 'filled', canceled: 'canceled' };
  return [
    {
      instType: 'SPOT',
      instId,
      ordId,
      clOrdId: found.clientOrderId ?? '',
      side,
      ordType: type,
      sz: volume,
      px: found.limitPrice ?? '',
      accFillSz: found.executedVolume,
      avgPx: isUntraded ? '' : found.averagePrice,
      fee: Amount.zero.minus(Amount.of(found.fee)),
      feeCcy: found.quote,
      tdMode: 'cash',
      state: { ...states, pending: 'live', expired: 'canceled' }[found.status],
      cTime: String(found.openedAt),
      uTime: String(found.closedAt ?? found.openedAt),
    },
  ];
}
