import { isHistory, withListsChanged, type AddressRecord, type Protocol, type Reply } from '../faults/protocol.js';
import type { KrakenResponse } from './dispatch.js';

export const reply = (body: KrakenResponse): Reply => ({ status: 200, body });
const refusal = (error: string) => (): Reply => reply({ error: [error] });
const refusalOr = (otherwise: string) => (error: string | undefined) => reply({ error: [error ?? otherwise] });

type Orders = Record<string, { opentm: number }>;

const openedUpTo = (orders: Orders, time: number): Orders =>
  Object.fromEntries(Object.entries(orders).filter(([, { opentm }]) => opentm * 1000 <= time));

const isOrders = (value: unknown): value is Orders =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((one: unknown) => typeof one === 'object' && one !== null && 'opentm' in one);

/** Hides orders opened after `time`. OpenOrders and ClosedOrders omit them; QueryOrders returns `Unknown order`. */
function withOrdersUpTo(body: KrakenResponse, time: number): KrakenResponse {
  const { error, result } = body;
  if (typeof result !== 'object' || result === null) return body;
  const lists = result as { open?: unknown; closed?: unknown; count?: number };
  if (isOrders(lists.open)) return { error, result: { ...lists, open: openedUpTo(lists.open, time) } };
  if (isOrders(lists.closed)) {
    const closed = openedUpTo(lists.closed, time);
    const hidden = Object.keys(lists.closed).length - Object.keys(closed).length;
    return {
      error,
      result: { ...lists, closed, ...(lists.count === undefined ? {} : { count: lists.count - hidden }) },
    };
  }
  if (!isOrders(result)) return body;
  const shown = openedUpTo(result, time);
  const isHidden = Object.keys(shown).length < Object.keys(result).length;
  return isHidden ? { error: ['EOrder:Unknown order'] } : body;
}

/** Removes entries booked after `time` from a page of Ledgers and from its count. */
function withEntriesUpTo(body: KrakenResponse, time: number): KrakenResponse {
  const { error, result } = body;
  const { ledger, ...page } = (result ?? {}) as { ledger?: Record<string, { time: number }>; count?: number };
  if (ledger === undefined) return body;
  const older = Object.entries(ledger).filter(([, entry]) => entry.time * 1000 <= time);
  const hidden = Object.keys(ledger).length - older.length;
  const count = page.count === undefined ? {} : { count: page.count - hidden };
  return { error, result: { ledger: Object.fromEntries(older), ...count } };
}

/** Kraken sends every error as HTTP 200 with the list `error`. */
export const krakenProtocol: Protocol = {
  refusals: {
    rate_limit: refusal('EAPI:Rate limit exceeded'),
    definite_refusal: refusalOr('EFunding:Insufficient funds'),
    history_errors: refusalOr('EGeneral:Internal error'),
    wrong_nonce: refusal('EAPI:Invalid nonce'),
    revoked_key: refusal('EAPI:Invalid key'),
    ip_refused: refusal('EGeneral:Permission denied'),
    service_unavailable: refusal('EService:Unavailable'),
  },
  emptied: () => ({ error: [], result: null }),
  history: {
    // The result of WithdrawStatus and DepositStatus is a plain list or a page.
    mapped: (body, change) => {
      const { error, result } = body as KrakenResponse;
      if (isHistory(result)) return { error, result: change(result) };
      if (typeof result !== 'object' || result === null) return body;
      return { error, result: withListsChanged(result, change) };
    },
    timeOf: (record) => (record as typeof record & { time: number }).time * 1000,
  },
  orders: {
    endpoints: ['OpenOrders', 'ClosedOrders', 'QueryOrders'],
    openedUpTo: (body, time) => withOrdersUpTo(body as KrakenResponse, time),
  },
  ledger: { endpoint: 'Ledgers', bookedUpTo: (body, time) => withEntriesUpTo(body as KrakenResponse, time) },
  addresses: {
    endpoint: 'DepositAddresses',
    withoutTag: ({ tag: _tag, memo: _memo, ...record }) => record,
    mapped: (body, change) => {
      const { error, result } = body as KrakenResponse;
      return Array.isArray(result) ? { error, result: (result as AddressRecord[]).map(change) } : body;
    },
  },
  tickers: {
    endpoint: 'Ticker',
    priceFields: ['a', 'b', 'c', 'p', 'l', 'h', 'o'],
    mapped: (body, change) => {
      const { error, result } = body as KrakenResponse;
      if (result === undefined) return body;
      const tickers = Object.entries(result as Record<string, object>);
      return { error, result: Object.fromEntries(tickers.map(([id, ticker], index) => [id, change(ticker, index)])) };
    },
  },
  errorIn: (body) => (body as KrakenResponse).error[0] ?? null,
};
