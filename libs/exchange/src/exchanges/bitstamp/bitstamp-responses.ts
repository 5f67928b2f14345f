import { z } from 'zod';
import { Amount } from '#money';
import { balanceReader } from '../../capabilities/account-balances.js';
import { fieldOf } from '../../capabilities/entry-fields.js';
import { idIn } from '../../capabilities/envelope.js';
import type { ListedAddress } from '../../capabilities/listed-deposits.js';
import { entriesByNetwork, networkReader } from '../../capabilities/network-form.js';
import type { ReportedFees } from '../../capabilities/order-fees.js';
import { averagePriceOf, orderReader } from '../../capabilities/order-form.js';
import {
  amount,
  codeText,
  entriesOf,
  name,
  optionalAmount,
  optionalText,
  epochTime,
  utcTime,
  type CodeOf,
} from '../../capabilities/response-fields.js';
import { pairForm } from '../../capabilities/pair-form.js';
import { transferReader } from '../../capabilities/transfer-form.js';
import { BOTH, LIMIT_ONLY, NONE, digits, type PairListing } from '../../declaration/pair-source.js';
import { price, readEntries, type TickerListing } from '../../declaration/ticker-source.js';
import type { ExchangeOrder } from '../../port/trading.port.js';
import type { ReportedError } from '../../transport/error-map.js';

/** The fields that we read, by www.bitstamp.net/api. The comment above each reader names the operation. */

/** GetAccountBalances: "Available balance for trading", "Reserved balance for trading". */
export const readBalances = balanceReader(entriesOf, { asset: 'currency', free: 'available', used: 'reserved' });

/**
 * Our network ids by Bitstamp's names: the values of `network` in the description of the API
 * (www.bitstamp.net/api/#tag/Withdrawals/operation/RequestCryptoWithdrawal). Other names are left out.
 */
const byName: Readonly<Record<string, string>> = {
  bitcoin: 'bitcoin',
  ethereum: 'ethereum',
  litecoin: 'litecoin',
  'bitcoin-cash': 'bitcoincash',
  stellar: 'stellar',
  xrpl: 'ripple',
  algorand: 'algorand',
  hedera: 'hedera',
  cardano: 'cardano',
  'avalanche-c-chain': 'avalanche',
  solana: 'solana',
  polkadot: 'polkadot',
  near: 'near',
  doge: 'dogecoin',
  sui: 'sui',
};

/** The tables of names of networks. */
export const networkNames = [byName];

/** GetCurrencies: an entry for each currency and network. */
export const currenciesOf = (body: unknown): unknown[] => entriesByNetwork(entriesOf(body), 'networks', ['currency']);

/** Bitstamp does not list the contracts of tokens, so the name of the network alone identifies a token. */
export const readNetwork = networkReader(byName, {
  asset: 'currency',
  network: 'network',
  canDeposit: fieldOf('deposit', name).transform((state) => state === 'Enabled'),
});

/** GetCryptoDepositAddress: "Destination tag in case of currency XRP", "Memo ID in case of network HBAR or XLM". */
export const readAddress = (body: unknown): ListedAddress => {
  const text = z.union([z.string(), z.number()]).nullish();
  const one = z.object({ address: name, destination_tag: text, memo_id: text, transfer_id: text }).parse(body);
  const tag = one.destination_tag ?? one.memo_id ?? one.transfer_id ?? '';
  return { exchangeNetworkId: null, address: one.address, tag: tag === '' ? null : String(tag) };
};

/** The withdrawals on a page of GetWithdrawalRequests, and the deposits on a page of GetCryptoUserTransactions. */
export const readTransfers = {
  withdrawal: entriesOf,
  deposit: (body: unknown): unknown[] => z.object({ deposits: z.array(z.unknown()) }).parse(body).deposits,
};

export const dated = fieldOf('datetime', z.union([utcTime, epochTime])).transform((at) => ({ at }));

const transfer = { asset: 'currency', amount: 'amount', network: 'network', exchangeId: 'id' };

/** The address (0) or the tag (1) in a text such as "rE1…?dt=1455". */
const partOf = (field: string, part: 0 | 1) =>
  fieldOf(field, optionalText).transform((text) => text?.split('?dt=')[part] ?? null);

/**
 * The documentation does not state whether the listed amount of a withdrawal includes the fee. We take it as the amount
 * that arrives. Statuses of withdrawals: "0 (open), 1 (in process), 2 (finished), 3 (canceled), 4 (failed) or 11
 * (reversed)".
 */
export const readTransfer = transferReader(byName, {
  withdrawal: {
    ...transfer,
    at: fieldOf('datetime', utcTime),
    hash: 'transaction_id',
    address: partOf('address', 0),
    tag: partOf('address', 1),
    status: 'status',
    finals: { '2': 'completed', '3': 'canceled', '4': 'failed', '11': 'failed' },
    underway: ['0', '1'],
  },
  deposit: {
    ...transfer,
    at: fieldOf('datetime', epochTime),
    hash: 'txid',
    status: 'status',
    address: partOf('destinationAddress', 0),
    tag: partOf('destinationAddress', 1),
    finals: { FINALIZED: 'completed', REVERTED: 'failed', REJECTED: 'failed' },
  },
});

/** OpenLimitBuyOrder and the operations for other sides and types: the id of the accepted order. */
export const readOrderId = idIn(fieldOf('id', codeText));

const sumOf = (field: string, transactions: readonly Record<string, unknown>[]): Amount =>
  Amount.sum(transactions.map((each) => amount.parse(each[field]).abs()));

/** The sums of an order's transactions. A transaction states each amount under the lower-case name of its currency. */
const executions = z
  .object({
    market: z.string().regex(/^[^/]+\/[^/]+$/),
    amount_remaining: amount,
    transactions: z.array(z.record(z.string(), z.unknown())),
  })
  .transform(({ market, amount_remaining: remaining, transactions }) => {
    const [base = '', quote = ''] = market.toLowerCase().split('/');
    const volumes = transactions.map((each) => amount.parse(each[base]).abs());
    const [volume, cost] = [Amount.sum(volumes), sumOf(quote, transactions)];
    const value = Amount.sum(volumes.map((each, index) => each.times(amount.parse(transactions[index]?.['price']))));
    // In the documented samples, each fee is a share of the amount in the quote currency, so fees are in this currency.
    const isFeeKnown = transactions.every((each) => optionalAmount.parse(each['fee']) !== null);
    const fees = isFeeKnown ? [{ asset: null, amount: sumOf('fee', transactions) }] : null;
    return { volume, cost, averagePrice: averagePriceOf(value, volume), fees, ordered: volume.plus(remaining) };
  });

const order = {
  exchangeId: 'id',
  clientOrderId: 'client_order_id',
  pair: 'market',
  status: 'status',
  // Bitstamp: "Open, Finished, Expired or Canceled." JKorf/Bitstamp.Net (OrderStatus.cs) also has "Cancel pending".
  statuses: { Open: 'open', 'Cancel pending': 'open', Finished: 'filled', Expired: 'expired', Canceled: 'canceled' },
  side: fieldOf('type', codeText).transform((type) => (type === '1' ? 'sell' : 'buy')),
  volume: executions.transform(({ ordered }) => ordered),
  executedVolume: executions.transform(({ volume }) => volume),
  cost: executions.transform(({ cost }) => cost),
  // A small cost can be rounded to zero, so the price is that of the transactions.
  averagePrice: executions.transform(({ averagePrice }) => averagePrice),
  fees: executions.transform(({ fees }): ReportedFees => fees),
  openedAt: fieldOf('datetime', utcTime),
} as const;
const orderOf = {
  market: orderReader({ ...order, type: z.unknown().transform(() => 'market') }),
  limit: orderReader({ ...order, type: z.unknown().transform(() => 'limit') }),
};

/** GetOrderStatus. @param endpoint where the order was placed, such as `buy` or `sell/market` */
export function readOrder(body: unknown, endpoint: string, codeOf: CodeOf): ExchangeOrder {
  return orderOf[endpoint.endsWith('market') ? 'market' : 'limit'](body, codeOf);
}

/** The code that we give to refusals which Bitstamp reports as a text only. */
export const TEXT = 'reason';

const any = z.unknown().optional();
const errorForm = z.object({ status: any, error: any, reason: any, code: optionalText, response_code: optionalText });

/**
 * Reads the errors of a response. It has a code in `code` ("Possible authentication errors") or in `response_code`
 * ("Response codes"), or only texts in `reason` or `error`.
 */
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

/**
 * Returns all texts in an object such as `{"__all__": ["a text"]}` or `{"amount": ["a text"]}`, or a value that is a
 * text itself.
 */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Operation GetMarkets. Perpetuals are left out. The list has no fees, because fees depend on the account. */
export const bitstampPairs: PairListing = {
  path: '/api/v2/markets/',
  list: entriesOf,
  pair: pairForm({
    isSpot: fieldOf('market_type', z.string()).transform((type) => type === 'SPOT'),
    base: 'base_currency',
    quote: 'counter_currency',
    symbol: 'market_symbol',
    status: 'trading',
    orderTypes: z.object({ trading: name, instant_and_market_orders: z.string() }).transform((one) => {
      if (one.trading !== 'Enabled') return NONE;
      return one.instant_and_market_orders === 'Enabled' ? BOTH : LIMIT_ONLY;
    }),
    tickSize: fieldOf('counter_decimals', digits),
    stepSize: fieldOf('base_decimals', digits),
    minBaseQty: 'minimum_order_amount',
    minCost: 'minimum_order_value',
  }),
};

const ticker = z.object({
  pair: z.string().regex(/^[^/]+\/USD$/),
  market_type: z.literal('SPOT').optional(),
  last: price,
});

/**
 * Bitstamp. Pairs are named `BTC/USD`. The list also contains perpetuals, named `BTC/USD-PERP`, with their own
 * `market_type`. They do not match `ticker`, and are left out.
 * www.bitstamp.net/api/#tag/Tickers/operation/GetCurrencyPairTickers
 */
export const bitstampTickers: TickerListing = {
  path: '/api/v2/ticker/',
  read: (body) =>
    readEntries(entriesOf(body), ticker).map(({ pair, last }) => ({
      pair,
      asset: pair.slice(0, -'/USD'.length),
      price: last,
    })),
};
