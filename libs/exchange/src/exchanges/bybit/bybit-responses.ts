import { z } from 'zod';
import { Amount } from '#money';
import type { SavedAddress } from '../../capabilities/address-book.js';
import type { AccountBalance } from '../../capabilities/account-balances.js';
import type { ListedAddress } from '../../capabilities/listed-deposits.js';
import type { ListedNetwork } from '../../capabilities/network-list.js';
import {
  UNREPORTED,
  amount,
  codeText,
  decimalPlaces,
  listOf,
  milliseconds,
  name,
  notNegative,
  optionalAmount,
  optionalMilliseconds,
  optionalText,
  type CodeOf,
} from '../../capabilities/response-fields.js';
import type { EntryPage } from '../../capabilities/transfer-pages.js';
import { orderStatus, transferStatus } from '../../capabilities/status-tables.js';
import { idOfParts, type TransferRecord } from '../../capabilities/transfer-record.js';
import type { HistoryKind, KeyInfo } from '../../port/exchange.port.js';
import type { ExchangeOrder, OrderStatus } from '../../port/trading.port.js';
import type { OrderReceipt } from '../../submission/order-outcome.js';
import { lookUp } from '../../declaration/look-up.js';

/** The fields that we read of bybit-exchange.github.io/docs/v5 (July 2026). The page is beside each schema. */

const success = codeText.pipe(z.literal('0'));
const envelope = z.object({ retCode: success, result: z.unknown() });

/** Reads the `result` of a response: guide#common-response-parameters. */
export function resultOf<T>(result: z.ZodType<T>): (body: unknown) => T {
  return (body) => result.parse(envelope.parse(body).result);
}

/**
 * One page of records. `nextPageCursor` is not empty on the last page of the documented samples, so that only an empty
 * page is certain to be the last one.
 */
export const readPage: (body: unknown) => EntryPage = resultOf(
  z.object({ rows: listOf(z.unknown()), nextPageCursor: optionalText }).transform(({ rows, nextPageCursor }) => ({
    entries: rows,
    nextCursor: rows.length === 0 ? null : nextPageCursor,
  })),
);

/** "1970-01-01T00:00:00Z" stands for no time. */
const optionalDate = z
  .string()
  .nullish()
  .transform((text) => Date.parse(text ?? '') / 1000)
  .transform((seconds) => (Number.isFinite(seconds) && seconds > 0 ? seconds : null));

/** user/apikey-info. The permissions of a read-only key allow reading only. */
export const readKeyInfo: (body: unknown) => KeyInfo = resultOf(
  z
    .object({
      readOnly: codeText,
      permissions: z.record(z.string(), z.array(z.string()).nullish()),
      ips: listOf(z.string()),
      expiredAt: optionalDate,
      createdAt: optionalDate,
    })
    .transform(({ readOnly, permissions, ips, expiredAt, createdAt }) => ({
      permissions: readOnly === '1' ? ['readOnly'] : Object.values(permissions).flatMap((names) => names ?? []),
      ipAllowlist: ips.filter((ip) => ip !== '*'),
      ...{ ...UNREPORTED, validUntil: expiredAt, createdTime: createdAt },
    })),
);

/** asset/balance/all-balance */
export const readFunding = (body: unknown, codeOf: CodeOf): AccountBalance[] =>
  resultOf(z.object({ balance: listOf(z.object({ coin: name, walletBalance: amount, transferBalance: amount })) }))(
    body,
  ).balance.map(({ coin, walletBalance, transferBalance }) => ({
    asset: codeOf(coin),
    free: transferBalance,
    used: notNegative(walletBalance.minus(transferBalance)),
  }));

/** account/wallet-balance. Fields are empty in some modes of the account. */
const unifiedCoin = z
  .object({
    coin: name,
    walletBalance: amount,
    spotBorrow: optionalAmount,
    locked: optionalAmount,
    totalOrderIM: optionalAmount,
    totalPositionIM: optionalAmount,
    bonus: optionalAmount,
  })
  .transform(({ coin, walletBalance, spotBorrow, ...taken }) => {
    // "Old walletBalance = New walletBalance - spotBorrow": what is borrowed is not the owner's.
    const held = notNegative(walletBalance.minus(spotBorrow ?? Amount.zero));
    // "walletBalance - totalPositionIM - totalOrderIM - locked - bonus"
    const parts = [taken.totalPositionIM, taken.totalOrderIM, taken.locked, taken.bonus];
    const free = notNegative(parts.reduce<Amount>((rest, part) => rest.minus(part ?? Amount.zero), held));
    return { coin, free, used: held.minus(free) };
  });

export const readUnified = (body: unknown, codeOf: CodeOf): AccountBalance[] =>
  resultOf(z.object({ list: z.array(z.object({ coin: z.array(unifiedCoin) })) }))(body).list.flatMap(
    ({ coin: coins }) => coins.map(({ coin, free, used }) => ({ asset: codeOf(coin), free, used })),
  );

/**
 * Our network ids by Bybit's `chain`. Other names are left out. docs: bybit-exchange.github.io/docs/v5/asset/coin-info;
 * the names are those of the table in ccxt 4.5.84 (`bybit.options.networks`), and of samples of the documentation.
 */
const byChain: Readonly<Record<string, string>> = {
  ...{ BTC: 'bitcoin', ETH: 'ethereum', ETC: 'ethereumclassic', ARBI: 'arbitrum', OP: 'optimism', BASE: 'base' },
  ...{ MATIC: 'polygon', BSC: 'bsc', CAVAX: 'avalanche', ZKV2: 'zksync', SOL: 'solana', TRX: 'tron' },
  ...{ LTC: 'litecoin', BCH: 'bitcoincash', DOGE: 'dogecoin', XRP: 'ripple', XLM: 'stellar', HBAR: 'hedera' },
  ...{ STX: 'stacks', ATOM: 'cosmos', TON: 'ton', ADA: 'cardano', DOT: 'polkadot', ALGO: 'algorand', NEAR: 'near' },
  ...{ XTZ: 'tezos', SUI: 'sui', APTOS: 'aptos', FIL: 'filecoin' },
};

/** Our id of a chain; null = it is not one of ours. */
function networkIdOf(chain: string): string | null {
  return lookUp(byChain, chain);
}

/** asset/coin-info: an entry for each coin and chain. A coin without readable chains is one entry. */
export const readCoins = (body: unknown): unknown[] =>
  resultOf(z.object({ rows: z.array(z.unknown()) }))(body).rows.flatMap((row) => {
    const parsed = z.object({ coin: name, chains: z.array(z.unknown()).nullable() }).safeParse(row);
    return parsed.success ? (parsed.data.chains ?? []).map((chain) => ({ coin: parsed.data.coin, chain })) : [row];
  });

/** "0" or "1". Recorded lists (ccxt) have "" for chains without withdrawals. */
const switchText = z.union([z.literal(''), codeText]);

const coinChain = z.object({
  coin: name,
  chain: z.object({
    chain: name,
    chainType: optionalText,
    withdrawFee: optionalAmount,
    withdrawPercentageFee: optionalAmount,
    withdrawMin: optionalAmount,
    withdrawMax: optionalAmount,
    depositMin: optionalAmount,
    minAccuracy: decimalPlaces,
    chainDeposit: switchText,
    chainWithdraw: switchText,
    contractAddress: optionalText,
  }),
});

/** A coin on a chain. @throws when the entry is unreadable */
export function readNetwork(entry: unknown, codeOf: CodeOf): ListedNetwork {
  const { coin, chain: one } = coinChain.parse(entry);
  const isShare = one.withdrawPercentageFee?.isZero() === false;
  return {
    asset: codeOf(coin),
    assetId: coin,
    networkId: networkIdOf(one.chain),
    contract: one.contractAddress,
    exchangeNetworkId: one.chain,
    displayName: one.chainType ?? one.chain,
    canWithdraw: one.chainWithdraw === '1',
    canDeposit: one.chainDeposit === '1',
    decimals: one.minAccuracy,
    minWithdrawal: one.withdrawMin,
    // "-1 indicates no limit"
    maxWithdrawal: one.withdrawMax?.isNegative() === true ? null : one.withdrawMax,
    // "If withdraw fee is empty, It means that this coin does not support withdrawal". A fee with a percentage is left
    // out, because the documentation does not state how it is rounded.
    fee: isShare ? null : one.withdrawFee,
    needsTag: false,
    minDeposit: one.depositMin,
  };
}

/** asset/withdraw/withdraw-address. `coin` is `baseCoin` where the address is for every coin of the chain. */
export const savedAddress = z
  .object({ coin: name, chain: name, address: name, tag: optionalText, status: codeText })
  .transform(({ status, ...rest }): SavedAddress & { coin: string; chain: string } => ({
    ...rest,
    // "1: New Addresses are prohibited from withdrawing coins for 24 Hours."
    isReady: status === '0',
  }));

/** asset/deposit/master-deposit-addr */
export const readAddresses: (body: unknown) => ListedAddress[] = resultOf(
  z
    .object({ chains: listOf(z.object({ chain: name, addressDeposit: name, tagDeposit: optionalText })) })
    .transform(({ chains }) =>
      chains.map((one) => ({ exchangeNetworkId: one.chain, address: one.addressDeposit, tag: one.tagDeposit })),
    ),
);

/** asset/withdraw/withdraw: the id of the accepted withdrawal. */
export function readWithdrawalId(body: unknown): string | null {
  const parsed = z.object({ retCode: success, result: z.object({ id: codeText }) }).safeParse(body);
  return parsed.success ? parsed.data.result.id : null;
}

/** asset/withdraw/withdraw-record, asset/deposit/deposit-record */
const transfer = z.object({
  coin: name,
  chain: optionalText,
  amount,
  toAddress: optionalText,
  tag: optionalText,
  txID: optionalText,
  status: codeText,
});
const kinds = {
  withdrawal: transfer.extend({ withdrawId: codeText, withdrawFee: optionalAmount, createTime: milliseconds }),
  deposit: transfer.extend({ id: codeText.nullish(), successAt: milliseconds }),
};

/** enum#withdrawstatus, enum#depositstatus: the statuses that are final. */
const finalStatuses: Readonly<Record<HistoryKind, Record<string, TransferRecord['status']>>> = {
  withdrawal: { success: 'completed', Fail: 'failed', Reject: 'failed', CancelByUser: 'canceled' },
  deposit: { '3': 'completed', '4': 'failed', '70011': 'failed', '70012': 'completed' },
};

/** @throws when the entry is unreadable */
export function readTransfer(kind: HistoryKind, entry: unknown, codeOf: CodeOf): TransferRecord {
  const one = kinds[kind].parse(entry);
  const isWithdrawal = 'withdrawId' in one;
  return {
    // Deposits recorded in 2023 have no id: github.com/hirokisan/bybit, v5-asset-get-deposit-records.json.
    exchangeId: isWithdrawal
      ? one.withdrawId
      : (one.id ?? idOfParts(one.coin, one.txID, one.toAddress, one.tag, one.amount)),
    ...transferStatus(finalStatuses[kind], one.status),
    asset: codeOf(one.coin),
    amountNoFee: one.amount,
    fee: isWithdrawal ? one.withdrawFee : null,
    // "amount: Amount": the documentation does not state whether it contains the fee.
    isFeeUnsettled: true,
    network: one.chain === null ? null : networkIdOf(one.chain),
    exchangeNetwork: one.chain,
    address: one.toAddress,
    tag: one.tag,
    hash: one.txID,
    at: isWithdrawal ? one.createTime : one.successAt,
    clientRef: null,
  };
}

/** order/create-order */
export function readOrderReceipt(body: unknown): OrderReceipt | null {
  const parsed = z.object({ retCode: success, result: z.object({ orderId: name }) }).safeParse(body);
  return parsed.success ? { exchangeIds: [parsed.data.result.orderId], description: null } : null;
}

/** enum#orderstatus. A partially filled order of `PartiallyFilledCanceled` has ended. */
const orderStatuses: Readonly<Record<string, OrderStatus>> = {
  New: 'open',
  PartiallyFilled: 'open',
  Untriggered: 'open',
  Triggered: 'open',
  Filled: 'filled',
  Cancelled: 'canceled',
  PartiallyFilledCanceled: 'canceled',
  Rejected: 'canceled',
  Deactivated: 'canceled',
};

/** order/open-order, order/order-list */
const order = z.object({
  orderId: name,
  orderLinkId: optionalText,
  symbol: name,
  side: name,
  orderType: name,
  orderStatus: name,
  qty: amount,
  cumExecQty: amount,
  cumExecValue: amount,
  avgPrice: optionalAmount,
  cumFeeDetail: z
    .union([z.record(z.string(), amount), z.literal('')])
    .nullish()
    .transform((fees): Record<string, Amount> => (typeof fees === 'object' ? (fees ?? {}) : {})),
  createdTime: milliseconds,
  updatedTime: optionalMilliseconds,
});

/** The sought order of a list, or another one, which the caller refuses; null = the list is empty. */
export function readOrder(body: unknown, sought: Record<string, string>, codeOf: CodeOf): ExchangeOrder | null {
  const { list } = resultOf(z.object({ list: listOf(z.record(z.string(), z.unknown())) }))(body);
  const raw = list.find((one) => Object.entries(sought).every(([field, id]) => one[field] === id)) ?? list[0];
  if (raw === undefined) return null;
  const one = order.parse(raw);
  // A fee that was taken in several coins is in `raw`.
  const [feeCoin, fee] = Object.entries(one.cumFeeDetail).find(([, each]) => !each.isZero()) ?? [];
  return {
    exchangeId: one.orderId,
    clientOrderId: one.orderLinkId,
    ...orderStatus(orderStatuses, one.orderStatus, one.updatedTime),
    volume: one.qty,
    executedVolume: one.cumExecQty,
    cost: one.cumExecValue,
    averagePrice: one.avgPrice ?? Amount.zero,
    fee: fee ?? Amount.zero,
    feeAsset: feeCoin === undefined ? null : codeOf(feeCoin),
    openedAt: one.createdTime,
    description: { pair: one.symbol, side: one.side, type: one.orderType },
    raw,
  };
}

/** guide#common-response-parameters */
export function readErrors(body: unknown): { code: string; message: string }[] {
  const parsed = z.object({ retCode: codeText, retMsg: z.string().catch('') }).safeParse(body);
  if (!parsed.success || parsed.data.retCode === '0') return [];
  return [{ code: parsed.data.retCode, message: parsed.data.retMsg }];
}
