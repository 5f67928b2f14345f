import type { SampleOrder } from './exchange-contract.js';

/** What an order of `OrdersContract.listing` must become, beside the values that `SampleOrder` states. */
export interface DocumentedOrder {
  readonly pair: string;
  readonly sides: Readonly<Record<SampleOrder['side'], string>>;
  readonly type: string;
  readonly rawStatuses: Readonly<Record<'partly executed' | 'filled' | 'canceled', string>>;
  /** How long after `at` the sample ends; null = the exchange does not report when an order ends. */
  readonly endsAfterMs: number | null;
}

const lower = { buy: 'buy', sell: 'sell' } as const;
const upper = { buy: 'BUY', sell: 'SELL' } as const;

/** By the name of the contract, from the pages on orders that the contract names. */
export const documentedOrders: Readonly<Record<string, DocumentedOrder>> = {
  binance: {
    pair: 'BTCUSDT',
    sides: upper,
    type: 'LIMIT',
    endsAfterMs: 1,
    rawStatuses: { 'partly executed': 'PARTIALLY_FILLED', filled: 'FILLED', canceled: 'CANCELED' },
  },
  bitget: {
    pair: 'BTCUSDT',
    sides: lower,
    type: 'limit',
    endsAfterMs: 1,
    rawStatuses: { 'partly executed': 'partially_filled', filled: 'filled', canceled: 'cancelled' },
  },
  'bitget-unified': {
    pair: 'BTCUSDT',
    sides: lower,
    type: 'limit',
    endsAfterMs: 1,
    rawStatuses: { 'partly executed': 'partially_filled', filled: 'filled', canceled: 'cancelled' },
  },
  // Bitstamp's orders state no type: it follows from the endpoint with which the order was placed.
  bitstamp: {
    pair: 'BTC/USD',
    sides: lower,
    type: 'limit',
    endsAfterMs: null,
    rawStatuses: { 'partly executed': 'Open', filled: 'Finished', canceled: 'Canceled' },
  },
  bybit: {
    pair: 'BTCUSDT',
    sides: { buy: 'Buy', sell: 'Sell' },
    type: 'Limit',
    endsAfterMs: 1,
    rawStatuses: { 'partly executed': 'PartiallyFilled', filled: 'Filled', canceled: 'Cancelled' },
  },
  coinbase: {
    pair: 'BTC-USD',
    sides: upper,
    type: 'LIMIT',
    endsAfterMs: null,
    rawStatuses: { 'partly executed': 'OPEN', filled: 'FILLED', canceled: 'CANCELLED' },
  },
  gate: {
    pair: 'BTC_USDT',
    sides: lower,
    type: 'limit',
    endsAfterMs: 1,
    rawStatuses: { 'partly executed': 'open', filled: 'closed', canceled: 'cancelled' },
  },
  // Gemini's orders state no status, so these words are ours.
  gemini: {
    pair: 'btcusd',
    sides: lower,
    type: 'exchange limit',
    endsAfterMs: null,
    rawStatuses: { 'partly executed': 'live', filled: 'executed', canceled: 'cancelled' },
  },
  kraken: {
    pair: 'XBTUSD',
    sides: lower,
    type: 'limit',
    endsAfterMs: 1_000,
    rawStatuses: { 'partly executed': 'open', filled: 'closed', canceled: 'canceled' },
  },
  // KuCoin's orders state no status, so these words are ours.
  kucoin: {
    pair: 'BTC-USDT',
    sides: lower,
    type: 'limit',
    endsAfterMs: 1,
    rawStatuses: { 'partly executed': 'active', filled: 'filled', canceled: 'canceled' },
  },
  okx: {
    pair: 'BTC-USDT',
    sides: lower,
    type: 'limit',
    endsAfterMs: 1,
    rawStatuses: { 'partly executed': 'partially_filled', filled: 'filled', canceled: 'canceled' },
  },
};
