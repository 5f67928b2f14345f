import { z } from 'zod';
import { Amount } from '#money';
import { balanceReader, remainderOf } from '../../capabilities/account-balances.js';
import type { SavedAddress } from '../../capabilities/address-book.js';
import { fieldOf, readerOf } from '../../capabilities/entry-fields.js';
import { envelope, errorReader, idIn } from '../../capabilities/envelope.js';
import { keyForm } from '../../capabilities/key-form.js';
import { addressForm, addressReader } from '../../capabilities/listed-deposits.js';
import { entriesByNetwork, networkReader } from '../../capabilities/network-form.js';
import type { ReportedFees } from '../../capabilities/order-fees.js';
import { orderReader } from '../../capabilities/order-form.js';
import { pairForm } from '../../capabilities/pair-form.js';
import {
  amount,
  amountOrZero,
  codeText,
  entries,
  heldEntries,
  listOf,
  name,
  optionalAmount,
  optionalTag,
  optionalText,
  statedList,
  type CodeOf,
} from '../../capabilities/response-fields.js';
import { idOr, transferReader } from '../../capabilities/transfer-form.js';
import type { EntryPage } from '../../capabilities/transfer-pages.js';
import { BOTH, decimal, type PairListing } from '../../declaration/pair-source.js';
import type { ExchangeOrder } from '../../port/trading.port.js';

/**
 * The fields that we read, by bybit-exchange.github.io/docs/v5 (July 2026). The comment above each reader names the
 * page.
 */

/** Bybit's documentation: guide#common-response-parameters */
const success = envelope({ code: 'retCode', success: '0', data: 'result' });
export const readErrors = errorReader({ code: 'retCode', message: 'retMsg', success: '0' });

/**
 * One page of records. In the documented samples, the last page has a `nextPageCursor`, so only an empty page is
 * certainly the last one.
 */
export const readPage = readerOf(
  success(z.object({ rows: statedList(z.unknown()), nextPageCursor: optionalText })).transform(
    ({ rows, nextPageCursor }): EntryPage => ({ entries: rows, nextCursor: rows.length === 0 ? null : nextPageCursor }),
  ),
);

/** Converts an ISO 8601 time to epoch seconds; null, absent, "" and "1970-01-01T00:00:00Z" = no time. */
const optionalDate = z
  .string()
  .nullish()
  .transform((text) => Date.parse(text ?? '') / 1000)
  .transform((seconds) => (Number.isFinite(seconds) && seconds > 0 ? seconds : null));

/** Bybit's page user/apikey-info. The permissions of a read-only key allow reading only. */
export const readKeyInfo = readerOf(
  success(
    keyForm({
      permissions: z
        .object({ readOnly: codeText, permissions: z.record(z.string(), listOf(z.string())) })
        .transform((key) => (key.readOnly === '1' ? ['readOnly'] : Object.values(key.permissions).flat())),
      ipAllowlist: fieldOf('ips', listOf(z.string())).transform((ips) => ips.filter((ip) => ip !== '*')),
      validUntil: fieldOf('expiredAt', optionalDate),
      createdTime: fieldOf('createdAt', optionalDate),
    }),
  ),
);

/**
 * Bybit's page user/apikey-info: `userID`, the id of the account, and `kycRegion`, the owner's country, such as MYS;
 * null = not reported.
 */
export const readOwner = readerOf(
  success(
    z
      .object({ userID: codeText.nullish(), kycRegion: z.string().nullish() })
      .transform(({ userID = null, kycRegion = null }) => ({ id: userID, country: kycRegion })),
  ),
);

/** Bybit's documentation: asset/balance/all-balance */
export const readFunding = balanceReader(readerOf(success(fieldOf('balance', heldEntries))), {
  asset: 'coin',
  free: 'transferBalance',
  total: 'walletBalance',
});

/** Bybit's page account/wallet-balance. In some modes of the account, subtracted fields are empty and count as zero. */
const unifiedAccounts = readerOf(success(fieldOf('list', heldEntries.pipe(z.array(fieldOf('coin', heldEntries))))));
export const readUnified = balanceReader((body) => unifiedAccounts(body).flat(), {
  asset: 'coin',
  total: 'walletBalance',
  // Bybit: "walletBalance - totalPositionIM - totalOrderIM - locked - bonus"
  free: remainderOf('walletBalance', 'totalPositionIM', 'totalOrderIM', 'locked', 'bonus'),
  // Bybit: "Old walletBalance = New walletBalance - spotBorrow": what is borrowed is in `walletBalance`, and is owed.
  // A negative `walletBalance` is owed in addition.
  owed: z
    .object({ walletBalance: amount, spotBorrow: amountOrZero })
    .transform(({ walletBalance, spotBorrow }) =>
      spotBorrow.minus(walletBalance.isNegative() ? walletBalance : Amount.zero),
    ),
});

/**
 * Our network ids by Bybit's `chain` (bybit-exchange.github.io/docs/v5/asset/coin-info). Other names are left out. The
 * names are those of the table in ccxt 4.5.84 (`bybit.options.networks`) and of the documented samples.
 */
const byChain: Readonly<Record<string, string>> = {
  BTC: 'bitcoin',
  ETH: 'ethereum',
  ETC: 'ethereumclassic',
  ARBI: 'arbitrum',
  OP: 'optimism',
  BASE: 'base',
  MATIC: 'polygon',
  BSC: 'bsc',
  CAVAX: 'avalanche',
  ZKV2: 'zksync',
  SOL: 'solana',
  TRX: 'tron',
  LTC: 'litecoin',
  BCH: 'bitcoincash',
  DOGE: 'dogecoin',
  XRP: 'ripple',
  XLM: 'stellar',
  HBAR: 'hedera',
  STX: 'stacks',
  ATOM: 'cosmos',
  TON: 'ton',
  ADA: 'cardano',
  DOT: 'polkadot',
  ALGO: 'algorand',
  NEAR: 'near',
  XTZ: 'tezos',
  SUI: 'sui',
  APTOS: 'aptos',
  FIL: 'filecoin',
};

/** The tables of names of networks. */
export const networkNames = [byChain];

/** Returns an entry for each coin and chain (Bybit's page asset/coin-info). */
const coins = readerOf(success(fieldOf('rows', entries)));
export const coinsOf = (body: unknown): unknown[] => entriesByNetwork(coins(body), 'chains', ['coin']);

/** A flag: "1" = yes, "0" = no. Lists recorded by ccxt have "" for chains without withdrawals, which also means no. */
const switchIn = (field: string) =>
  fieldOf(field, z.union([z.literal(''), codeText])).transform((state) => state === '1');

/** Reads an entry for one coin on one chain (Bybit's page asset/coin-info). */
export const readNetwork = networkReader(byChain, {
  asset: 'coin',
  network: 'chain',
  displayName: 'chainType',
  contract: 'contractAddress',
  canDeposit: switchIn('chainDeposit'),
  minDeposit: 'depositMin',
  withdrawals: {
    isOpen: switchIn('chainWithdraw'),
    decimals: 'minAccuracy',
    min: 'withdrawMin',
    // Bybit: "-1 indicates no limit"
    max: fieldOf('withdrawMax', optionalAmount).transform((max) => (max?.isNegative() === true ? null : max)),
    // Bybit: "If withdraw fee is empty, It means that this coin does not support withdrawal".
    fee: 'withdrawFee',
    feeShare: fieldOf('withdrawPercentageFee', amountOrZero),
  },
});

/** Bybit's page withdraw-address. The `coin` of an address for all coins of the chain is `baseCoin`. */
export const savedAddress = z
  .object({ coin: name, chain: name, address: name, tag: optionalTag, status: codeText })
  .transform(({ status, ...rest }): SavedAddress & { coin: string; chain: string } => ({
    ...rest,
    // Bybit: "1: New Addresses are prohibited from withdrawing coins for 24 Hours."
    isReady: status === '0',
  }));

/** Bybit's documentation: asset/deposit/master-deposit-addr */
const address = addressForm({ network: 'chain', address: 'addressDeposit', tag: 'tagDeposit' });
export const readAddresses = addressReader(readerOf(success(fieldOf('chains', statedList(z.unknown())))), address);

/** Bybit's page asset/withdraw/withdraw: the id of the accepted withdrawal. */
export const readWithdrawalId = idIn(success(fieldOf('id', codeText)));

const transfer = {
  asset: 'coin',
  amount: 'amount',
  status: 'status',
  network: 'chain',
  address: 'toAddress',
  tag: 'tag',
  hash: 'txID',
  // Bybit: "amount: Amount". The documentation does not state whether the amount contains the fee.
  isFeeUnsettled: true,
} as const;

/**
 * The id of a deposit. Deposits recorded in 2023 have none (github.com/hirokisan/bybit,
 * v5-asset-get-deposit-records.json), so their id consists of fields that never change.
 */
const depositId = idOr('id', { coin: name, txID: optionalText, toAddress: optionalText, tag: optionalTag, amount });

/** Bybit's page deposit-record: "The deposit has been blocked due to an account or compliance restriction". */
const BLOCKED = '50';
/**
 * The status of a deposit. Bybit's changelog of 10 July 2026 on blocked deposits: "the funds will not be credited to
 * your account". Bybit does not document their status, so a blocked deposit is never completed.
 */
const depositStatus = z
  .object({ status: codeText, depositType: codeText.nullish().catch(null) })
  .transform(({ status, depositType }) =>
    status === '3' && depositType === BLOCKED ? `${status} (depositType ${BLOCKED})` : status,
  );

const untimed = z.looseObject({ successAt: z.literal(['', '0', 0]) });

/**
 * Gives a deposit without a time the time `latest`, which is the end of the requested period. The beginning of the
 * period would be wrong: an interrupted reading continues before the oldest record that it has read, so it would skip
 * the rest of the period.
 */
export function withTime(entry: unknown, latest: Date): unknown {
  const { success, data } = untimed.safeParse(entry);
  return success ? { ...data, successAt: String(latest.getTime()) } : entry;
}

/** Bybit's pages withdraw-record and deposit-record. Statuses: enum#withdrawstatus, enum#depositstatus. */
export const readTransfer = transferReader(byChain, {
  withdrawal: {
    ...transfer,
    exchangeId: 'withdrawId',
    fee: 'withdrawFee',
    at: 'createTime',
    finals: { success: 'completed', Fail: 'failed', Reject: 'failed', CancelByUser: 'canceled' },
    // Bybit also documents the status `Unknown`, "a rare status", which says nothing about the withdrawal.
    underway: ['SecurityCheck', 'Pending', 'BlockchainConfirmed', 'MoreInformationRequired'],
  },
  deposit: {
    ...transfer,
    exchangeId: depositId,
    status: depositStatus,
    at: 'successAt',
    finals: { '3': 'completed', '4': 'failed', '70011': 'failed', '70012': 'completed' },
  },
});

/** Bybit's documentation: order/create-order */
export const readOrderId = idIn(success(fieldOf('orderId', name)));

/**
 * Bybit's page order/open-order: `cumFeeDetail` has the fees by coin, "instead of `cumExecFee`". The latter names no
 * coin, so without `cumFeeDetail` the fees are known only if `cumExecFee` is zero.
 */
const fees = z
  .object({
    cumFeeDetail: z.union([z.record(z.string(), amount), z.literal('')]).nullish(),
    cumExecFee: optionalAmount,
  })
  .transform(({ cumFeeDetail: byCoin, cumExecFee: total }): ReportedFees => {
    const all = Object.entries(typeof byCoin === 'object' ? (byCoin ?? {}) : {});
    if (all.length === 0 && total?.isZero() !== true) return null;
    return all.map(([asset, fee]) => ({ asset, amount: fee }));
  });

/** Bybit's documentation: order/open-order, order/order-list */
const orderOf = orderReader({
  exchangeId: 'orderId',
  clientOrderId: 'orderLinkId',
  pair: 'symbol',
  side: 'side',
  type: 'orderType',
  status: 'orderStatus',
  // Bybit's page enum#orderstatus. `PartiallyFilledCanceled` means that a partially filled order has ended.
  statuses: {
    New: 'open',
    PartiallyFilled: 'open',
    Untriggered: 'open',
    Triggered: 'open',
    Filled: 'filled',
    Cancelled: 'canceled',
    PartiallyFilledCanceled: 'canceled',
    Rejected: 'canceled',
    Deactivated: 'canceled',
  },
  volume: 'qty',
  limitPrice: 'price',
  executedVolume: 'cumExecQty',
  cost: 'cumExecValue',
  averagePrice: 'avgPrice',
  fees,
  openedAt: 'createdTime',
  changedAt: 'updatedTime',
});

const orders = readerOf(success(fieldOf('list', statedList(z.record(z.string(), z.unknown())))));

/**
 * Returns the sought order of a list; null = the list is empty. If the list has only other orders, returns the first of
 * them: the caller sees the wrong id and rejects the response.
 */
export function readOrder(body: unknown, sought: Record<string, string>, codeOf: CodeOf): ExchangeOrder | null {
  const list = orders(body);
  const found = list.find((one) => Object.entries(sought).every(([field, id]) => one[field] === id)) ?? list[0];
  return found === undefined ? null : orderOf(found, codeOf);
}

/** Bybit's page market/instrument. One response has all spot instruments, and no fees: these depend on the account. */
export const bybitPairs: PairListing = {
  path: '/v5/market/instruments-info?category=spot',
  list: readerOf(success(fieldOf('list', entries))),
  pair: pairForm({
    base: 'baseCoin',
    quote: 'quoteCoin',
    symbol: 'symbol',
    status: 'status',
    orderTypes: { Trading: BOTH },
    margin: fieldOf('marginTrading', z.string()).transform((margin) => margin !== 'none'),
    tickSize: 'priceFilter.tickSize',
    stepSize: 'lotSizeFilter.basePrecision',
    // Bybit on `minOrderQty`: "deprecated, no longer check minOrderQty, check minOrderAmt instead".
    minCost: fieldOf('lotSizeFilter.minOrderAmt', decimal),
  }),
};
