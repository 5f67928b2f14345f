import { z } from 'zod';
import { Amount } from '#money';
import { balanceReader } from '../../capabilities/account-balances.js';
import { fieldOf } from '../../capabilities/entry-fields.js';
import { idIn } from '../../capabilities/envelope.js';
import { addressForm, type ListedAddress } from '../../capabilities/listed-deposits.js';
import { networkReader } from '../../capabilities/network-form.js';
import type { ReportedFees } from '../../capabilities/order-fees.js';
import { orderReader } from '../../capabilities/order-form.js';
import {
  UNREPORTED_KEY_INFO,
  amount,
  codeText,
  entriesOf,
  epochTime,
  name,
  optionalAmount,
  optionalText,
  type CodeOf,
} from '../../capabilities/response-fields.js';
import { pairForm } from '../../capabilities/pair-form.js';
import { transferReader } from '../../capabilities/transfer-form.js';
import { lookUp } from '../../declaration/look-up.js';
import { LIMIT_ONLY, type PairListing } from '../../declaration/pair-source.js';
import { price, readEntries, type TickerListing } from '../../declaration/ticker-source.js';
import type { HistoryKind, KeyInfo } from '../../port/exchange.port.js';
import type { ExchangeOrder } from '../../port/trading.port.js';
import type { ReportedError } from '../../transport/error-map.js';

/** The fields that we read, by developer.gemini.com/rest. The comment above each reader names the operation. */

/**
 * Get Available Balances: `amount` "is not reduced until the withdrawal has been confirmed", and `available` "is
 * reduced immediately when an order hold or withdrawal hold is placed". `used` is their difference.
 */
export const readBalances = balanceReader(entriesOf, {
  asset: 'currency',
  free: 'available',
  total: 'amount',
  withdrawable: 'availableForWithdrawal',
});

const roles = { isAuditor: 'Auditor', isFundManager: 'FundManager', isTrader: 'Trader' } as const;

/** Gemini's documentation: "Roles Endpoint". Gemini reports only the roles of a key. */
export function readKeyInfo(body: unknown): KeyInfo {
  const flags = z.object({ isAuditor: z.boolean(), isFundManager: z.boolean(), isTrader: z.boolean() }).parse(body);
  const permissions = (['isAuditor', 'isFundManager', 'isTrader'] as const).filter((flag) => flags[flag]);
  return { ...UNREPORTED_KEY_INFO, permissions: permissions.map((flag) => roles[flag]) };
}

/**
 * Our network ids by Gemini's names, for the networks with deposit addresses: the values of `network` of "List Deposit
 * Addresses" (developer.gemini.com/rest/fund-management).
 */
const withAddresses: Readonly<Record<string, string>> = {
  bitcoin: 'bitcoin',
  ethereum: 'ethereum',
  bitcoincash: 'bitcoincash',
  litecoin: 'litecoin',
  zcash: 'zcash',
  filecoin: 'filecoin',
  dogecoin: 'dogecoin',
  tezos: 'tezos',
  solana: 'solana',
  polkadot: 'polkadot',
  avalanche: 'avalanche',
  cosmos: 'cosmos',
  xrpl: 'ripple',
};
export const networksWithAddresses: readonly string[] = Object.keys(withAddresses);

/** Our network ids by all of Gemini's names: "List Past Transfers" and "Get Assets for Network" have further names. */
const byName = { ...withAddresses, arbitrum: 'arbitrum', optimism: 'optimism', base: 'base', linea: 'linea' };

/** The tables of names of networks. */
export const networkNames = [byName];

/**
 * Get Assets for Network: "only the assets where your account has deposit and withdraw access enabled". Adds the
 * requested network to each asset.
 */
export function readAssets(network: string, body: unknown): unknown[] {
  const { assets } = z.object({ assets: z.array(z.unknown()) }).parse(body);
  return assets.map((asset) => ({ asset, network }));
}

/** Gemini does not list the contracts of tokens, so the name of the network alone identifies a token. */
export const readNetwork = networkReader(byName, { asset: 'asset', network: 'network' });

/** Create New Deposit Address. List Deposit Addresses returns a list of such addresses, without `network`. */
const address = addressForm({ network: 'network', address: 'address', tag: 'memo' });
export const readAddress = (body: unknown): ListedAddress => address.parse(body);
export const readAddresses = (body: unknown): ListedAddress[] => z.array(address).parse(body);

const transfer = {
  status: 'status',
  asset: 'currency',
  amount: 'amount',
  fee: 'feeAmount',
  feeAsset: 'feeCurrency',
  network: 'network',
  address: 'destination',
  hash: 'txHash',
  at: 'timestampms',
  // No other status of List Past Transfers is final. `Advanced` deposits are credited before they are confirmed.
  finals: { Complete: 'completed' },
} as const;

/**
 * The id of a deposit. Gemini may credit a deposit before it is confirmed (`Advanced`), and lists the confirmed deposit
 * with an `eid` of its own and the id of the advance, `advanceEid` ("Deposit advance event ID"). Both are one deposit,
 * so the id of the advance is the id of the record.
 */
const depositId = z
  .object({ eid: codeText, advanceEid: z.union([codeText, z.literal('')]).nullish() })
  .transform(({ eid, advanceEid = '' }) => (['', '0', null].includes(advanceEid) ? eid : String(advanceEid)));

const advanced = z.object({ type: z.literal('Deposit'), status: z.literal('Advanced') });
const completed = z.object({ type: z.literal('Deposit'), status: z.literal('Complete') });

/** Leaves out the advances of deposits that the list also contains as complete. */
export function withoutCompletedAdvances(entries: readonly unknown[]): unknown[] {
  const complete = entries.filter((entry) => completed.safeParse(entry).success);
  const ids = new Set(complete.map((entry) => depositId.safeParse(entry).data));
  return entries.filter((entry) => !advanced.safeParse(entry).success || !ids.has(depositId.safeParse(entry).data));
}

export const readTransfer = transferReader(byName, {
  withdrawal: {
    ...transfer,
    exchangeId: z.object({ withdrawalId: optionalText, eid: codeText }).transform((one) => one.withdrawalId ?? one.eid),
  },
  deposit: { ...transfer, exchangeId: depositId },
});

const kinds: Readonly<Record<string, HistoryKind>> = { Deposit: 'deposit', Withdrawal: 'withdrawal' };
export const dated = z
  .object({ type: name, timestampms: epochTime })
  .transform(({ type, timestampms: at }) => ({ at, kind: lookUp(kinds, type) }));
export const time = fieldOf('timestampms', epochTime);

/** Create New Order: the id of the accepted order. */
export const readOrderId = idIn(fieldOf('order_id', codeText));

/** The status of an order. An order of which nothing remains, and which is neither live nor cancelled, was executed. */
const status = z
  .object({ is_live: z.boolean(), is_cancelled: z.boolean(), remaining_amount: amount })
  .refine(({ is_live: isLive, is_cancelled: isCancelled }) => !(isLive && isCancelled))
  .transform(({ is_live: isLive, is_cancelled: isCancelled, remaining_amount: remaining }) => {
    if (isLive) return 'live';
    if (isCancelled) return 'cancelled';
    return remaining.isZero() ? 'executed' : 'not live';
  });

const trade = z.object({ price: amount, amount, fee_currency: optionalText, fee_amount: optionalAmount });

/**
 * The sums of an order's trades, which are in the response because the request has `include_trades`. An order without
 * trades may have no field `trades` (source: XChange).
 */
const trades = z.object({ executed_amount: amount, trades: z.array(trade).default([]) }).transform((one) => {
  if (!Amount.sum(one.trades.map((each) => each.amount)).equals(one.executed_amount))
    throw new Error('the trades of an order do not add up to its executed amount');
  const cost = Amount.sum(one.trades.map((each) => each.amount.times(each.price)));
  const fees = one.trades.map(({ fee_currency: asset, fee_amount: fee }) =>
    asset === null || fee === null ? null : { asset, amount: fee },
  );
  return { cost, fees: fees.some((fee) => fee === null) ? null : fees.filter((fee) => fee !== null) };
});

/** Get Order Status, with `include_trades`. @throws when the order is unreadable */
export const readOrder = orderReader({
  exchangeId: 'order_id',
  clientOrderId: 'client_order_id',
  pair: 'symbol',
  side: 'side',
  type: 'type',
  status,
  statuses: { live: 'open', cancelled: 'canceled', executed: 'filled' },
  volume: z
    .object({ original_amount: optionalAmount, executed_amount: amount, remaining_amount: amount })
    .transform((one) => ({ original: one.original_amount, parts: one.executed_amount.plus(one.remaining_amount) }))
    .refine(({ original, parts }) => original?.equals(parts) !== false)
    .transform(({ parts }) => parts),
  limitPrice: 'price',
  executedVolume: 'executed_amount',
  averagePrice: 'avg_execution_price',
  openedAt: 'timestampms',
  cost: trades.transform(({ cost }) => cost),
  fees: trades.transform(({ fees }): ReportedFees => fees),
});

/** The order with our id. Several orders with our id are an error, because at most one of them is ours. */
export function readOrderOf(body: unknown, codeOf: CodeOf): ExchangeOrder | null {
  const found = Array.isArray(body) ? (body as unknown[]) : [body];
  if (found.length > 1) throw new Error('several orders have our id');
  return found.length === 0 ? null : readOrder(found[0], codeOf);
}

/** Our code for the refusal of a network without assets, whose body has `errorMessage` instead of `reason`. */
export const NO_ASSETS = 'no_assets';

const errorForm = z.object({ result: z.literal('error'), reason: name, message: optionalText });

/** The errors in a response (developer.gemini.com/errors). */
export function readErrors(body: unknown): ReportedError[] {
  const parsed = errorForm.safeParse(body);
  if (parsed.success) {
    const { reason, message } = parsed.data;
    return [{ code: reason.replaceAll(' ', ''), ...(message !== null && { message }) }];
  }
  const other = z.object({ errorMessage: name }).safeParse(body);
  return other.success ? [{ code: NO_ASSETS, message: other.data.errorMessage }] : [];
}

/**
 * docs.gemini.com/rest/market-data (Get Symbol Details). Spot pairs take only limit orders. The documentation shows the
 * call for one symbol; with `all` in place of the symbol, the call returns the details of all symbols.
 */
export const geminiPairs: PairListing = {
  path: '/v1/symbols/details/all',
  list: entriesOf,
  pair: pairForm({
    isSpot: fieldOf('product_type', z.string()).transform((type) => type === 'spot'),
    base: 'base_currency',
    quote: 'quote_currency',
    symbol: 'symbol',
    status: 'status',
    orderTypes: { open: LIMIT_ONLY, limit_only: LIMIT_ONLY },
    // `tick_size` is the step of the volume, despite its name.
    tickSize: 'quote_increment',
    stepSize: 'tick_size',
    minBaseQty: 'min_order_size',
  }),
};

const feed = z.object({ pair: z.string().transform((pair) => pair.toUpperCase()), price });

/** Quote assets whose names end in USD, and which are not US dollars. */
const DOLLAR_COINS = ['GUSD', 'RLUSD', 'PYUSD'];
const QUOTES = [...DOLLAR_COINS, 'USDT', 'USDC', 'DAI', 'EUR', 'GBP', 'SGD', 'BTC', 'ETH', 'SOL', 'LTC', 'BCH', 'FIL'];

/**
 * Gemini. The name of a pair is two asset names without a separator. Perpetuals, whose names end in `PERP`, are left
 * out.
 * docs.gemini.com/rest/market-data (List Prices, Get Symbol Details)
 */
export const geminiTickers: TickerListing = {
  path: '/v1/pricefeed',
  read: (body) => {
    const entries = readEntries(entriesOf(body), feed);
    const pairs = new Set(entries.map(({ pair }) => pair));
    return entries
      .filter(({ pair }) => /^[A-Z0-9]+USD$/.test(pair) && !isInDollarCoin(pair, pairs))
      .map(({ pair, price: given }) => ({ pair, asset: pair.slice(0, -'USD'.length), price: given }));
  },
};

/**
 * Whether a pair whose name ends in USD is priced in a dollar coin. The name alone is ambiguous: `BTCGUSD` is BTC in
 * GUSD, but `PAXGUSD` is PAXG in dollars. So we remove the name of the coin (GUSD). The pair is priced in the coin if
 * the rest (BTC, not PAX) is the base asset of another pair, or one of `QUOTES`.
 */
function isInDollarCoin(pair: string, pairs: ReadonlySet<string>): boolean {
  return DOLLAR_COINS.filter((coin) => pair.endsWith(coin)).some((coin) => {
    const asset = pair.slice(0, -coin.length);
    const others = ['USD', ...QUOTES].filter((quote) => quote !== coin);
    return asset !== '' && (QUOTES.includes(asset) || others.some((quote) => pairs.has(asset + quote)));
  });
}
