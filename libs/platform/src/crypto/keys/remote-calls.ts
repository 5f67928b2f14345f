import { setTimeout as pause } from 'node:timers/promises';
import { KeysUnavailable } from './keys-unavailable.js';
import { WrongKey } from './key-provider.js';

/** Attempts of one call, and the pauses between them. */
const PAUSES_MS = [100, 400];
/** Time-out of one attempt. */
const ATTEMPT_MS = 1_500;
/** Maximum number of calls to one key at the same time. Each further call is refused at once. */
const CALLS_MAX = 64;
/** Calls that fail in a row before further calls are refused at once. */
const FAILURES_MAX = 5;
/** How long calls are refused after that. Then one call tries again. */
const REST_MS = 1_000;

/** A failure that another attempt may not have: a time-out, throttling, or a fault of the service. */
export class TryAgain extends Error {}

/**
 * Calls the service of one key: a time-out for each attempt, two repeats, and a limit of concurrent calls. While the
 * service fails, most calls are refused at once, so that requests do not wait for it.
 */
export class RemoteCalls {
  private running = 0;
  private failures = 0;
  private restUntil = 0;

  constructor(private readonly name: string) {}

  /**
   * @param attempt throws TryAgain for a failure that another attempt may not have, WrongKey for a definite answer
   *   about the wrapped key, and any other error for a refusal that repeats do not change.
   * @throws WrongKey, KeysUnavailable
   */
  async run<T>(attempt: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (performance.now() < this.restUntil) throw this.unavailable('its last calls have failed');
    if (this.running >= CALLS_MAX) throw this.unavailable('too many calls are in progress');
    // While one call tries whether the service works again, the others are refused.
    if (this.failures >= FAILURES_MAX) this.restUntil = performance.now() + REST_MS;
    this.running++;
    try {
      const result = await this.repeat(attempt);
      this.succeeded();
      return result;
    } catch (error) {
      if (error instanceof WrongKey) {
        this.succeeded();
        throw error;
      }
      this.failures++;
      if (this.failures >= FAILURES_MAX) this.restUntil = performance.now() + REST_MS;
      throw this.unavailable('the call has failed', error);
    } finally {
      this.running--;
    }
  }

  private async repeat<T>(attempt: (signal: AbortSignal) => Promise<T>): Promise<T> {
    for (const pauseMs of PAUSES_MS) {
      try {
        return await inTime(attempt);
      } catch (error) {
        if (!(error instanceof TryAgain)) throw error;
        await pause(pauseMs);
      }
    }
    return await inTime(attempt);
  }

  private succeeded(): void {
    this.failures = 0;
    this.restUntil = 0;
  }

  private unavailable(reason: string, cause?: unknown): KeysUnavailable {
    return new KeysUnavailable(new Error(`${this.name}: ${reason}`, { cause }));
  }
}

/** Ends an attempt in time even when it does not heed its signal. */
function inTime<T>(attempt: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(ATTEMPT_MS);
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new TryAgain('no response in time')), { once: true });
  });
  return Promise.race([attempt(signal), late]);
}
