import { DomainError } from '#platform/errors';

/** `Retry-After` of a request that needs a key of an unreachable service. */
const RETRY_SECONDS = 5;

/**
 * The service that has a key-encryption key cannot answer now, or refuses this process. Says nothing about the record:
 * the same record opens when the service answers again.
 */
export class KeysUnavailable extends DomainError {
  constructor(cause: unknown) {
    super(
      'GENERIC_INTERNAL_SERVER_ERROR',
      'The service cannot reach the keys of its stored credentials; send the request again',
      { status: 503, retryAfterSeconds: RETRY_SECONDS, cause },
    );
  }
}
