import { DomainError } from '#platform/errors';

/** `only-if-cached`, and nothing is stored. */
export class CacheMiss extends DomainError {
  constructor() {
    super('CACHE_MISS', 'Nothing is stored that could answer, and only-if-cached forbids to ask the exchange');
  }
}

/** `only-if-cached`, and what is stored is older than it may be. */
export class CacheExpired extends DomainError {
  constructor() {
    super('CACHE_EXPIRED', 'What is stored is too old, and only-if-cached forbids to ask the exchange');
  }
}

/** `only-if-cached` where nothing is ever stored. */
export class CacheInvalidPath extends DomainError {
  constructor() {
    super('CACHE_INVALID_PATH', 'This endpoint keeps no cache: send the request without only-if-cached');
  }
}
