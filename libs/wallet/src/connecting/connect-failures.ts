import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { AuthorizationError, ExchangeError, type AuthorizationFailure, type ExchangeErrorKind } from '#exchange';
import { Clock } from '#platform/clock';
import { RateLimitExceeded } from '#platform/errors';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Failed connects of one project at one exchange, with those in flight, in any minute. */
const FAILURES_PER_MINUTE = 10;
/** The same in any hour; only what the exchange refused counts, because an outage must not lock a project out for so long. */
const REFUSALS_PER_HOUR = 60;
/** Connects in flight end within seconds: so the caller may ask again soon when they alone fill the limit. */
const IN_FLIGHT_PAUSE_SECONDS = 1;
/** Bounds the memory. No installation has as many projects with a failed connect in the last hour. */
const COUNTS_MAX = 10_000;

/** Authorizations that ended before the exchange was asked for a token, or after it had given one. */
const HARMLESS: readonly AuthorizationFailure[] = ['denied', 'invalid_state', 'insufficient_scope'];
const REFUSALS: readonly ExchangeErrorKind[] = [
  'credentials_invalid',
  'permission_missing',
  'ip_not_allowed',
  'refused',
];

interface Failure {
  atMs: number;
  isRefusal: boolean;
}

interface Count {
  inFlight: number;
  /** Oldest first. */
  failures: Failure[];
}

/**
 * Limits the failed connects of each project at each exchange, because an exchange may ban our address for wrong keys, and
 * then every project loses its accounts there. This process counts alone.
 */
@Injectable()
export class ConnectFailures {
  private readonly counts = new LRUCache<string, Count>({ max: COUNTS_MAX });

  constructor(private readonly clock: Clock) {}

  /**
   * Makes a call that tries credentials at the exchange. A call in flight counts as a failure until it has succeeded.
   * @throws RateLimitExceeded without making the call; what the call throws.
   */
  async limit<T>(where: { projectId: string; exchange: string }, call: () => Promise<T>): Promise<T> {
    const name = `${where.projectId} ${where.exchange}`;
    const count = this.counts.get(name) ?? { inFlight: 0, failures: [] };
    this.counts.set(name, count);
    this.admit(count);
    count.inFlight += 1;
    try {
      return await call();
    } catch (error) {
      if (troubles(error)) count.failures.push({ atMs: this.clock.monotonicMs(), isRefusal: isRefusal(error) });
      throw error;
    } finally {
      count.inFlight -= 1;
    }
  }

  private admit(count: Count): void {
    const nowMs = this.clock.monotonicMs();
    count.failures = count.failures.filter(({ atMs, isRefusal }) => nowMs - atMs < (isRefusal ? HOUR_MS : MINUTE_MS));
    const lastMinute = count.failures.filter(({ atMs }) => nowMs - atMs < MINUTE_MS);
    const refusals = count.failures.filter(({ isRefusal }) => isRefusal);
    const waitMs = Math.max(
      freeInMs(lastMinute, FAILURES_PER_MINUTE, MINUTE_MS, nowMs),
      freeInMs(refusals, REFUSALS_PER_HOUR, HOUR_MS, nowMs),
    );
    if (waitMs > 0) throw tooMany(Math.ceil(waitMs / 1_000));
    const { inFlight } = count;
    const isFull =
      lastMinute.length + inFlight >= FAILURES_PER_MINUTE || refusals.length + inFlight >= REFUSALS_PER_HOUR;
    if (isFull) throw tooMany(IN_FLIGHT_PAUSE_SECONDS);
  }
}

/** How long until fewer than `max` of the failures are within the window; 0 = they are fewer now. */
function freeInMs(failures: readonly Failure[], max: number, windowMs: number, nowMs: number): number {
  const oldest = failures.at(-max);
  return failures.length < max || oldest === undefined ? 0 : oldest.atMs + windowMs - nowMs;
}

function troubles(error: unknown): boolean {
  return !(error instanceof AuthorizationError && HARMLESS.includes(error.failure));
}

function isRefusal(error: unknown): boolean {
  if (error instanceof AuthorizationError) return error.failure === 'exchange_failed';
  return error instanceof ExchangeError && REFUSALS.includes(error.kind);
}

function tooMany(retryAfterSeconds: number): RateLimitExceeded {
  return new RateLimitExceeded(
    retryAfterSeconds,
    undefined,
    'Too many connects to this exchange failed or are in flight: wait for the time of Retry-After, and check the credentials',
  );
}
