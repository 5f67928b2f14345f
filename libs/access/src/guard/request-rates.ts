import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Config } from '#platform/config';
import { RateLimitExceeded } from '#platform/errors';
import { callerOf } from '#platform/http';
import { RateLimit, type Rate } from '#platform/load';
import type { PublicOptions } from './access-rule.decorators.js';

type PublicLimit = NonNullable<PublicOptions['limit']>;

/** Length of the window of every limit: one minute. */
export const RATE_WINDOW_SECONDS = 60;
const WINDOW_MS = RATE_WINDOW_SECONDS * 1_000;

/**
 * The headers of draft-ietf-httpapi-ratelimit-headers. `ratelimit-policy`: q = the quota, w = the window in seconds.
 * `ratelimit`: r = the remaining requests, t = the seconds until the quota is full again.
 */
export type RateHeaders = Readonly<Record<'ratelimit-policy' | 'ratelimit', string>>;

/** The state of a limit after a request was counted. */
export interface CountedRequest {
  isAdmitted: boolean;
  /** Seconds until the quota is full again. */
  seconds: number;
  headers: RateHeaders;
}

/** A rate limit, and the headers that report its state to the client. */
class ReportedLimit {
  readonly rates: RateLimit;
  private readonly policy: string;

  constructor(
    private readonly name: string,
    perMinute: number,
  ) {
    this.rates = new RateLimit(perMinute, WINDOW_MS);
    this.policy = `"${name}";q=${perMinute};w=${RATE_WINDOW_SECONDS}`;
  }

  count(key: string): CountedRequest {
    const rate = this.rates.count(key);
    const seconds = secondsLeft(rate);
    const remaining = Math.max(0, this.rates.limit - rate.count);
    const ratelimit = `"${this.name}";r=${remaining};t=${seconds}`;
    return { isAdmitted: rate.isAdmitted, seconds, headers: { 'ratelimit-policy': this.policy, ratelimit } };
  }
}

/**
 * Request rates of API keys, request rates of addresses on public and keyless routes, and failed authentications of
 * addresses. Each process counts separately.
 */
@Injectable()
export class RequestRates {
  readonly keyLimit: number;
  private readonly keys: ReportedLimit;
  private readonly failures: RateLimit;
  private readonly publicLimits = new Map<string, ReportedLimit>();

  constructor(private readonly config: Config) {
    const { values } = config;
    this.keyLimit = values.API_KEY_RATE_PER_MINUTE;
    this.keys = new ReportedLimit('api-key', this.keyLimit);
    this.failures = new RateLimit(values.AUTH_FAILURES_PER_MINUTE, WINDOW_MS);
  }

  /** Counts one request of the key and sets the RateLimit headers. @throws RateLimitExceeded */
  countRequest(apiKeyId: string, reply: FastifyReply): void {
    report(this.keys.count(apiKeyId), reply);
  }

  /** Counts one request of the address and sets the RateLimit headers. @throws RateLimitExceeded */
  countPublicRequest(limit: PublicLimit, ip: string, reply: FastifyReply): void {
    report(this.publicRate(limit, ip), reply);
  }

  /** Counts one request of the address. */
  publicRate({ name, perMinute }: PublicLimit, ip: string): CountedRequest {
    let limit = this.publicLimits.get(name);
    if (limit === undefined) {
      limit = new ReportedLimit(name, this.config.numberOf(perMinute));
      this.publicLimits.set(name, limit);
    }
    return limit.count(callerOf(ip));
  }

  /** Number of requests of the key in the current minute. */
  requestCount(apiKeyId: string): number {
    return this.keys.rates.find(apiKeyId)?.count ?? 0;
  }

  /** Seconds for which this address is still blocked, or null when it is not blocked. */
  refusedSeconds(ip: string): number | null {
    const rate = this.failures.find(callerOf(ip));
    return rate !== null && rate.count >= this.failures.limit ? secondsLeft(rate) : null;
  }

  /** Counts one failed authentication. @throws RateLimitExceeded when the address was already at its limit. */
  countFailure(ip: string): void {
    const rate = this.failures.count(callerOf(ip));
    if (!rate.isAdmitted) throw new RateLimitExceeded(secondsLeft(rate));
  }
}

function report({ isAdmitted, seconds, headers }: CountedRequest, reply: FastifyReply): void {
  void reply.headers(headers);
  if (!isAdmitted) throw new RateLimitExceeded(seconds);
}

function secondsLeft({ msLeft }: Rate): number {
  return Math.max(1, Math.ceil(msLeft / 1_000));
}
