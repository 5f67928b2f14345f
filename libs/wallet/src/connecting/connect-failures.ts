import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { AuthorizationError, ExchangeError, type AuthorizationFailure, type ExchangeErrorKind } from '#exchange';
import { Clock } from '#platform/clock';
import { RateLimitExceeded } from '#platform/errors';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Maximum number of failed connects of one project at one exchange in a minute. Connects in flight count, too. */
const FAILURES_PER_MINUTE = 10;
/**
 * Maximum number of connects that the exchange refused in an hour. Other failures do not count: an outage must not lock
 * a project out for an hour.
 */
const REFUSALS_PER_HOUR = 60;
/** `Retry-After` when connects in flight fill the limit; they end within seconds. */
const IN_FLIGHT_PAUSE_SECONDS = 1;
/**
 * Maximum number of pairs of project and exchange whose failures are kept in memory; no installation has so many in an
 * hour.
 */
const COUNTS_MAX = 10_000;

/** Failures of authorizations that caused no request to the exchange, or that came after it had issued a token. */
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
 * Limits the failed connects of each project at each exchange. An exchange may ban our addresses because of wrong keys,
 * and then every project loses access to it. Each process counts by itself.
 */
@Injectable()
export class ConnectFailures {
  private readonly counts = new LRUCache<string, Count>({ max: COUNTS_MAX });

  constructor(private readonly clock: Clock) {}

  /**
   * Runs `call`, which tests credentials at the exchange. A call in flight counts as a failure until it succeeds.
   * @throws RateLimitExceeded without running `call`; otherwise the errors of `call`.
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
      if (countsAsFailure(error)) count.failures.push({ atMs: this.clock.monotonicMs(), isRefusal: isRefusal(error) });
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

/** Milliseconds until fewer than `max` failures are within the window; 0 = there are fewer already. */
function freeInMs(failures: readonly Failure[], max: number, windowMs: number, nowMs: number): number {
  const oldest = failures.at(-max);
  return failures.length < max || oldest === undefined ? 0 : oldest.atMs + windowMs - nowMs;
}

function countsAsFailure(error: unknown): boolean {
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
    'Too many connects to this exchange have failed or are in progress: wait as many seconds as Retry-After states, and check the credentials',
  );
}
