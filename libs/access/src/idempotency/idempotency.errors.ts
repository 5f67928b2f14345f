import { DomainError, InvalidRequest, type ErrorCode } from '#platform/errors';

/** After this a repeat is worth a try: most requests have ended by then. */
const IN_FLIGHT_RETRY_SECONDS = 1;

/** The key belongs to a request with another payload. */
export class IdempotencyKeyReused extends InvalidRequest {
  constructor() {
    super('The Idempotency-Key was used for a request with another method, path, query, wallet or body', {
      status: 422,
    });
  }
}

/** The first request with the key has no answer yet. */
export class IdempotencyKeyInFlight extends InvalidRequest {
  constructor() {
    super('A request with this Idempotency-Key is still being worked on; send it again a little later', {
      status: 409,
      retryAfterSeconds: IN_FLIGHT_RETRY_SECONDS,
    });
  }
}

/** The facts of a refusal, from which every form of it is rendered. */
export interface RefusalFacts {
  code: ErrorCode;
  message: string;
  details: DomainError['details'];
}

/** The refusal that the first request with the key got. */
export class ReplayedRefusal extends DomainError {
  override readonly status: number;

  constructor(status: number, { code, message, details }: RefusalFacts) {
    super(code, message, { details });
    this.status = status;
  }
}
