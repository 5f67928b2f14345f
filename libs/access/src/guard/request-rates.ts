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
    report(await rateOf(this.keys, 'api-key', apiKeyId), reply);
  }

  /** Counts one request of the address and sets the RateLimit headers. @throws RateLimitExceeded */
  async countPublicRequest(limit: PublicLimit, ip: string, reply: FastifyReply): Promise<void> {
    report(await this.publicRate(limit, ip), reply);
  }

  /** Counts one request of the address. */
  publicRate({ name, perMinute }: PublicLimit, ip: string): Promise<Rate> {
    let limiter = this.publicLimits.get(name);
    if (limiter === undefined) {
      const points = this.config.values[perMinute];
      limiter = new RateLimiterMemory({ points, duration: RATE_WINDOW_SECONDS });
      this.publicLimits.set(name, limiter);
    }
    return rateOf(limiter, name, callerOf(ip));
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
    await consume(this.failures, callerOf(ip), (state, admitted) => {
      if (!admitted) throw new RateLimitExceeded(secondsLeft(state));
    });
  }
}

/** The state of a limit after a request was counted. */
interface Rate {
  admitted: boolean;
  /** Seconds until the quota is full again. */
  seconds: number;
  /**
   * draft-ietf-httpapi-ratelimit-headers: q quota, w window in seconds; r remaining requests, t seconds until the quota is
   * full again.
   */
  headers: { 'ratelimit-policy': string; ratelimit: string };
}

function rateOf(limiter: RateLimiterMemory, name: string, key: string): Promise<Rate> {
  return consume(limiter, key, (state, admitted) => {
    const seconds = secondsLeft(state);
    const headers = {
      'ratelimit-policy': `"${name}";q=${limiter.points};w=${RATE_WINDOW_SECONDS}`,
      ratelimit: `"${name}";r=${Math.max(0, state.remainingPoints)};t=${seconds}`,
    };
    return { admitted, seconds, headers };
  });
}

function report({ admitted, seconds, headers }: Rate, reply: FastifyReply): void {
  void reply.headers(headers);
  if (!admitted) throw new RateLimitExceeded(seconds);
}

/** Counts one request, with as few promises as possible, because every request waits for them. */
function consume<T>(
  limiter: RateLimiterMemory,
  key: string,
  toResult: (state: RateLimiterRes, admitted: boolean) => T,
): Promise<T> {
  return limiter.consume(key).then(
    (state) => toResult(state, true),
    (error: unknown) => {
      // The library rejects with its state when the limit is exceeded.
      if (error instanceof RateLimiterRes) return toResult(error, false);
      throw error;
    },
  );
}

function secondsLeft(state: RateLimiterRes): number {
  return Math.max(1, Math.ceil(state.msBeforeNext / 1_000));
}
