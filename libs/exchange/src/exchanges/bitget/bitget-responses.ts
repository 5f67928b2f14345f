import { z } from 'zod';
import { Amount } from '#money';
import type { AccountBalance } from '../../capabilities/account-balances.js';
import type { ListedAddress } from '../../capabilities/listed-deposits.js';
import type { ListedNetwork } from '../../capabilities/network-list.js';
import {
  amount,
  commaList,
  milliseconds,
  name,
  optionalAmount,
  optionalText,
  UNREPORTED,
  type CodeOf,
} from '../../capabilities/response-fields.js';
import type { EntryPage } from '../../capabilities/transfer-pages.js';
import type { TransferRecord } from '../../capabilities/transfer-record.js';
import { lookUp } from '../../declaration/look-up.js';
import type { HistoryKind, KeyInfo } from '../../port/exchange.port.js';
import type { ExchangeOrder, OrderStatus } from '../../port/trading.port.js';
import type { OrderReceipt } from '../../submission/order-outcome.js';
import type { ReportedError } from '../../transport/error-map.js';
import { parseExactly } from '../../transport/exact-json.js';
import { networkIdOf } from './bitget-networks.js';

/** The fields that we read of www.bitget.com/api-doc (December 2025). The page is beside each schema. */

const SUCCESS = '00000';

const dataOf = <T>(data: z.ZodType<T>, body: unknown): T =>
  z.object({ code: z.literal(SUCCESS), data }).parse(body).data;

/** The entries of a response that is a list. */
export const entriesOf = (body: unknown): unknown[] => dataOf(z.array(z.unknown()), body);

/** spot/error-code/restapi */
export function readErrors(body: unknown): ReportedError[] {
  const parsed = z.object({ code: z.string(), msg: z.string().nullish() }).safeParse(body);
  if (!parsed.success || parsed.data.code === SUCCESS) return [];
  return [{ code: parsed.data.code, message: parsed.data.msg ?? '' }];
}

/** spot/account/Get-Account-Info. The key's times are not reported. */
export function readKeyInfo(body: unknown): KeyInfo {
  const { authorities, ips } = dataOf(z.object({ authorities: z.array(z.string()), ips: commaList }), body);
  return { permissions: authorities, ipAllowlist: ips, ...UNREPORTED };
}

/** spot/account/Get-Account-Assets; common/account/Funding-Assets, whose `frozen` may be empty and has no `locked`. */
const holding = z.object({ coin: name, available: amount, frozen: optionalAmount, locked: optionalAmount });

export function readBalances(body: unknown, codeOf: CodeOf): AccountBalance[] {
  return dataOf(z.array(holding), body).map(({ coin, available, frozen, locked }) => ({
    asset: codeOf(coin),
    free: available,
    used: (frozen ?? Amount.zero).plus(locked ?? Amount.zero),
  }));
}

/** Each chain of spot/market/Get-Coin-List with its coin. A coin in another form remains, as an unreadable entry. */
export function chainsOf(body: unknown): unknown[] {
  const coin = z.object({ coin: name, chains: z.array(z.unknown()) });
  return entriesOf(body).flatMap((entry): unknown[] => {
    const { success, data } = coin.safeParse(entry);
    return success ? data.chains.map((chain) => ({ coin: data.coin, chain })) : [entry];
  });
}

/** "true" or "false", which the documentation calls Boolean. */
const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')]);

const listedChain = z.object({
  coin: name,
  chain: z.object({
    ...{ chain: name, contractAddress: optionalText, needTag: flag, withdrawable: flag, rechargeable: flag },
    ...{ withdrawFee: optionalAmount, extraWithdrawFee: optionalAmount, minDepositAmount: optionalAmount },
    ...{ minWithdrawAmount: optionalAmount, withdrawMinScale: z.coerce.number().int().min(0).max(30) },
  }),
});

/** The only network of which the documentation states what the amount of a withdrawal is. */
const WITHDRAWN = 'lightning';

/** @throws when the entry is unreadable */
export function readNetwork(entry: unknown, codeOf: CodeOf): ListedNetwork {
  const { coin, chain } = listedChain.parse(entry);
  const networkId = networkIdOf(chain.chain);
  return {
    asset: codeOf(coin),
    assetId: coin,
    networkId,
    contract: chain.contractAddress,
    exchangeNetworkId: chain.chain,
    displayName: chain.chain,
    canWithdraw: chain.withdrawable && networkId === WITHDRAWN,
    canDeposit: chain.rechargeable,
    decimals: chain.withdrawMinScale,
    minWithdrawal: chain.minWithdrawAmount,
    maxWithdrawal: null,
    // An extra fee is a share of the amount, and the documentation does not state how it is rounded.
    fee: chain.extraWithdrawFee?.isZero() === true ? chain.withdrawFee : null,
    needsTag: chain.needTag,
    minDeposit: chain.minDepositAmount,
  };
}

/** spot/account/Get-Deposit-Address of one chain. The sample names a chain ("BTC-Bitcoin") that the list of coins lacks. */
export function readAddress(body: unknown, { exchangeNetworkId, networkId }: ListedNetwork): ListedAddress {
  const { address, chain, tag } = dataOf(z.object({ address: name, chain: optionalText, tag: optionalText }), body);
  const named = networkIdOf(chain ?? '');
  const isAnother = named !== null && named !== networkId;
  return { exchangeNetworkId: isAnother ? chain : exchangeNetworkId, address, tag };
}

/** spot/account/Wallet-Withdrawal and spot/trade/Place-Order: the id of what was accepted. */
export function readOrderId(body: unknown): string | null {
  const accepted = z.object({ code: z.literal(SUCCESS), data: z.object({ orderId: name }) }).safeParse(body);
  return accepted.success ? accepted.data.data.orderId : null;
}

export function readOrderReceipt(body: unknown): OrderReceipt | null {
  const id = readOrderId(body);
  return id === null ? null : { exchangeIds: [id], description: null };
}

/** spot/account/Get-Withdraw-Record, spot/account/Get-Deposit-Record */
const transfer = z.object({
  ...{ orderId: name, coin: name, size: amount, status: name, cTime: milliseconds, fee: optionalAmount },
  ...{ tradeId: optionalText, clientOid: optionalText, dest: optionalText },
  ...{ toAddress: optionalText, chain: optionalText, tag: optionalText },
});

const finalStatuses: Readonly<Record<string, TransferRecord['status']>> = { success: 'completed', fail: 'failed' };

/** @throws when the entry is unreadable */
export function readTransfer(kind: HistoryKind, entry: unknown, codeOf: CodeOf): TransferRecord {
  const one = transfer.parse(entry);
  // A transfer within Bitget has no chain, and a user id, an e-mail or a telephone number as its address.
  const isInternal = one.dest === 'internal_transfer';
  const network = isInternal || one.chain === null ? null : networkIdOf(one.chain);
  // "fee": "-1.00000000" in the sample.
  const fee = one.fee?.isNegative() === true ? Amount.zero.minus(one.fee) : one.fee;
  return {
    exchangeId: one.orderId,
    status: lookUp(finalStatuses, one.status) ?? 'pending',
    rawStatus: one.status,
    asset: codeOf(one.coin),
    amountNoFee: one.size,
    fee: kind === 'withdrawal' ? fee : null,
    // The documentation does not state whether the amount contains the fee on other networks.
    ...(network !== WITHDRAWN && fee?.isZero() !== true && { isFeeUnsettled: true }),
    network,
    exchangeNetwork: isInternal ? null : one.chain,
    address: isInternal ? null : one.toAddress,
    tag: one.tag,
    hash: isInternal ? null : one.tradeId,
    at: one.cTime,
    clientRef: kind === 'withdrawal' ? one.clientOid : null,
  };
}

/** "The default value is 20 and the maximum value is 100" */
export const PAGE_SIZE = 100;

/** A page of records. The next one begins before the id of the last record. */
export function readPage(body: unknown): EntryPage {
  const entries = entriesOf(body);
  const isLast = entries.length < PAGE_SIZE;
  return { entries, nextCursor: isLast ? null : z.object({ orderId: name }).parse(entries.at(-1)).orderId };
}

const orderStatuses: Readonly<Record<string, OrderStatus>> = {
  live: 'open',
  partially_filled: 'open',
  filled: 'filled',
  cancelled: 'canceled',
};

/** spot/trade/Get-Order-Info */
const order = z.looseObject({
  ...{ orderId: name, clientOid: optionalText, symbol: name, side: name, orderType: name, status: name },
  ...{ size: amount, baseVolume: amount, quoteVolume: amount, priceAvg: optionalAmount, feeDetail: optionalText },
  ...{ cTime: milliseconds, uTime: milliseconds },
});

/** The fee of an order: JSON as a text, with an entry for each coin beside `newFees`. */
const feeEntry = z.object({ feeCoinCode: name, totalFee: amount, totalDeductionFee: amount, deduction: z.boolean() });

/** Fees are negative. A fee that is deducted in BGB is `totalDeductionFee`, in BGB. */
function readFee(text: string | null, codeOf: CodeOf): Pick<ExchangeOrder, 'fee' | 'feeAsset'> {
  const { newFees: _total, ...fees } = z.record(z.string(), z.unknown()).parse(parseExactly(text ?? '{}'));
  const [first] = Object.values(fees);
  if (first === undefined) return { fee: Amount.zero, feeAsset: null };
  const { feeCoinCode, totalFee, totalDeductionFee, deduction } = feeEntry.parse(first);
  const fee = Amount.zero.minus(deduction ? totalDeductionFee : totalFee);
  return { fee, feeAsset: codeOf(feeCoinCode) };
}

/** An order of a list that contains at most this one. null = the list is empty. */
export function readOrder(body: unknown, codeOf: CodeOf): ExchangeOrder | null {
  const [one] = dataOf(z.array(order).max(1), body);
  if (one === undefined) return null;
  const status = lookUp(orderStatuses, one.status) ?? 'unknown';
  return {
    exchangeId: one.orderId,
    clientOrderId: one.clientOid,
    status,
    rawStatus: one.status,
    volume: one.size,
    executedVolume: one.baseVolume,
    cost: one.quoteVolume,
    averagePrice: one.baseVolume.isZero() ? Amount.zero : (one.priceAvg ?? Amount.zero),
    ...readFee(one.feeDetail, codeOf),
    openedAt: one.cTime,
    closedAt: status === 'open' || status === 'unknown' ? null : one.uTime,
    description: { pair: one.symbol, side: one.side, type: one.orderType },
    raw: one,
  };
}
