import { Injectable } from '@nestjs/common';
import { RateLimitExceeded } from '#platform/errors';
import { CountByKey } from './count-by-key.js';
import type { LoadClass } from './load-class.js';

/** Maximum number of requests of one API key in progress in this process, for each class. */
const AT_A_TIME: Record<LoadClass, number> = { public: 128, list: 100, ordinary: 128, money: 128 };
const RETRY_AFTER_SECONDS = 1;

/** Counts the requests in progress of each API key, separately for each class. */
@Injectable()
export class KeyConcurrency {
  private readonly inFlight = new CountByKey();

  /** Counts a request in progress. @returns the function to call at its end. @throws RateLimitExceeded */
  take(apiKeyId: string, loadClass: LoadClass): () => void {
    const key = `${loadClass} ${apiKeyId}`;
    if (this.inFlight.of(key) >= AT_A_TIME[loadClass]) throw new RateLimitExceeded(RETRY_AFTER_SECONDS);
    this.inFlight.add(key);
    return () => this.inFlight.remove(key);
  }
}
