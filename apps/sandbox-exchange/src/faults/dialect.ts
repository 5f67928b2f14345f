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

/** The wire protocol that a call speaks, as far as faults have to know it. */
export interface Dialect {
  /** `error` was given with the fault. A name that is not here means nothing in this dialect. */
  refusals: Readonly<Partial<Record<RefusalName, (error: string | undefined) => Reply>>>;
  /** A success that tells nothing. */
  emptied: (body: unknown) => unknown;
  /** The answer with another history in it; answers without one stay as they are. */
  historyWith: (body: unknown, change: HistoryChange) => unknown;
  /** Epoch milliseconds. */
  timeOf: (record: HistoryRecord) => number;
  /** The error that an answer tells; null = none. */
  errorIn: (body: unknown) => string | null;
}

export function knowsFault({ refusals }: Dialect, fault: string): boolean {
  return !(refusalNames as readonly string[]).includes(fault) || Object.hasOwn(refusals, fault);
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
