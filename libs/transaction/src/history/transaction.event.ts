import type { EventType, NewEvent } from '#platform/events';
import { toTransactionResponse } from './transaction.dto.js';
import type { Transaction } from './transaction.entity.js';

/** What a project is told of a transaction: what it would read. */
export function toTransactionEvent(type: EventType, transaction: Transaction): NewEvent {
  const { projectId, id: subject } = transaction;
  return { projectId, type, subject, data: { ...toTransactionResponse(transaction) } };
}
