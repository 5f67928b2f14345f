import type { EventType, NewEvent } from '#platform/events';
import { toTransactionResponse } from './transaction.dto.js';
import type { Transaction } from './transaction.entity.js';

/** The event about a transaction; its data are the transaction as the API returns it. */
export function toTransactionEvent(type: EventType, transaction: Transaction): NewEvent {
  const { projectId, id: subject } = transaction;
  return { projectId, type, subject, data: { ...toTransactionResponse(transaction) } };
}
