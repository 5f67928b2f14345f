import { z } from 'zod';
import type { Account } from '../../capabilities/account-balances.js';
import { fieldOf } from '../../capabilities/entry-fields.js';
import { envelope, errorReader, idIn } from '../../capabilities/envelope.js';
import { addressForm } from '../../capabilities/listed-deposits.js';
import { entriesByNetwork, networkReader } from '../../capabilities/network-form.js';
import type { ListedNetwork } from '../../capabilities/network-list.js';
import { orderReader } from '../../capabilities/order-form.js';
import {
  UNREPORTED,
  amount,
  codeText,
  commaList,
  decimalPlaces,
  listOf,
  milliseconds,
  name,
  optionalAmount,
  optionalSeconds,
  optionalText,
  type CodeOf,
} from '../../capabilities/response-fields.js';
import { pairForm } from '../../capabilities/pair-form.js';
import { transferReader } from '../../capabilities/transfer-form.js';
import type { EntryPage } from '../../capabilities/transfer-pages.js';
import { idOfParts } from '../../capabilities/transfer-record.js';
import { BOTH, NONE, type PairListing } from '../../declaration/pair-source.js';
import type { KeyInfo } from '../../port/exchange.port.js';

/** The fields that we read of www.kucoin.com/docs-new/rest. The rest of each page's address is beside its form. */

const SUCCESS = '200000';
const success = envelope({ code: 'code', success: SUCCESS, data: 'data' });
const list = success(z.array(z.unknown()));

/** Errors come with any HTTP status: "If the returned HTTP status code is 200, whereas the operation failed …" */
export const readErrors = errorReader({ code: 'code', message: 'msg', success: SUCCESS });

/** account-info/account-funding/get-apikey-info. `ipWhitelist` is absent for keys without one. */
const keyInfo = success(z.object({ permission: commaList, ipWhitelist: commaList, createdAt: optionalSeconds }));
export function readKeyInfo(body: unknown): KeyInfo {
  const { permission: permissions, ipWhitelist: ipAllowlist, createdAt: createdTime } = keyInfo.parse(body);
  return { ...UNREPORTED, permissions, ipAllowlist, createdTime };
}

/** The account that pays withdrawals: "You can’t withdraw funds directly from a trade account." */
const PAYING_ACCOUNT = 'main';

/** account-info/account-funding/get-account-list-spot: one entry for each account and asset. */
export function readAccounts(body: unknown, codeOf: CodeOf): Account[] {
  const entry = z.object({ currency: name, type: name, available: amount, holds: amount });
  const entries = success(z.array(entry)).parse(body);
  return [...new Set(entries.map(({ type }) => type))].map((account) => ({
    name: account,
    paysWithdrawals: account === PAYING_ACCOUNT,
    balances: entries
      .filter(({ type }) => type === account)
      .map(({ currency, available, holds }) => ({ asset: codeOf(currency), free: available, used: holds })),
  }));
}

/**
 * Our network ids by KuCoin's `chainId`. Other ids are left out. The ids are those of the table in ccxt 4.5.84
 * (`kucoin.options.networks`), and `btcln` of the documented list:
 * www.kucoin.com/docs-new/rest/spot-trading/market-data/get-all-currencies
 */
const byChainId: Readonly<Record<string, string>> = {
  ...{ btc: 'bitcoin', btcln: 'lightning', eth: 'ethereum', etc: 'ethereumclassic' },
  ...{ arbitrum: 'arbitrum', optimism: 'optimism', base: 'base', matic: 'polygon', bsc: 'bsc', avaxc: 'avalanche' },
  ...{ sol: 'solana', trx: 'tron', ltc: 'litecoin', bch: 'bitcoincash', doge: 'dogecoin', zec: 'zcash' },
  ...{ xmr: 'monero', xrp: 'ripple', xlm: 'stellar', hbar: 'hedera', stx: 'stacks', atom: 'cosmos', ton: 'ton' },
  ...{ ada: 'cardano', dot: 'polkadot', ksm: 'kusama', algo: 'algorand', near: 'near', xtz: 'tezos' },
  ...{ aptos: 'aptos', fil: 'filecoin' },
};

/** The entries of spot-trading/market-data/get-all-currencies, one for each asset and chain. */
export const chainsOf = (body: unknown): unknown[] =>
  entriesByNetwork(list.parse(body), 'chains', ['currency', 'name', 'precision']);

/** KuCoin lists Bitcoin twice: `btc`, and `bech32` for addresses of the form bc1. Only `btc` is offered. */
const networkOf = networkReader(byChainId, {
  ...{ asset: 'currency', network: 'chainId', displayName: 'chainName', contract: 'contractAddress' },
  ...{ canDeposit: 'isDepositEnabled', minDeposit: 'depositMinSize' },
  withdrawals: {
    ...{ isOpen: 'isWithdrawEnabled', min: 'withdrawalMinSize', max: 'maxWithdraw', needsTag: 'needTag' },
    // Recorded lists (ccxt, JKorf/Kucoin.Net) have chains without a precision of their own.
    decimals: z
      .object({ withdrawPrecision: decimalPlaces.nullish(), precision: decimalPlaces })
      .transform((one) => one.withdrawPrecision ?? one.precision),
    // With a rate, the minimum is not the fee, and the documentation does not state how a rate is rounded.
    fee: z
      .object({ withdrawalMinFee: amount, withdrawFeeRate: optionalAmount })
      .transform((one) => (one.withdrawFeeRate?.isZero() === true ? one.withdrawalMinFee : null)),
  },
});

/** A network of the list. @throws when the entry is unreadable */
export function readNetwork(entry: unknown, codeOf: CodeOf): ListedNetwork {
  const listed = z.object({ currency: name, name }).parse(entry);
  const network = networkOf(entry, codeOf);
  // "when the name of a coin is changed, you should use currency to get the coin": then our code may mean another coin.
  const isRenamed = listed.name !== listed.currency && listed.name !== network.asset;
  return isRenamed ? { ...network, networkId: null } : network;
}

/** account-info/deposit/get-deposit-address-v3 and add-deposit-address-v3 */
const depositAddress = addressForm({ network: 'chainId', address: 'address', tag: 'memo' });
export const readAddresses = (body: unknown) => success(listOf(depositAddress)).parse(body);
export const readAddress = (body: unknown) => success(depositAddress).parse(body);

/** account-info/withdrawals/withdraw-v3: the id of the accepted withdrawal. */
export const readWithdrawalId = idIn(success(fieldOf('withdrawalId', codeText)));

/** A page of account-info/withdrawals/get-withdrawal-history or account-info/deposit/get-deposit-history */
export function readPage(body: unknown): EntryPage {
  const count = z.coerce.number().int().nonnegative();
  const page = success(z.object({ items: listOf(z.unknown()), currentPage: count, totalPage: count }));
  const { items, currentPage, totalPage } = page.parse(body);
  return { entries: items, nextCursor: currentPage < totalPage ? String(currentPage + 1) : null };
}

/** account-info/withdrawals/get-withdrawal-history-by-id */
export const readOne = (body: unknown): unknown => success(z.unknown()).parse(body);

const idParts = z.object({
  ...{ id: optionalText, currency: name, walletTxId: optionalText, address: optionalText, memo: optionalText },
  ...{ amount, createdAt: milliseconds },
});
const idOf = ({ id, currency, walletTxId, address, memo, amount: sum, createdAt }: z.infer<typeof idParts>): string =>
  id ?? idOfParts(currency, walletTxId, address, memo, sum, createdAt.getTime());

const transfer = {
  ...{ status: 'status', asset: 'currency', amount: 'amount', address: 'address', tag: 'memo', at: 'createdAt' },
  // REVIEW, PROCESSING and WALLET_PROCESSING are not final.
  finals: { SUCCESS: 'completed', FAILURE: 'failed' },
  // The list has `chain`, the single record `chainId`.
  network: z.object({ chain: optionalText, chainId: optionalText }).transform((one) => one.chain ?? one.chainId),
  // "2C24A6D5…AD83B@e8902757998fc352e6c9d8890d18a71c": what follows the sign is KuCoin's own.
  hash: fieldOf('walletTxId', optionalText).transform((hash) => hash?.split('@')[0] ?? null),
} as const;

/**
 * The records of the histories. Deposits have no id, and transfers to other users of KuCoin (`isInner`) have none in the
 * samples of withdrawals. The documentation does not say whether the amount of a deposit contains its fee.
 */
export const readTransfer = transferReader(
  { ...byChainId, bech32: 'bitcoin' },
  {
    withdrawal: {
      ...{ ...transfer, fee: 'fee', clientRef: 'remark' },
      exchangeId: z.union([fieldOf('id', name), idParts.extend({ isInner: z.literal(true) }).transform(idOf)]),
    },
    deposit: { ...transfer, exchangeId: idParts.transform(idOf) },
  },
);

/** spot-trading/orders/add-order */
export const readOrderId = idIn(success(fieldOf('orderId', codeText)));

/** "Canceled or fully filled orders are marked as completed Done status." */
const status = z
  .object({ active: z.boolean(), cancelExist: z.boolean(), size: amount, dealSize: amount })
  .transform(({ active, cancelExist, size, dealSize }) => {
    if (active) return 'active';
    if (dealSize.equals(size)) return 'filled';
    return cancelExist ? 'canceled' : 'done';
  });

/** spot-trading/orders/get-order-by-clientoid and get-order-by-orderid */
const orderOf = orderReader({
  ...{ exchangeId: 'id', clientOrderId: 'clientOid', pair: 'symbol', side: 'side', type: 'type', volume: 'size' },
  ...{ status, statuses: { active: 'open', filled: 'filled', canceled: 'canceled' } },
  ...{ executedVolume: 'dealSize', cost: 'dealFunds', fee: 'fee', feeAsset: 'feeCurrency' },
  ...{ openedAt: 'createdAt', changedAt: 'lastUpdatedAt' },
});
export const readOrder = (body: unknown, codeOf: CodeOf) => orderOf(readOne(body), codeOf);

const state = fieldOf('enableTrading', z.boolean());

/**
 * spot-trading/market-data/get-all-symbols. The list has a boolean instead of a status. Fees depend on the account, so
 * the list contains none.
 */
export const kucoinPairs: PairListing = {
  path: '/api/v2/symbols',
  list: (body) => list.parse(body),
  pair: pairForm({
    ...{ base: 'baseCurrency', quote: 'quoteCurrency', symbol: 'symbol', margin: 'isMarginEnabled' },
    status: state.transform((isOpen) => (isOpen ? 'enabled' : 'disabled')),
    orderTypes: state.transform((isOpen) => (isOpen ? BOTH : NONE)),
    ...{ tickSize: 'priceIncrement', stepSize: 'baseIncrement', minBaseQty: 'baseMinSize', minCost: 'minFunds' },
  }),
};
