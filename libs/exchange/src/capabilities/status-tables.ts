import { lookUp } from '../declaration/look-up.js';
import type { ExchangeOrder, OrderStatus } from '../port/trading.port.js';
import type { TransferRecord } from './transfer-record.js';

/** The statuses that an exchange documents for transfers of one kind. */
export interface TransferStatuses {
  /** The statuses that are final. */
  readonly finals: Readonly<Record<string, TransferRecord['status']>>;
  /** The statuses of a transfer that is under way; absent = every status that is not final. */
  readonly underway?: readonly string[];
}

/**
 * A transfer's status. A status that is not in the table of final statuses is `pending` or `unknown`: we never guess
 * that a transfer has ended.
 */
export function transferStatus(
  { finals, underway }: TransferStatuses,
  rawStatus: string,
): Pick<TransferRecord, 'status' | 'rawStatus'> {
  const isKnown = underway === undefined || underway.includes(rawStatus);
  return { status: lookUp(finals, rawStatus) ?? (isKnown ? 'pending' : 'unknown'), rawStatus };
}

/**
 * An order's status. A status that is not in the table is `unknown`, and the order then counts as not ended.
 * @param changedAt the time of the last change. For an order that has ended, it is the time of the end; null = not
 *   reported
 */
export function orderStatus(
  table: Readonly<Record<string, OrderStatus>>,
  rawStatus: string,
  changedAt: Date | null,
): Pick<ExchangeOrder, 'status' | 'rawStatus' | 'closedAt'> {
  const status = lookUp(table, rawStatus) ?? 'unknown';
  return { status, rawStatus, closedAt: status === 'open' || status === 'unknown' ? null : changedAt };
}
