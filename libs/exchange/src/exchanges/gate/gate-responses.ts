import { z } from 'zod';
import { Amount } from '#money';
import type { AccountBalance } from '../../capabilities/account-balances.js';
import type { ListedAddress } from '../../capabilities/listed-deposits.js';
import type { ListedNetwork } from '../../capabilities/network-list.js';
import {
  amount,
  milliseconds,
  name,
  optionalAmount,
  optionalText,
  UNREPORTED,
  type CodeOf,
} from '../../capabilities/response-fields.js';
import type { TransferRecord } from '../../capabilities/transfer-record.js';
import { lookUp } from '../../declaration/look-up.js';
import type { HistoryKind, KeyInfo } from '../../port/exchange.port.js';
import type { ExchangeOrder, OrderStatus } from '../../port/trading.port.js';
import type { OrderReceipt } from '../../submission/order-outcome.js';
import type { ReportedError } from '../../transport/error-map.js';
import { networkIdOf } from './gate-networks.js';

/** The fields that we read of www.gate.com/docs/developers/apiv4 (June 2026). The page is beside each schema. */

/** The entries of a response that is a list. */
export const entriesOf = (body: unknown): unknown[] => z.array(z.unknown()).parse(body);

/** #error-handling */
export function readErrors(body: unknown): ReportedError[] {
  const parsed = z.object({ label: name, message: z.string().nullish() }).safeParse(body);
  return parsed.success ? [{ code: parsed.data.label, message: parsed.data.message ?? '' }] : [];
}

/** account: "Retrieve user account information". The permissions and times of the key are not reported. */
export function readKeyInfo(body: unknown): KeyInfo {
  const { ip_whitelist: list } = z.object({ ip_whitelist: z.array(z.string()).nullish() }).parse(body);
  return { permissions: [], ipAllowlist: list ?? [], ...UNREPORTED };
}

/** spot: "List spot trading accounts" */
export function readBalances(body: unknown, codeOf: CodeOf): AccountBalance[] {
  const balances = z.array(z.object({ currency: name, available: amount, locked: amount })).parse(body);
  return balances.map(({ currency, available, locked }) => ({
    asset: codeOf(currency),
    free: available,
    used: locked,
  }));
}

const currency = z.object({ currency: name, delisted: z.boolean(), chains: z.array(z.unknown()) });

/** Each chain of spot: "Query all currency information". An entry in another form remains, as an unreadable one. */
export function chainsOf(body: unknown): unknown[] {
  return entriesOf(body).flatMap((entry): unknown[] => {
    const { success, data } = currency.safeParse(entry);
    return success ? data.chains.map((chain) => ({ ...data, chain })) : [entry];
  });
}

const listedChain = currency.extend({
  chain: z.object({ name, addr: optionalText, deposit_disabled: z.boolean() }),
});

/** @throws when the entry is unreadable */
export function readNetwork(entry: unknown, codeOf: CodeOf): ListedNetwork {
  const { currency: assetId, delisted, chain } = listedChain.parse(entry);
  return {
    asset: codeOf(assetId),
    assetId,
    networkId: networkIdOf(chain.name),
    contract: chain.addr,
    exchangeNetworkId: chain.name,
    displayName: chain.name,
    canDeposit: !delisted && !chain.deposit_disabled,
    ...{ canWithdraw: false, decimals: 0, minWithdrawal: null, maxWithdrawal: null, fee: null, needsTag: false },
    minDeposit: null,
  };
}

const address = z.object({ chain: name, address: z.string(), payment_id: optionalText, obtain_failed: z.unknown() });

/** wallet: "Generate currency deposit address". "0: address successfully obtained" */
export function readAddresses(body: unknown): ListedAddress[] {
  const { multichain_addresses: all } = z.object({ multichain_addresses: z.array(address) }).parse(body);
  return all
    .filter((one) => one.obtain_failed === 0)
    .map((one) => ({ exchangeNetworkId: one.chain, address: one.address, tag: one.payment_id }));
}

/** wallet: "Get withdrawal records", "Get deposit records" */
const transfer = z.object({
  ...{ id: name, currency: name, amount, status: name, fee: optionalAmount, withdraw_order_id: optionalText },
  ...{ txid: optionalText, address: optionalText, memo: optionalText, chain: optionalText },
  timestamp: z.coerce
    .number()
    .int()
    .transform((seconds) => new Date(seconds * 1000)),
});

const finalStatuses = {
  withdrawal: { DONE: 'completed', CANCEL: 'canceled', REJECT: 'failed' },
  // "Deposit Credited, Withdrawal Pending Unlock" (DEP_CREDITED) cannot be withdrawn yet.
  deposit: { DONE: 'completed', INVALID: 'failed' },
} as const;

/**
 * The amount of a withdrawal contains its fee: of a record with an amount of 9 USDT and a fee of 2 USDT, 7 arrived
 * (github.com/ccxt/ccxt/pull/17071). The documentation does not say so.
 * @throws when the entry is unreadable
 */
export function readTransfer(kind: HistoryKind, entry: unknown, codeOf: CodeOf): TransferRecord {
  const one = transfer.parse(entry);
  const fee = kind === 'withdrawal' ? one.fee : null;
  const final: Readonly<Record<string, TransferRecord['status']>> = finalStatuses[kind];
  return {
    exchangeId: one.id,
    status: lookUp(final, one.status) ?? 'pending',
    rawStatus: one.status,
    asset: codeOf(one.currency),
    amountNoFee: one.amount.minus(fee ?? Amount.zero),
    fee,
    network: one.chain === null ? null : networkIdOf(one.chain),
    exchangeNetwork: one.chain,
    address: one.address,
    tag: one.memo,
    // "Internal transaction 260594131"
    hash: one.txid?.includes(' ') === true ? null : one.txid,
    at: one.timestamp,
    clientRef: kind === 'withdrawal' ? one.withdraw_order_id : null,
  };
}

/** spot: "Create an order" */
export function readOrderReceipt(body: unknown): OrderReceipt | null {
  const placed = z.object({ id: name }).safeParse(body);
  return placed.success ? { exchangeIds: [placed.data.id], description: null } : null;
}

/** The id of ours in an order. */
export const clientIdOf = (entry: unknown): string | null => z.object({ text: optionalText }).parse(entry).text;

const orderStatuses: Readonly<Record<string, OrderStatus>> = { open: 'open', closed: 'filled', cancelled: 'canceled' };

/** spot: "Query single order details" */
const order = z.looseObject({
  ...{ id: name, text: optionalText, status: name, currency_pair: name, side: name, type: name },
  ...{ amount, left: amount, filled_amount: optionalAmount, filled_total: amount, avg_deal_price: optionalAmount },
  ...{ fee: optionalAmount, fee_currency: optionalText, gt_fee: optionalAmount },
  ...{ create_time_ms: milliseconds, update_time_ms: milliseconds },
});

/** The fee is deducted in the received currency, or in GT: "GT used to deduct fee". */
function feeOf({ fee, fee_currency: asset, gt_fee: inGt }: z.infer<typeof order>): {
  fee: Amount;
  asset: string | null;
} {
  if (fee?.isZero() !== false && inGt?.isZero() === false) return { fee: inGt, asset: 'GT' };
  return { fee: fee ?? Amount.zero, asset };
}

/** Converts an order. */
export function readOrder(body: unknown, codeOf: CodeOf): ExchangeOrder {
  const one = order.parse(body);
  const status = lookUp(orderStatuses, one.status) ?? 'unknown';
  const { fee, asset } = feeOf(one);
  return {
    exchangeId: one.id,
    clientOrderId: one.text,
    status,
    rawStatus: one.status,
    volume: one.amount,
    // Samples of April 2024 and before have no `filled_amount`.
    executedVolume: one.filled_amount ?? one.amount.minus(one.left),
    cost: one.filled_total,
    averagePrice: one.avg_deal_price ?? Amount.zero,
    fee,
    feeAsset: asset === null ? null : codeOf(asset),
    openedAt: one.create_time_ms,
    closedAt: status === 'open' || status === 'unknown' ? null : one.update_time_ms,
    description: { pair: one.currency_pair, side: one.side, type: one.type },
    raw: one,
  };
}
