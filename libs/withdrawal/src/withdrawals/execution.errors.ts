import { sqlRefusalOf } from '#platform/database';
import { Conflict, DomainError, InvalidRequest, ValidationFailed, type ErrorCode } from '#platform/errors';

/** A withdrawal of the same amount to the same receiver is still unresolved, and a second one could pay twice. */
export class UnresolvedDuplicate extends Conflict {
  constructor(transactionId: string | null, cause: unknown) {
    const advice = transactionId === null ? 'execute the quote again' : 'follow its transaction (result.transactionId)';
    super(`A withdrawal of the same amount to the same address is still unresolved; ${advice}`, {
      result: { transactionId },
      cause,
    });
  }
}

/** The quote was already executed with another tag, or may have been. */
export class ExecutedWithOtherTag extends InvalidRequest {
  constructor(transactionId: string) {
    super('The quote was already executed with another tag', { status: 422, result: { transactionId } });
  }
}

/** An earlier call began the execution with another tag, and the withdrawal can still be sent with that tag. */
export class TagOfOtherCall extends ValidationFailed {
  constructor() {
    const message =
      'tag differs from the tag of the call that began the execution of this quote; request a quote with the other tag';
    super([{ field: 'tag', message }]);
  }
}

/** A dry run was requested for a quote that was already executed. */
export class AlreadyExecuted extends Conflict {
  constructor(transactionId: string) {
    super('The quote was already executed', { result: { transactionId } });
  }
}

/** The recorded result of a withdrawal that the exchange refused or wants verified first. No money was moved. */
export class WithdrawalRefused extends DomainError {
  constructor(code: ErrorCode, message: string, result: Record<string, unknown> | null) {
    super(code, message, { result: result ?? undefined });
  }
}

/**
 * The exchange named a record that belongs to another withdrawal of the project. Callers of the API never get this
 * error.
 */
export class RecordTaken extends Error {
  constructor(
    readonly exchangeId: string,
    cause: unknown,
  ) {
    super(`record ${exchangeId} belongs to another withdrawal`, { cause });
  }
}

/**
 * Runs a transaction that links a withdrawal to a record of the exchange.
 * @throws RecordTaken when the record belongs to another withdrawal; then nothing is written.
 */
export async function unlessTaken<T>(exchangeId: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isTaken = sqlRefusalOf(error).constraint === 'withdrawals_one_record';
    throw isTaken ? new RecordTaken(exchangeId, error) : error;
  }
}

/**
 * Another call holds the execution lock of the quote or has locked the wallet's row, or the result of this call could
 * not be recorded. A repeat of the call gets the result.
 */
export class LockLost extends Conflict {
  constructor(cause?: unknown) {
    super('The result of this quote is not recorded yet; repeat this request to get the result', {
      retryAfterSeconds: 1,
      cause,
    });
  }
}
