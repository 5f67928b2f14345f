/** What the exchange says in answer to one call; `null` = it cuts the connection without a word. */
export type Reply = {
  status: number;
  /** Becomes JSON. */
  body: unknown;
  headers?: Record<string, string>;
  /** The answer waits this long; what it tells was done at once. */
  delayMs?: number;
} | null;

/** A record of a history as it is answered; whatever else it has is not looked at. */
export interface HistoryRecord {
  amount: string;
  fee: string;
}
export type HistoryChange = (records: HistoryRecord[]) => HistoryRecord[];

/** What a fault makes the exchange say instead of carrying out the call, in every dialect's own words. */
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

/** What a list of prices can lie about. */
const tickerFaultNames = ['zero_prices', 'missing_fields'] as const;

export interface HistoryForm {
  /** The answer with another history in it; answers without one stay as they are. */
  mapped: (body: unknown, change: HistoryChange) => unknown;
  /** Epoch milliseconds. */
  timeOf: (record: HistoryRecord) => number;
}

interface OrderForm {
  /** The endpoints that answer with orders. */
  endpoints: readonly string[];
  /** The answer without orders that were opened after `time`, epoch milliseconds; answers without orders stay as they are. */
  openedUpTo: (body: unknown, time: number) => unknown;
}

interface LedgerForm {
  /** The only endpoint that lists the entries of the ledger. */
  endpoint: string;
  /** The answer without entries that were booked after `time`, epoch milliseconds; answers without entries stay as they are. */
  bookedUpTo: (body: unknown, time: number) => unknown;
}

/** What a list of deposit addresses can lie about. */
const addressFaultNames = ['tag_missing', 'other_network'] as const;

/** An address as it is answered; its tag goes by the dialect's own names. */
export type AddressRecord = { address: string; [field: string]: unknown };

interface AddressForm {
  /** The only endpoint that answers with deposit addresses. */
  endpoint: string;
  withoutTag: (record: AddressRecord) => AddressRecord;
  mapped: (body: unknown, change: (address: AddressRecord) => AddressRecord) => unknown;
}

export interface TickerForm {
  /** The only endpoint that answers with tickers. */
  endpoint: string;
  /** Fields of a ticker that hold a price, or a list with prices in it. */
  priceFields: readonly string[];
  /** The answer with every ticker changed; refusals stay as they are. */
  mapped: (body: unknown, change: (ticker: object, index: number) => object) => unknown;
}

/** The wire protocol that a call speaks, as far as faults have to know it. */
export interface Dialect {
  /** `error` was given with the fault. A name that is not here means nothing in this dialect. */
  refusals: Readonly<Partial<Record<RefusalName, (error: string | undefined) => Reply>>>;
  /** A success that tells nothing. */
  emptied: (body: unknown) => unknown;
  history?: HistoryForm;
  orders?: OrderForm;
  ledger?: LedgerForm;
  addresses?: AddressForm;
  tickers?: TickerForm;
  /** The error that an answer tells; null = none. */
  errorIn: (body: unknown) => string | null;
}

const isOneOf = (names: readonly string[], name: string): boolean => names.includes(name);

/** Whether the fault means something at this endpoint. */
export function knowsFault(dialect: Dialect, fault: string, endpoint: string): boolean {
  const { refusals, history, orders, ledger, addresses, tickers } = dialect;
  if (isOneOf(refusalNames, fault)) return Object.hasOwn(refusals, fault);
  if (isOneOf(tickerFaultNames, fault)) return tickers?.endpoint === endpoint;
  if (isOneOf(addressFaultNames, fault)) return addresses?.endpoint === endpoint;
  const showsRecords = ledger?.endpoint !== endpoint && orders?.endpoints.includes(endpoint) !== true;
  if (fault === 'history_other_fee' && !showsRecords) return false;
  return history !== undefined || !fault.startsWith('history_');
}

/** Changes every list of history records among the values of `answer`. */
export function withListsChanged(answer: object, change: HistoryChange): unknown {
  const entries = Object.entries(answer).map(([name, value]: [string, unknown]) => [
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
