import { z } from 'zod';
import { Amount } from '#money';
import type { Account } from '../../capabilities/account-balances.js';
import type { ListedAddress } from '../../capabilities/listed-deposits.js';
import type { ListedNetwork } from '../../capabilities/network-list.js';
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
  optionalMilliseconds,
  optionalText,
  type CodeOf,
} from '../../capabilities/response-fields.js';
import type { EntryPage } from '../../capabilities/transfer-pages.js';
import { transferStatus } from '../../capabilities/status-tables.js';
import { idOfParts, type TransferRecord } from '../../capabilities/transfer-record.js';
import type { HistoryKind, KeyInfo } from '../../port/exchange.port.js';
import type { ExchangeOrder, OrderStatus } from '../../port/trading.port.js';
import type { OrderReceipt } from '../../submission/order-outcome.js';
import type { ReportedError } from '../../transport/error-map.js';
import { lookUp } from '../../declaration/look-up.js';

/** The fields that we read of www.kucoin.com/docs-new/rest. The rest of each page's address is beside its schema. */

const SUCCESS = '200000';
const success = codeText.pipe(z.literal(SUCCESS));

const dataOf = <T>(data: z.ZodType<T>, body: unknown): T => z.object({ code: success, data }).parse(body).data;

/** Errors come with any HTTP status: "If the returned HTTP status code is 200, whereas the operation failed …" */
export function readErrors(body: unknown): ReportedError[] {
  const parsed = z.object({ code: codeText, msg: z.string().catch('') }).safeParse(body);
  if (!parsed.success || parsed.data.code === SUCCESS) return [];
  return [{ code: parsed.data.code, message: parsed.data.msg }];
}

/** account-info/account-funding/get-apikey-info. `ipWhitelist` is absent for keys without one. */
export const readKeyInfo = (body: unknown): KeyInfo => {
  const { permission, ipWhitelist, createdAt } = dataOf(
    z.object({ permission: commaList, ipWhitelist: commaList, createdAt: optionalMilliseconds }),
    body,
  );
  return {
    permissions: permission,
    ipAllowlist: ipWhitelist,
    ...UNREPORTED,
    createdTime: createdAt === null ? null : Math.floor(createdAt.getTime() / 1000),
  };
};

/** The account that pays withdrawals: "You can’t withdraw funds directly from a trade account." */
const PAYING_ACCOUNT = 'main';

/** account-info/account-funding/get-account-list-spot: one entry for each account and asset. */
export function readAccounts(body: unknown, codeOf: CodeOf): Account[] {
  const entry = z.object({ currency: name, type: name, available: amount, holds: amount });
  const entries = dataOf(z.array(entry), body);
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
  ...{ btc: 'bitcoin', bech32: 'bitcoin', btcln: 'lightning', eth: 'ethereum', etc: 'ethereumclassic' },
  ...{ arbitrum: 'arbitrum', optimism: 'optimism', base: 'base', matic: 'polygon', bsc: 'bsc', avaxc: 'avalanche' },
  ...{ sol: 'solana', trx: 'tron', ltc: 'litecoin', bch: 'bitcoincash', doge: 'dogecoin', zec: 'zcash' },
  ...{ xmr: 'monero', xrp: 'ripple', xlm: 'stellar', hbar: 'hedera', stx: 'stacks', atom: 'cosmos', ton: 'ton' },
  ...{ ada: 'cardano', dot: 'polkadot', ksm: 'kusama', algo: 'algorand', near: 'near', xtz: 'tezos' },
  ...{ aptos: 'aptos', fil: 'filecoin' },
};

/** Our id of the chain of a record; null = it is not one of ours. */
function networkIdOf(chainId: string): string | null {
  return lookUp(byChainId, chainId);
}

/**
 * Our id of a chain in the list of currencies. KuCoin lists Bitcoin twice: `btc`, and `bech32` for addresses of the
 * form bc1. Only `btc` is offered, so that one network has one entry.
 */
function listedNetworkId(chainId: string): string | null {
  return chainId === 'bech32' ? null : networkIdOf(chainId);
}

const listedAsset = { currency: name, name, precision: decimalPlaces };

/** The entries of spot-trading/market-data/get-all-currencies, one for each asset and chain. */
export function chainsOf(body: unknown): unknown[] {
  const asset = z.object({ ...listedAsset, chains: z.array(z.unknown()).nullable() });
  return dataOf(z.array(z.unknown()), body).flatMap((entry): unknown[] => {
    const parsed = asset.safeParse(entry);
    // `chains` is null for assets that exist on no chain.
    return parsed.success ? (parsed.data.chains ?? []).map((chain) => ({ asset: parsed.data, chain })) : [entry];
  });
}

const listedChain = z.object({
  asset: z.object(listedAsset),
  chain: z.object({
    chainId: name,
    chainName: name,
    contractAddress: optionalText,
    withdrawalMinSize: optionalAmount,
    maxWithdraw: optionalAmount,
    withdrawalMinFee: amount,
    withdrawFeeRate: optionalAmount,
    withdrawPrecision: decimalPlaces.nullish(),
    isWithdrawEnabled: z.boolean(),
    isDepositEnabled: z.boolean(),
    depositMinSize: optionalAmount,
    needTag: z.boolean().default(false),
  }),
});

/** A network of the list. @throws when the entry is unreadable */
export function readNetwork(entry: unknown, codeOf: CodeOf): ListedNetwork {
  const { asset: listed, chain } = listedChain.parse(entry);
  const asset = codeOf(listed.currency);
  // "when the name of a coin is changed, you should use currency to get the coin": then our code may mean another coin.
  const isRenamed = listed.name !== listed.currency && listed.name !== asset;
  return {
    asset,
    assetId: listed.currency,
    networkId: isRenamed ? null : listedNetworkId(chain.chainId),
    contract: chain.contractAddress,
    exchangeNetworkId: chain.chainId,
    displayName: chain.chainName,
    canWithdraw: chain.isWithdrawEnabled,
    canDeposit: chain.isDepositEnabled,
    // Recorded lists (ccxt, JKorf/Kucoin.Net) have chains without a precision of their own.
    decimals: chain.withdrawPrecision ?? listed.precision,
    minWithdrawal: chain.withdrawalMinSize,
    maxWithdrawal: chain.maxWithdraw,
    // With a rate, the minimum is not the fee, and the documentation does not state how a rate is rounded.
    fee: chain.withdrawFeeRate?.isZero() === true ? chain.withdrawalMinFee : null,
    needsTag: chain.needTag,
    minDeposit: chain.depositMinSize,
  };
}

/** account-info/deposit/get-deposit-address-v3 and add-deposit-address-v3 */
const depositAddress = z
  .object({ chainId: name, address: name, memo: optionalText })
  .transform(({ chainId, address, memo }): ListedAddress => ({ exchangeNetworkId: chainId, address, tag: memo }));
export const readAddresses = (body: unknown): ListedAddress[] => dataOf(listOf(depositAddress), body);
export const readAddress = (body: unknown): ListedAddress => dataOf(depositAddress, body);

/** account-info/withdrawals/withdraw-v3: the id of the accepted withdrawal. */
export function readWithdrawalId(body: unknown): string | null {
  const accepted = z.object({ code: success, data: z.object({ withdrawalId: codeText }) }).safeParse(body);
  return accepted.success ? accepted.data.data.withdrawalId : null;
}

/** A page of account-info/withdrawals/get-withdrawal-history or account-info/deposit/get-deposit-history */
export function readPage(body: unknown): EntryPage {
  const count = z.coerce.number().int().nonnegative();
  const { items, currentPage, totalPage } = dataOf(
    z.object({ items: listOf(z.unknown()), currentPage: count, totalPage: count }),
    body,
  );
  return { entries: items, nextCursor: currentPage < totalPage ? String(currentPage + 1) : null };
}

/** account-info/withdrawals/get-withdrawal-history-by-id */
export const readOne = (body: unknown): unknown => dataOf(z.unknown(), body);

const transfer = z.object({
  currency: name,
  /** The list has `chain`, the single record `chainId`. */
  chain: optionalText,
  chainId: optionalText,
  status: name,
  address: optionalText,
  memo: optionalText,
  amount,
  walletTxId: optionalText,
  fee: optionalAmount,
  remark: optionalText,
  createdAt: milliseconds,
  id: optionalText,
  isInner: z.boolean().nullish(),
});
const withId = z.object({ id: name });

/** REVIEW, PROCESSING and WALLET_PROCESSING are not final. */
const finalStatuses: Readonly<Record<string, TransferRecord['status']>> = { SUCCESS: 'completed', FAILURE: 'failed' };

/** @throws when the entry is unreadable */
export function readTransfer(kind: HistoryKind, entry: unknown, codeOf: CodeOf): TransferRecord {
  const one = transfer.parse(entry);
  const isWithdrawal = kind === 'withdrawal';
  const chainId = one.chain ?? one.chainId;
  // Deposits have no id, and transfers to other users of KuCoin have none in the samples of withdrawals.
  const derivedId = idOfParts(one.currency, one.walletTxId, one.address, one.memo, one.amount, one.createdAt.getTime());
  return {
    exchangeId: isWithdrawal && one.isInner !== true ? withId.parse(entry).id : (one.id ?? derivedId),
    ...transferStatus(finalStatuses, one.status),
    asset: codeOf(one.currency),
    amountNoFee: one.amount,
    // The documentation does not say whether the amount of a deposit contains its fee.
    fee: isWithdrawal ? one.fee : null,
    network: chainId === null ? null : networkIdOf(chainId),
    exchangeNetwork: chainId,
    address: one.address,
    tag: one.memo,
    // "2C24A6D5…AD83B@e8902757998fc352e6c9d8890d18a71c": what follows the sign is KuCoin's own.
    hash: one.walletTxId?.split('@')[0] ?? null,
    at: one.createdAt,
    clientRef: isWithdrawal ? one.remark : null,
  };
}

/** spot-trading/orders/add-order */
export function readOrderReceipt(body: unknown): OrderReceipt | null {
  const placed = z.object({ code: success, data: z.object({ orderId: codeText }) }).safeParse(body);
  return placed.success ? { exchangeIds: [placed.data.data.orderId], description: null } : null;
}

/** spot-trading/orders/get-order-by-clientoid and get-order-by-orderid */
const order = z.looseObject({
  id: name,
  clientOid: optionalText,
  symbol: name,
  side: name,
  type: name,
  size: amount,
  dealSize: amount,
  dealFunds: amount,
  fee: amount,
  feeCurrency: optionalText,
  active: z.boolean(),
  cancelExist: z.boolean(),
  createdAt: milliseconds,
  lastUpdatedAt: optionalMilliseconds,
});

/** Decimal places of a mean price. */
const PRICE_DECIMALS = 18;

/** Converts an order. */
export function readOrder(body: unknown, codeOf: CodeOf): ExchangeOrder {
  const one = dataOf(order, body);
  const { dealSize, dealFunds } = one;
  const status = statusOf(one);
  return {
    exchangeId: one.id,
    clientOrderId: one.clientOid,
    status,
    rawStatus: one.active ? 'active' : 'done',
    volume: one.size,
    executedVolume: dealSize,
    cost: dealFunds,
    averagePrice: dealSize.isZero() ? Amount.zero : dealFunds.dividedBy(dealSize, PRICE_DECIMALS),
    fee: one.fee,
    feeAsset: one.feeCurrency === null ? null : codeOf(one.feeCurrency),
    openedAt: one.createdAt,
    closedAt: status === 'open' || status === 'unknown' ? null : one.lastUpdatedAt,
    description: { pair: one.symbol, side: one.side, type: one.type },
    raw: one,
  };
}

/** "Canceled or fully filled orders are marked as completed Done status." */
function statusOf({ active, size, dealSize, cancelExist }: z.infer<typeof order>): OrderStatus {
  if (active) return 'open';
  if (dealSize.equals(size)) return 'filled';
  return cancelExist ? 'canceled' : 'unknown';
}
