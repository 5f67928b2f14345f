import type { HistoryKind, HistoryRecord } from '../../port/exchange.port.js';

/** What a record must become. Amounts are decimal texts, and times are texts of ISO 8601. */
type ExpectedRecord = Readonly<
  Omit<HistoryRecord, 'kind' | 'status' | 'rawStatus' | 'amount' | 'fee' | 'at'> & {
    rawStatus: string;
    amount: string;
    fee: string | null;
    at: string;
  }
>;

/**
 * A record as the exchange's documentation shows it, and what each of its fields means by the documentation. The values
 * of the sample are the documented ones; where they are empty or equal to the value of another field, they are changed
 * so that each field has a value of its own.
 */
export interface DocumentedTransfer {
  readonly entry: Readonly<Record<string, unknown>>;
  /** The record with `entry`, which is completed. */
  readonly expected: ExpectedRecord;
  /** The documented statuses, and some that are not documented. */
  readonly statuses: Readonly<Record<string, HistoryRecord['status']>>;
}

export type DocumentedTransfers = Readonly<Record<HistoryKind, DocumentedTransfer>>;
