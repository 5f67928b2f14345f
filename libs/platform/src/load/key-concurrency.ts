import { Injectable } from '@nestjs/common';
import { RateLimitExceeded } from '#platform/errors';
import type { LoadClass } from './load-class.js';

/** Requests of one API key that this process works on at a time. */
const AT_A_TIME: Record<LoadClass, number> = { public: 128, list: 100, ordinary: 128, money: 128 };
const RETRY_AFTER_SECONDS = 1;

/** How many requests of each key are in flight, lists, executions and the others each by themselves. */
@Injectable()
export class KeyConcurrency {
  private readonly inFlight = new Map<string, number>();

  /** @returns what gives the place back. @throws RateLimitExceeded */
  take(apiKeyId: string, loadClass: LoadClass): () => void {
    const key = `${loadClass} ${apiKeyId}`;
    const count = this.inFlight.get(key) ?? 0;
    if (count >= AT_A_TIME[loadClass]) throw new RateLimitExceeded(RETRY_AFTER_SECONDS);
    this.inFlight.set(key, count + 1);
    return () => {
      const left = (this.inFlight.get(key) ?? 1) - 1;
      if (left > 0) this.inFlight.set(key, left);
      else this.inFlight.delete(key);
    };
  }
}
