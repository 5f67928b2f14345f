import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { Config } from '#platform/config';
import { RateLimitExceeded } from '#platform/errors';
import { callerOf } from '#platform/http';
import type { PublicOptions } from './access-rule.decorators.js';

type PublicLimit = NonNullable<PublicOptions['limit']>;

/** All limits are per minute. */
export const RATE_WINDOW_SECONDS = 60;

/** Request rates of API keys and of keyless clients, and failed authentications. Each process counts separately. */
@Injectable()
export class RequestRates {
  readonly keyLimit: number;
  private readonly keys: RateLimiterMemory;
  private readonly failures: RateLimiterMemory;
  private readonly publicLimits = new Map<string, RateLimiterMemory>();

  constructor(private readonly config: Config) {
    const { values } = config;
    this.keyLimit = values.API_KEY_RATE_PER_MINUTE;
    this.keys = new RateLimiterMemory({ points: this.keyLimit, duration: RATE_WINDOW_SECONDS });
    this.failures = new RateLimiterMemory({ points: values.AUTH_FAILURES_PER_MINUTE, duration: RATE_WINDOW_SECONDS });
  }

  /** Counts one request of the key and sets the RateLimit headers. @throws RateLimitExceeded */
  async countRequest(apiKeyId: string, reply: FastifyReply): Promise<void> {
    await consumeAndReport(this.keys, { name: 'api-key', key: apiKeyId }, reply);
  }

  /** Counts one request of the address and sets the RateLimit headers. @throws RateLimitExceeded */
  async countPublicRequest({ name, perMinute }: PublicLimit, ip: string, reply: FastifyReply): Promise<void> {
    let limiter = this.publicLimits.get(name);
    if (limiter === undefined) {
      const points = this.config.values[perMinute];
      limiter = new RateLimiterMemory({ points, duration: RATE_WINDOW_SECONDS });
      this.publicLimits.set(name, limiter);
    }
    await consumeAndReport(limiter, { name, key: callerOf(ip) }, reply);
  }

  /** Number of requests of the key in the current minute. */
  async requestCount(apiKeyId: string): Promise<number> {
    return (await this.keys.get(apiKeyId))?.consumedPoints ?? 0;
  }

  /** Seconds for which this address is still blocked, or null when it is not blocked. */
  async refusedSeconds(ip: string): Promise<number | null> {
    const state = await this.failures.get(callerOf(ip));
    return state !== null && state.consumedPoints >= this.failures.points ? secondsLeft(state) : null;
  }

  /** Counts one failed authentication. @throws RateLimitExceeded when the address was already at its limit. */
  async countFailure(ip: string): Promise<void> {
    const rate = await consume(this.failures, callerOf(ip));
    if (!rate.admitted) throw new RateLimitExceeded(secondsLeft(rate.state));
  }
}

async function consumeAndReport(
  limiter: RateLimiterMemory,
  { name, key }: { name: string; key: string },
  reply: FastifyReply,
): Promise<void> {
  const rate = await consume(limiter, key);
  const seconds = secondsLeft(rate.state);
  // draft-ietf-httpapi-ratelimit-headers: q quota, w window in seconds; r remaining requests, t seconds until the quota
  // is full again.
  void reply.header('ratelimit-policy', `"${name}";q=${limiter.points};w=${RATE_WINDOW_SECONDS}`);
  void reply.header('ratelimit', `"${name}";r=${Math.max(0, rate.state.remainingPoints)};t=${seconds}`);
  if (!rate.admitted) throw new RateLimitExceeded(seconds);
}

async function consume(limiter: RateLimiterMemory, key: string): Promise<{ admitted: boolean; state: RateLimiterRes }> {
  try {
    return { admitted: true, state: await limiter.consume(key) };
  } catch (error) {
    // The library rejects with its state when the limit is exceeded.
    if (error instanceof RateLimiterRes) return { admitted: false, state: error };
    throw error;
  }
}

function secondsLeft(state: RateLimiterRes): number {
  return Math.max(1, Math.ceil(state.msBeforeNext / 1_000));
}
