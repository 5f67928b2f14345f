import { DomainError, InvalidRequest, type ErrorCode } from '#platform/errors';

/** A withdrawal to the same receiver with the same amount is still unresolved: a second one could pay twice. */
export class UnresolvedDuplicate extends InvalidRequest {
  constructor(transactionId: string | null, cause: unknown) {
    super('A withdrawal of the same amount to the same address is still unresolved; follow its transaction', {
      status: 409,
      details: { result: { transactionId } },
      cause,
    });
  }
}

/** The quote was executed with another tag. */
export class ExecutedWithOtherTag extends InvalidRequest {
  constructor(transactionId: string) {
    super('The quote was already executed with another tag', { status: 422, details: { result: { transactionId } } });
  }
}

/** A dry run of a quote that was executed: nothing is left to try. */
export class AlreadyExecuted extends InvalidRequest {
  constructor(transactionId: string) {
    super('The quote was already executed', { status: 409, details: { result: { transactionId } } });
  }
}

/** The recorded answer of a withdrawal that the exchange refused for certain, or wants verified first: nothing was moved. */
export class WithdrawalRefused extends DomainError {
  constructor(code: ErrorCode, message: string, result: Record<string, unknown> | null) {
    super(code, message, { details: result === null ? undefined : { result } });
  }
}

/** The exchange named a record that belongs to another withdrawal of the project. A fact for us, never an answer. */
export class RecordTaken extends Error {
  constructor(
    readonly exchangeId: string,
    cause: unknown,
  ) {
    super(`record ${exchangeId} belongs to another withdrawal`, { cause });
  }
}

/** Another call has taken the quote over, or keeps its wallet; what has become of it is for the next call to say. */
export class LockLost extends InvalidRequest {
  constructor(cause?: unknown) {
    super('Another call is executing this quote; repeat this one for the answer', {
      status: 409,
      retryAfterSeconds: 1,
      cause,
    });
  }
}
