import { DomainError } from '#platform/errors';

/** The request has `only-if-cached`, and no data for its response are stored. */
export class CacheMiss extends DomainError {
  constructor() {
    super('CACHE_MISS', 'Nothing is stored for this request, and only-if-cached forbids a call to the exchange');
  }
}

/** The request has `only-if-cached`, and the stored data are too old. */
export class CacheExpired extends DomainError {
  constructor() {
    super('CACHE_EXPIRED', 'The stored data are too old, and only-if-cached forbids a call to the exchange');
  }
}

/** The request has `only-if-cached`, and the endpoint keeps no cache. */
export class CacheInvalidPath extends DomainError {
  constructor() {
    super('CACHE_INVALID_PATH', 'This endpoint keeps no cache: send the request without only-if-cached');
  }
}
