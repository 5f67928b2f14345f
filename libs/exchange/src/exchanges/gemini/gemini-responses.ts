import { z } from 'zod';
import { Amount } from '#money';
import { fieldOf } from '../../capabilities/entry-fields.js';
import { idIn } from '../../capabilities/envelope.js';
import { addressForm, type ListedAddress } from '../../capabilities/listed-deposits.js';
import { networkReader } from '../../capabilities/network-form.js';
import { orderReader } from '../../capabilities/order-form.js';
import {
  UNREPORTED,
  amount,
  milliseconds,
  name,
  notNegative,
  optionalAmount,
  optionalText,
  type CodeOf,
} from '../../capabilities/response-fields.js';
import { pairForm } from '../../capabilities/pair-form.js';
import { transferReader } from '../../capabilities/transfer-form.js';
import { lookUp } from '../../declaration/look-up.js';
import { LIMIT_ONLY, NONE, type PairListing } from '../../declaration/pair-source.js';
import type { AssetBalance, HistoryKind, KeyInfo } from '../../port/exchange.port.js';
import type { ExchangeOrder } from '../../port/trading.port.js';
import type { ReportedError } from '../../transport/error-map.js';

/** The fields that we read of developer.gemini.com/rest. The operation is beside each form. */

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
  return { ...UNREPORTED, permissions: permissions.map((flag) => roles[flag]) };
}

/**
 * Our network ids by Gemini's names, which have deposit addresses: the values of `network` of "List Deposit Addresses"
 * (developer.gemini.com/rest/fund-management).
 */
const withAddresses: Readonly<Record<string, string>> = {
  ...{ bitcoin: 'bitcoin', ethereum: 'ethereum', bitcoincash: 'bitcoincash', litecoin: 'litecoin', zcash: 'zcash' },
  ...{ filecoin: 'filecoin', dogecoin: 'dogecoin', tezos: 'tezos', solana: 'solana', polkadot: 'polkadot' },
  ...{ avalanche: 'avalanche', cosmos: 'cosmos', xrpl: 'ripple' },
};
export const networksWithAddresses: readonly string[] = Object.keys(withAddresses);

/** Further names of "List Past Transfers" and "Get Assets for Network". */
const others: Readonly<Record<string, string>> = {
  ...{ arbitrum: 'arbitrum', optimism: 'optimism', base: 'base', linea: 'linea' },
};

/** Our id of a network; null = it is not one of ours. */
const networkIdOf = (network: string | null): string | null => lookUp({ ...withAddresses, ...others }, network);

/** Get Assets for Network: "only the assets where your account has deposit and withdraw access enabled". */
export function readAssets(network: string, body: unknown): unknown[] {
  const { assets } = z.object({ assets: z.array(z.unknown()) }).parse(body);
  return assets.map((asset) => ({ asset, network }));
}

/** Gemini lists no contracts. */
export const readNetwork = networkReader(networkIdOf, { asset: 'asset', network: 'network' });

/** Create New Deposit Address; List Deposit Addresses has a list of them, without `network`. */
const address = addressForm({ network: 'network', address: 'address', tag: 'memo' });
export const readAddress = (body: unknown): ListedAddress => address.parse(body);
export const readAddresses = (body: unknown): ListedAddress[] => z.array(address).parse(body);

const transfer = {
  ...{ status: 'status', asset: 'currency', amount: 'amount', fee: 'feeAmount', feeAsset: 'feeCurrency' },
  ...{ network: 'network', address: 'destination', hash: 'txHash', at: 'timestampms' },
  // The only status of List Past Transfers that is final. `Advanced` deposits are credited before they are confirmed.
  finals: { Complete: 'completed' },
} as const;

export const readTransfer = transferReader(networkIdOf, {
  withdrawal: {
    ...transfer,
    exchangeId: z.object({ withdrawalId: optionalText, eid: id }).transform((one) => one.withdrawalId ?? one.eid),
  },
  deposit: { ...transfer, exchangeId: fieldOf('eid', id) },
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

/** Create New Order */
export const readOrderId = idIn(
  fieldOf('order_id', z.union([z.string().regex(/^\d+$/), z.number()])).transform(String),
);

/** An order that is not live and not cancelled was executed, if nothing remains. */
const status = z
  .object({ is_live: z.boolean(), is_cancelled: z.boolean(), remaining_amount: amount })
  .transform(({ is_live: isLive, is_cancelled: isCancelled, remaining_amount: remaining }) => {
    if (isLive) return 'live';
    if (isCancelled) return 'cancelled';
    return remaining.isZero() ? 'executed' : 'not live';
  });

const trade = z.object({ price: amount, amount, fee_currency: name, fee_amount: amount });
const sum = (amounts: readonly Amount[]): Amount => amounts.reduce((total, each) => total.plus(each), Amount.zero);

/** The trades of an order, which `include_trades` adds. */
const trades = z.object({ executed_amount: amount, trades: z.array(trade) }).transform((one) => {
  const [feeAsset = null, ...furtherAssets] = new Set(one.trades.map((each) => each.fee_currency));
  if (furtherAssets.length > 0) throw new Error('an order has fees in several assets');
  if (!sum(one.trades.map((each) => each.amount)).equals(one.executed_amount)) throw new Error('trades are missing');
  const cost = sum(one.trades.map((each) => each.amount.times(each.price)));
  return { cost, fee: sum(one.trades.map((each) => each.fee_amount)), feeAsset };
});

/** Get Order Status, with `include_trades`. @throws when the order is unreadable, or has fees in several assets */
export const readOrder = orderReader({
  ...{ exchangeId: fieldOf('order_id', id), clientOrderId: 'client_order_id', pair: 'symbol', side: 'side' },
  ...{ type: 'type', status, statuses: { live: 'open', cancelled: 'canceled', executed: 'filled' } },
  volume: z
    .object({ original_amount: optionalAmount, executed_amount: amount, remaining_amount: amount })
    .transform((one) => one.original_amount ?? one.executed_amount.plus(one.remaining_amount)),
  ...{ executedVolume: 'executed_amount', averagePrice: 'avg_execution_price', openedAt: 'timestampms' },
  cost: trades.transform(({ cost }) => cost),
  fee: trades.transform(({ fee }) => fee),
  feeAsset: trades.transform(({ feeAsset }) => feeAsset),
});

/** The order with our id. Only one of several could be ours, so several are an error. */
export function readOrderOf(body: unknown, codeOf: CodeOf): ExchangeOrder | null {
  const found = Array.isArray(body) ? (body as unknown[]) : [body];
  if (found.length > 1) throw new Error('several orders have our id');
  return found.length === 0 ? null : readOrder(found[0], codeOf);
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

const OPEN = ['open', 'limit_only'];

/**
 * docs.gemini.com/rest/market-data (Get Symbol Details). Spot orders are limit orders. The documentation shows the details
 * of one symbol; with `all` instead of a symbol the call returns those of all symbols.
 */
export const geminiPairs: PairListing = {
  path: '/v1/symbols/details/all',
  list: (body) => z.array(z.unknown()).parse(body),
  pair: pairForm({
    isSpot: fieldOf('product_type', z.string()).transform((type) => type === 'spot'),
    ...{ base: 'base_currency', quote: 'quote_currency', symbol: 'symbol', status: 'status' },
    orderTypes: fieldOf('status', name).transform((status) => (OPEN.includes(status) ? LIMIT_ONLY : NONE)),
    // `tick_size` is the step of the volume, despite its name.
    ...{ tickSize: 'quote_increment', stepSize: 'tick_size', minBaseQty: 'min_order_size' },
  }),
};
