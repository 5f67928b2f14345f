import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { AuthorizationError, ExchangeError, type AuthorizationFailure, type ExchangeErrorKind } from '#exchange';
import { Clock } from '#platform/clock';
import { RateLimitExceeded } from '#platform/errors';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Maximum number of failed connects at one exchange in a minute. Connects in flight count, too. */
const FAILURES_PER_MINUTE = { ofProject: 10, ofKeyedClient: 10, ofKeylessClient: 4 };
/**
 * Maximum number of connects of one project, and of one client, that an exchange may refuse in an hour. Other failures
 * do not count here: an outage must not lock a project out for an hour.
 */
const REFUSALS_PER_HOUR = { ofProject: 60, ofClient: 20 };
/**
 * A client with fewer counted failures is a newcomer, and its limits of the project are NEWCOMER_FACTOR times as high.
 * Therefore 9 keyless clients, or 7 with an API key, cannot use up the limits for newcomers.
 */
const NEWCOMER_FAILURES = 3;
const NEWCOMER_FACTOR = 3;
/** `Retry-After` when connects in flight fill the limit; they end within seconds. */
const IN_FLIGHT_PAUSE_SECONDS = 1;
/** Maximum number of counts in each cache. One count is for one project, or for one client, at one exchange. */
const COUNTS_MAX = 10_000;

/**
 * Failures of authorizations that do not count as failed connects, because they caused no request to the exchange, or
 * because the exchange had already issued a token.
 */
const HARMLESS: readonly AuthorizationFailure[] = ['denied', 'invalid_state', 'insufficient_scope'];
const REFUSALS: readonly ExchangeErrorKind[] = [
  'credentials_invalid',
  'permission_missing',
  'ip_not_allowed',
  'refused',
];

/** The client that tries to connect an account. */
export interface ConnectClient {
  /** Whether the client has no API key. Every program on the internet can be such a client. */
  isKeyless: boolean;
  /**
   * With an API key, the caller's id of the wallet. A keyless client chooses that id freely, so this is its network
   * address (`subscriberOf`).
   */
  name: string;
}

export interface ConnectTarget {
  projectId: string;
  exchange: string;
  client: ConnectClient;
}

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
 * and then every project loses access to it. A project's keyless clients have limits of their own. A few clients can
 * use up the limits of the project for themselves, but not for newcomers. So their failed connects do not lock out the
 * owners whose keys are good. Each process counts by itself.
 */
@Injectable()
export class ConnectFailures {
  private readonly ofProjects = new LRUCache<string, Count>({ max: COUNTS_MAX });
  private readonly ofClients = new LRUCache<string, Count>({ max: COUNTS_MAX });

  constructor(private readonly clock: Clock) {}

  /**
   * Runs `call`, which tests credentials at the exchange. A call in flight counts as a failure until it succeeds.
   * @throws RateLimitExceeded without running `call`; otherwise the errors of `call`.
   */
  async limit<T>({ projectId, exchange, client }: ConnectTarget, call: () => Promise<T>): Promise<T> {
    const name = JSON.stringify([projectId, exchange, client.isKeyless]);
    const ofProject = countOf(this.ofProjects, name);
    const ofClient = countOf(this.ofClients, JSON.stringify([name, client.name]));
    const counts = [ofProject, ofClient];
    for (const count of counts) this.forgetOld(count);
    const factor = ofClient.failures.length + ofClient.inFlight < NEWCOMER_FAILURES ? NEWCOMER_FACTOR : 1;
    const { ofKeyedClient, ofKeylessClient } = FAILURES_PER_MINUTE;
    this.admit(ofProject, FAILURES_PER_MINUTE.ofProject * factor, REFUSALS_PER_HOUR.ofProject * factor);
    this.admit(ofClient, client.isKeyless ? ofKeylessClient : ofKeyedClient, REFUSALS_PER_HOUR.ofClient);
    for (const count of counts) count.inFlight += 1;
    try {
      return await call();
    } catch (error) {
      const failure = { atMs: this.clock.monotonicMs(), isRefusal: isRefusal(error) };
      if (countsAsFailure(error)) for (const count of counts) count.failures.push(failure);
      throw error;
    } finally {
      for (const count of counts) count.inFlight -= 1;
    }
  }

  private forgetOld(count: Count): void {
    const nowMs = this.clock.monotonicMs();
    count.failures = count.failures.filter(({ atMs, isRefusal }) => nowMs - atMs < (isRefusal ? HOUR_MS : MINUTE_MS));
  }

  private admit(count: Count, failuresPerMinute: number, refusalsPerHour: number): void {
    const nowMs = this.clock.monotonicMs();
    const lastMinute = count.failures.filter(({ atMs }) => nowMs - atMs < MINUTE_MS);
    const refusals = count.failures.filter(({ isRefusal }) => isRefusal);
    const waitMs = Math.max(
      freeInMs(lastMinute, failuresPerMinute, MINUTE_MS, nowMs),
      freeInMs(refusals, refusalsPerHour, HOUR_MS, nowMs),
    );
    if (waitMs > 0) throw tooMany(Math.ceil(waitMs / 1_000));
    const { inFlight } = count;
    const isFull = lastMinute.length + inFlight >= failuresPerMinute || refusals.length + inFlight >= refusalsPerHour;
    if (isFull) throw tooMany(IN_FLIGHT_PAUSE_SECONDS);
  }
}

function countOf(counts: LRUCache<string, Count>, name: string): Count {
  const count = counts.get(name) ?? { inFlight: 0, failures: [] };
  counts.set(name, count);
  return count;
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
