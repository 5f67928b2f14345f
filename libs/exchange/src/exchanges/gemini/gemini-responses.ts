import { z } from 'zod';
import { Amount } from '#money';
import type { ListedAddress } from '../../capabilities/listed-deposits.js';
import type { ListedNetwork } from '../../capabilities/network-list.js';
import {
  amount,
  milliseconds,
  name,
  notNegative,
  optionalAmount,
  optionalText,
  type CodeOf,
} from '../../capabilities/response-fields.js';
import type { TransferRecord } from '../../capabilities/transfer-record.js';
import { lookUp } from '../../declaration/look-up.js';
import type { AssetBalance, HistoryKind, KeyInfo } from '../../port/exchange.port.js';
import type { ExchangeOrder, OrderStatus } from '../../port/trading.port.js';
import type { OrderReceipt } from '../../submission/order-outcome.js';
import type { ReportedError } from '../../transport/error-map.js';
import { networkIdOf } from './gemini-networks.js';

/** The fields that we read of developer.gemini.com/rest. The operation is beside each schema. */

/** A number that is a name, as a text or as a number. */
const id = z.union([name, z.number()]).transform(String);

const balance = z.object({ currency: name, amount, available: amount, availableForWithdrawal: amount });

/**
 * Get Available Balances: `amount` "is not reduced until the withdrawal has been confirmed", and `available` "is reduced
 * immediately when an order hold or withdrawal hold is placed".
 */
export const readBalances = (body: unknown, codeOf: CodeOf): AssetBalance[] =>
  z
    .array(balance)
    .parse(body)
    .map(({ currency, amount: confirmed, available: free, availableForWithdrawal: withdrawable }) => {
      const used = notNegative(confirmed.minus(free));
      return { asset: codeOf(currency), free, used, total: free.plus(used), withdrawable };
    })
    .filter(({ total }) => !total.isZero());

const roles = { isAuditor: 'Auditor', isFundManager: 'FundManager', isTrader: 'Trader' } as const;

/** Roles Endpoint. It reports nothing else about the key. */
export function readKeyInfo(body: unknown): KeyInfo {
  const flags = z.object({ isAuditor: z.boolean(), isFundManager: z.boolean(), isTrader: z.boolean() }).parse(body);
  const permissions = (['isAuditor', 'isFundManager', 'isTrader'] as const).filter((flag) => flags[flag]);
  return {
    permissions: permissions.map((flag) => roles[flag]),
    ...{ ipAllowlist: [], validUntil: null, lastUsed: null, createdTime: null, modifiedTime: null },
  };
}

/** Get Assets for Network: "only the assets where your account has deposit and withdraw access enabled". */
export const readAssets = (body: unknown): unknown[] => z.object({ assets: z.array(z.unknown()) }).parse(body).assets;

/** @throws when the entry is unreadable */
export function readNetwork(network: string, entry: unknown, codeOf: CodeOf): ListedNetwork {
  const assetId = name.parse(entry);
  return {
    asset: codeOf(assetId),
    assetId,
    // Gemini lists no contracts.
    networkId: networkIdOf(network),
    exchangeNetworkId: network,
    displayName: network,
    canWithdraw: false,
    canDeposit: true,
    decimals: 18,
    minWithdrawal: null,
    maxWithdrawal: null,
    fee: null,
    needsTag: false,
    minDeposit: null,
  };
}

const address = z.object({ address: name, memo: optionalText, network: optionalText });

/** Create New Deposit Address; List Deposit Addresses has a list of them, without `network`. */
export function readAddress(body: unknown): ListedAddress {
  const one = address.parse(body);
  return { exchangeNetworkId: one.network, address: one.address, tag: one.memo };
}

export const readAddresses = (body: unknown): ListedAddress[] => z.array(z.unknown()).parse(body).map(readAddress);

const transfer = z.object({
  status: name,
  timestampms: milliseconds,
  eid: id,
  currency: name,
  amount,
  network: optionalText,
  feeAmount: optionalAmount,
  feeCurrency: optionalText,
  txHash: optionalText,
  destination: optionalText,
  withdrawalId: optionalText,
});

const kindNames: Readonly<Record<HistoryKind, string>> = { deposit: 'Deposit', withdrawal: 'Withdrawal' };

/** Whether an entry may be of this kind. An entry without a type is kept, so that it is counted as unreadable. */
export function isOfKind(kind: HistoryKind, entry: unknown): boolean {
  const parsed = z.object({ type: name }).safeParse(entry);
  return !parsed.success || parsed.data.type === kindNames[kind];
}

/** The time of an entry; null = it has none that can be read. */
export function timeOf(entry: unknown): Date | null {
  const parsed = z.object({ timestampms: milliseconds }).safeParse(entry);
  return parsed.success ? parsed.data.timestampms : null;
}

/** The only status of List Past Transfers that is final. `Advanced` deposits are credited before they are confirmed. */
const finalStatuses: Readonly<Record<string, TransferRecord['status']>> = { Complete: 'completed' };

/** @throws when the entry is unreadable */
export function readTransfer(kind: HistoryKind, entry: unknown, codeOf: CodeOf): TransferRecord {
  const { feeAmount, feeCurrency, ...one } = transfer.parse(entry);
  return {
    exchangeId: (kind === 'withdrawal' ? one.withdrawalId : null) ?? one.eid,
    status: lookUp(finalStatuses, one.status) ?? 'pending',
    rawStatus: one.status,
    asset: codeOf(one.currency),
    amountNoFee: one.amount,
    // A fee in another asset is not reported here.
    fee: feeCurrency === one.currency ? feeAmount : null,
    network: one.network === null ? null : networkIdOf(one.network),
    exchangeNetwork: one.network,
    address: one.destination,
    tag: null,
    hash: one.txHash,
    at: one.timestampms,
    clientRef: null,
  };
}

/** Create New Order */
export function readOrderReceipt(body: unknown): OrderReceipt | null {
  const parsed = z.object({ order_id: z.union([z.string().regex(/^\d+$/), z.number()]) }).safeParse(body);
  return parsed.success ? { exchangeIds: [String(parsed.data.order_id)], description: null } : null;
}

const trade = z.object({ price: amount, amount, fee_currency: name, fee_amount: amount });

/** Get Order Status, with `include_trades` */
const order = z.object({
  order_id: id,
  client_order_id: optionalText,
  symbol: name,
  side: name,
  type: name,
  timestampms: milliseconds,
  is_live: z.boolean(),
  is_cancelled: z.boolean(),
  avg_execution_price: amount,
  executed_amount: amount,
  original_amount: optionalAmount,
  remaining_amount: amount,
  trades: z.array(trade),
});

/** @throws when the order is unreadable, or has fees in several assets */
export function readOrder(body: unknown, codeOf: CodeOf): ExchangeOrder {
  const one = order.parse(body);
  const { executed_amount: executedVolume, remaining_amount: remaining, trades } = one;
  const sum = (amounts: readonly Amount[]): Amount => amounts.reduce((total, each) => total.plus(each), Amount.zero);
  const [feeAsset = null, ...others] = new Set(trades.map((each) => codeOf(each.fee_currency)));
  if (others.length > 0) throw new Error('an order has fees in several assets');
  if (!sum(trades.map((each) => each.amount)).equals(executedVolume)) throw new Error('trades are missing');
  return {
    exchangeId: one.order_id,
    clientOrderId: one.client_order_id,
    ...statusOf(one.is_live, one.is_cancelled, remaining),
    volume: one.original_amount ?? executedVolume.plus(remaining),
    executedVolume,
    cost: sum(trades.map((each) => each.amount.times(each.price))),
    averagePrice: one.avg_execution_price,
    fee: sum(trades.map((each) => each.fee_amount)),
    feeAsset,
    openedAt: one.timestampms,
    closedAt: null,
    description: { pair: one.symbol, side: one.side, type: one.type },
    raw: z.record(z.string(), z.unknown()).parse(body),
  };
}

/** The order with our id. Only one of several could be ours, so several are an error. */
export function readOrderOf(body: unknown, codeOf: CodeOf): ExchangeOrder | null {
  const found = Array.isArray(body) ? (body as unknown[]) : [body];
  if (found.length > 1) throw new Error('several orders have our id');
  return found.length === 0 ? null : readOrder(found[0], codeOf);
}

function statusOf(
  isLive: boolean,
  isCancelled: boolean,
  remaining: Amount,
): { status: OrderStatus; rawStatus: string } {
  if (isLive) return { status: 'open', rawStatus: 'live' };
  if (isCancelled) return { status: 'canceled', rawStatus: 'cancelled' };
  return remaining.isZero()
    ? { status: 'filled', rawStatus: 'executed' }
    : { status: 'unknown', rawStatus: 'not live' };
}

/** The code of the refusal of a network without assets, which has another form than the others. */
export const NO_ASSETS = 'no_assets';

const errorForm = z.object({ result: z.literal('error'), reason: name, message: optionalText });

/** developer.gemini.com/errors: `reason` without spaces. */
export function readErrors(body: unknown): ReportedError[] {
  const parsed = errorForm.safeParse(body);
  if (parsed.success) {
    const { reason, message } = parsed.data;
    return [{ code: reason.replaceAll(' ', ''), ...(message !== null && { message }) }];
  }
  const other = z.object({ errorMessage: name }).safeParse(body);
  return other.success ? [{ code: NO_ASSETS, message: other.data.errorMessage }] : [];
}
