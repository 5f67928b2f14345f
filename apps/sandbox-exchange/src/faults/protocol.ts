/** The response to one call; null closes the connection without a response. */
export type Reply = {
  status: number;
  /** Sent as JSON. */
  body: unknown;
  headers?: Record<string, string>;
  /** The response is held back this long; the call itself has already been carried out. */
  delayMs?: number;
} | null;

/** A record of a history in a response; faults ignore its other fields. */
export interface HistoryRecord {
  amount: string;
  fee: string;
}
export type HistoryChange = (records: HistoryRecord[]) => HistoryRecord[];

/** Faults that send an error response instead of carrying out the call. Each protocol defines its own response. */
export const refusalNames = [
  'rate_limit',
  'definite_refusal',
  'history_errors',
  'wrong_nonce',
  'revoked_key',
  'ip_refused',
  'service_unavailable',
] as const;
export type RefusalName = (typeof refusalNames)[number];

/** Faults that change a list of prices. */
const tickerFaultNames = ['zero_prices', 'missing_fields'] as const;

export interface HistoryForm {
  /** Returns the response with a changed history; a response without a history stays as it is. */
  mapped: (body: unknown, change: HistoryChange) => unknown;
  /** Epoch milliseconds. */
  timeOf: (record: HistoryRecord) => number;
}

interface OrderForm {
  /** Endpoints whose responses contain orders. */
  endpoints: readonly string[];
  /** Removes orders that were opened after `time` (epoch milliseconds); a response without orders stays as it is. */
  openedUpTo: (body: unknown, time: number) => unknown;
}

interface LedgerForm {
  /** The only endpoint that lists the entries of the ledger. */
  endpoint: string;
  /** Removes entries that were booked after `time` (epoch milliseconds); a response without entries stays as it is. */
  bookedUpTo: (body: unknown, time: number) => unknown;
}

/** Faults that change a list of deposit addresses. */
const addressFaultNames = ['tag_missing', 'other_network'] as const;

/** An address in a response; the name of its tag field depends on the protocol. */
export type AddressRecord = { address: string; [field: string]: unknown };

interface AddressForm {
  /** The only endpoint whose responses contain deposit addresses. */
  endpoint: string;
  withoutTag: (record: AddressRecord) => AddressRecord;
  mapped: (body: unknown, change: (address: AddressRecord) => AddressRecord) => unknown;
}

export interface TickerForm {
  /** The only endpoint whose responses contain tickers. */
  endpoint: string;
  /** Fields of a ticker that hold a price, or a list with prices in it. */
  priceFields: readonly string[];
  /** Returns the response with every ticker changed; an error response stays as it is. */
  mapped: (body: unknown, change: (ticker: object, index: number) => object) => unknown;
}

/** How faults change the responses of one exchange's protocol. */
export interface Protocol {
  /**
   * The error response of each fault. `error` comes from the request that armed the fault. A fault that is missing here
   * does not apply to this protocol.
   */
  refusals: Readonly<Partial<Record<RefusalName, (error: string | undefined) => Reply>>>;
  /** Returns a successful response without its content. */
  emptied: (body: unknown) => unknown;
  history?: HistoryForm;
  orders?: OrderForm;
  ledger?: LedgerForm;
  addresses?: AddressForm;
  tickers?: TickerForm;
  /** The error in a response body; null when there is none. */
  errorIn: (body: unknown) => string | null;
}

const isOneOf = (names: readonly string[], name: string): boolean => names.includes(name);

/** Returns whether the fault can be used at this endpoint. */
export function knowsFault(protocol: Protocol, fault: string, endpoint: string): boolean {
  const { refusals, history, orders, ledger, addresses, tickers } = protocol;
  if (fault === 'executed_refusal') return Object.hasOwn(refusals, 'definite_refusal');
  if (isOneOf(refusalNames, fault)) return Object.hasOwn(refusals, fault);
  if (isOneOf(tickerFaultNames, fault)) return tickers?.endpoint === endpoint;
  if (isOneOf(addressFaultNames, fault)) return addresses?.endpoint === endpoint;
  const showsRecords = ledger?.endpoint !== endpoint && orders?.endpoints.includes(endpoint) !== true;
  if (fault === 'history_other_fee' && !showsRecords) return false;
  return history !== undefined || !fault.startsWith('history_');
}

/** Changes every list of history records among the values of a response body. A body that is a list stays as it is. */
export function withListsChanged(response: object, change: HistoryChange): unknown {
  if (Array.isArray(response)) return response;
  const entries = Object.entries(response).map(([name, value]: [string, unknown]) => [
    name,
    isHistory(value) ? change(value) : value,
  ]);
  return Object.fromEntries(entries) as unknown;
}

export function isHistory(value: unknown): value is HistoryRecord[] {
  return Array.isArray(value) && value.every(isRecord);
}

function isRecord(value: unknown): value is HistoryRecord {
  if (typeof value !== 'object' || value === null) return false;
  const { amount, fee } = value as Partial<HistoryRecord>;
  return typeof amount === 'string' && typeof fee === 'string';
}
