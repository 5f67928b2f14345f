import { Conflict, DomainError, InvalidRequest, type ErrorCode } from '#platform/errors';

/** `Retry-After` while the first request is in progress. Most requests end within this time. */
const IN_FLIGHT_RETRY_SECONDS = 1;

/** The key was used for a different request. */
export class IdempotencyKeyReused extends InvalidRequest {
  constructor() {
    super(
      'The Idempotency-Key was used for a request with another method, path, query, wallet or body; use a new key',
      { status: 422 },
    );
  }
}

/** The first request with the key is still being processed. */
export class IdempotencyKeyInFlight extends Conflict {
  constructor() {
    super('A request with this Idempotency-Key is still in progress; repeat it later', {
      retryAfterSeconds: IN_FLIGHT_RETRY_SECONDS,
    });
  }
}

/** The stored facts of an error. A repeat gets them in the response format that the repeat accepts. */
export interface RefusalFacts {
  code: ErrorCode;
  message: string;
  details: DomainError['details'];
}

/** The error that the first request with the key got. */
export class ReplayedRefusal extends DomainError {
  override readonly status: number;

  constructor(status: number, { code, message, details }: RefusalFacts) {
    super(code, message, details);
    this.status = status;
  }
}
