import { z } from 'zod';
import { Amount } from '#money';
import type { AccountBalance } from '../../capabilities/account-balances.js';
import type { ListedAddress } from '../../capabilities/listed-deposits.js';
import type { ListedNetwork } from '../../capabilities/network-list.js';
import { amount, name, optionalText, type CodeOf } from '../../capabilities/response-fields.js';
import type { TransferRecord } from '../../capabilities/transfer-record.js';
import { lookUp } from '../../declaration/look-up.js';
import type { HistoryKind } from '../../port/exchange.port.js';
import type { ExchangeOrder, OrderStatus } from '../../port/trading.port.js';
import type { OrderReceipt } from '../../submission/order-outcome.js';
import type { ReportedError } from '../../transport/error-map.js';
import { networkIdOf } from './bitstamp-networks.js';

/** The fields that we read of www.bitstamp.net/api. The operation is beside each schema. */

/** A number that is a name, as a text or as a number. */
const id = z.union([name, z.number()]).transform(String);

/** `2022-01-31 16:07:32`, with or without a fraction of the second, in UTC. */
const moment = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d/)
  .transform((text) => new Date(`${text.replace(' ', 'T').slice(0, 23).replace(/Z$/, '')}Z`))
  .refine((date) => !Number.isNaN(date.getTime()));

/** GetAccountBalances: "Available balance for trading", "Reserved balance for trading". */
export const readBalances = (body: unknown, codeOf: CodeOf): AccountBalance[] =>
  z
    .array(z.object({ currency: name, available: amount, reserved: amount }))
    .parse(body)
    .map(({ currency, available, reserved }) => ({ asset: codeOf(currency), free: available, used: reserved }));

/** GetCurrencies: an entry for each currency and network. A currency without readable networks is one entry. */
export const readCurrencies = (body: unknown): unknown[] =>
  z
    .array(z.unknown())
    .parse(body)
    .flatMap((entry) => {
      const parsed = currencyNetworks.safeParse(entry);
      if (!parsed.success) return [entry];
      return parsed.data.networks.map((network) => ({ currency: parsed.data.currency, network }));
    });

const currencyNetworks = z.object({ currency: name, networks: z.array(z.unknown()) });

const currencyNetwork = z.object({
  currency: name,
  network: z.object({
    network: name,
    deposit: name,
    withdrawal_decimals: z.coerce.number().int().min(0).max(30),
  }),
});

/** @throws when the entry is unreadable */
export function readNetwork(entry: unknown, codeOf: CodeOf): ListedNetwork {
  const { currency, network: one } = currencyNetwork.parse(entry);
  return {
    asset: codeOf(currency),
    assetId: currency,
    // Bitstamp lists no contracts.
    networkId: networkIdOf(one.network),
    exchangeNetworkId: one.network,
    displayName: one.network,
    canWithdraw: false,
    canDeposit: one.deposit === 'Enabled',
    decimals: one.withdrawal_decimals,
    minWithdrawal: null,
    maxWithdrawal: null,
    fee: null,
    needsTag: false,
    minDeposit: null,
  };
}

/** GetCryptoDepositAddress: "Destination tag in case of currency XRP", "Memo ID in case of network HBAR or XLM". */
export const readAddress = (body: unknown): ListedAddress => {
  const text = z.union([z.string(), z.number()]).nullish();
  const one = z.object({ address: name, destination_tag: text, memo_id: text, transfer_id: text }).parse(body);
  const tag = one.destination_tag ?? one.memo_id ?? one.transfer_id ?? '';
  return { exchangeNetworkId: null, address: one.address, tag: tag === '' ? null : String(tag) };
};

/** GetWithdrawalRequests; GetCryptoUserTransactions has the deposits. Each list is a page. */
export const readTransfers = {
  withdrawal: (body: unknown): unknown[] => z.array(z.unknown()).parse(body),
  deposit: (body: unknown): unknown[] => z.object({ deposits: z.array(z.unknown()) }).parse(body).deposits,
};

/** The time of an entry; null = it has none that can be read. */
export function timeOf(entry: unknown): Date | null {
  const parsed = z.object({ datetime: z.union([moment, seconds]) }).safeParse(entry);
  return parsed.success ? parsed.data.datetime : null;
}

const seconds = z.coerce
  .number()
  .int()
  .transform((count) => new Date(count * 1000));

const withdrawal = z.object({
  id,
  datetime: moment,
  currency: name,
  network: optionalText,
  amount,
  status: id,
  address: optionalText,
  transaction_id: optionalText,
});

const deposit = z.object({
  id,
  datetime: seconds,
  currency: name,
  network: optionalText,
  amount,
  status: name,
  destinationAddress: optionalText,
  txid: optionalText,
});

/** The statuses that are final. "0 (open), 1 (in process), 2 (finished), 3 (canceled), 4 (failed) or 11 (reversed)" */
const finalStatuses: Readonly<Record<HistoryKind, Readonly<Record<string, TransferRecord['status']>>>> = {
  withdrawal: { '2': 'completed', '3': 'canceled', '4': 'failed', '11': 'failed' },
  deposit: { FINALIZED: 'completed', REVERTED: 'failed', REJECTED: 'failed' },
};

/**
 * A withdrawal's amount is as Bitstamp lists it, because the documentation does not say whether it contains the fee.
 * @throws when the entry is unreadable
 */
export function readTransfer(kind: HistoryKind, entry: unknown, codeOf: CodeOf): TransferRecord {
  const { address, hash, ...one } = kind === 'withdrawal' ? withdrawalOf(entry) : depositOf(entry);
  return {
    exchangeId: one.id,
    status: lookUp(finalStatuses[kind], one.status) ?? 'pending',
    rawStatus: one.status,
    asset: codeOf(one.currency),
    amountNoFee: one.amount,
    fee: null,
    network: one.network === null ? null : networkIdOf(one.network),
    exchangeNetwork: one.network,
    // "rE1…?dt=1455"
    address: address?.split('?dt=')[0] ?? null,
    tag: address?.split('?dt=')[1] ?? null,
    hash,
    at: one.datetime,
    clientRef: null,
  };
}

function withdrawalOf(entry: unknown) {
  const { address, transaction_id: hash, ...one } = withdrawal.parse(entry);
  return { ...one, address, hash };
}

function depositOf(entry: unknown) {
  const { destinationAddress: address, txid: hash, ...one } = deposit.parse(entry);
  return { ...one, address, hash };
}

/** OpenLimitBuyOrder and its neighbours */
export function readOrderReceipt(body: unknown): OrderReceipt | null {
  const parsed = z.object({ id }).safeParse(body);
  return parsed.success ? { exchangeIds: [parsed.data.id], description: null } : null;
}

/** "Open, Finished, Expired or Canceled." */
const orderStatuses: Readonly<Record<string, OrderStatus>> = {
  Open: 'open',
  Finished: 'filled',
  Expired: 'expired',
  Canceled: 'canceled',
};

/** The decimals of an average price, which is calculated from the transactions. */
const PRICE_DECIMALS = 18;

/** GetOrderStatus. A transaction has its amounts under the names of the market's currencies, in lower case. */
const order = z.object({
  id,
  datetime: moment,
  type: z.union([z.string(), z.number()]).transform((type) => (String(type) === '1' ? 'sell' : 'buy')),
  status: name,
  market: z.string().regex(/^[^/]+\/[^/]+$/),
  amount_remaining: amount,
  client_order_id: optionalText,
  transactions: z.array(z.record(z.string(), z.unknown())),
});

/** @param endpoint `buy`, `sell/market` or another value of the parameter of the request */
export function readOrder(body: unknown, endpoint: string): ExchangeOrder {
  const one = order.parse(body);
  const [base = '', quote = ''] = one.market.toLowerCase().split('/');
  const sumOf = (field: string): Amount =>
    one.transactions.reduce((sum, each) => sum.plus(amount.parse(each[field]).abs()), Amount.zero);
  const [executedVolume, cost] = [sumOf(base), sumOf(quote)];
  return {
    exchangeId: one.id,
    clientOrderId: one.client_order_id,
    status: lookUp(orderStatuses, one.status) ?? 'unknown',
    rawStatus: one.status,
    volume: executedVolume.plus(one.amount_remaining),
    executedVolume,
    cost,
    averagePrice: executedVolume.isZero() ? Amount.zero : cost.dividedBy(executedVolume, PRICE_DECIMALS),
    // In the documented samples the fee is a share of the amount in the quote currency.
    fee: sumOf('fee'),
    feeAsset: null,
    openedAt: one.datetime,
    closedAt: null,
    description: { pair: one.market, side: one.type, type: endpoint.endsWith('market') ? 'market' : 'limit' },
    raw: z.record(z.string(), z.unknown()).parse(body),
  };
}

/** The code of refusals that Bitstamp reports as a text only. */
export const TEXT = 'reason';

const any = z.unknown().optional();
const errorForm = z.object({ status: any, error: any, reason: any, code: optionalText, response_code: optionalText });

/** "Possible authentication errors" (`code`), "Response codes" (`response_code`), or texts (`reason`, `error`). */
export function readErrors(body: unknown): ReportedError[] {
  const parsed = errorForm.safeParse(body);
  if (!parsed.success) return [];
  const { status, error = null, reason, code, response_code: responseCode } = parsed.data;
  if (status !== 'error' && error === null && code === null) return [];
  const messages = [...textsIn(reason), ...textsIn(error)];
  const known = code ?? responseCode;
  if (known !== null) return [{ code: known, message: messages.join(' ') }];
  return messages.length === 0 ? [{ code: TEXT }] : messages.map((message) => ({ code: TEXT, message }));
}

/** `{"__all__": ["a text"]}`, `{"amount": ["a text"]}`, or one text. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
