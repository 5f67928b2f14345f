import { createHash, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Config } from '#platform/config';
import { RateLimitExceeded, Unauthorized } from '#platform/errors';
import { singleHeader } from './credential-headers.js';
import { RequestRates } from './request-rates.js';

const BEARER = /^bearer +([^ ]+)$/i;
const BASIC = /^basic +([A-Za-z0-9+/]+=*)$/i;

/** Admits requests with ADMIN_TOKEN. */
@Injectable()
export class AdminTokenGuard {
  private readonly token: string | undefined;

  constructor(
    { values }: Config,
    private readonly rates: RequestRates,
  ) {
    this.token = values.ADMIN_TOKEN;
  }

  /** Whether ADMIN_TOKEN is set. Without it, the administration API does not exist. */
  get exists(): boolean {
    return this.token !== undefined;
  }

  /**
   * Admits a request with ADMIN_TOKEN as its bearer token. With `basic`, a browser may also send the token as the
   * password of any user name.
   * @throws Unauthorized
   * @throws RateLimitExceeded when the address had too many failures, even if this request has the right token
   */
  admit({ ip, raw, log }: FastifyRequest, { basic }: { basic: boolean }): void {
    const seconds = this.rates.refusedSeconds(ip);
    if (seconds !== null) throw new RateLimitExceeded(seconds);
    const header = singleHeader(raw.rawHeaders, 'authorization') ?? '';
    const given = BEARER.exec(header)?.[1] ?? (basic ? passwordOf(header) : undefined);
    if (given !== undefined && this.token !== undefined && sameText(given, this.token)) return;
    this.rates.countFailure(ip);
    log.info({ reason: 'wrong admin token' }, 'the credentials of a request were refused');
    throw new Unauthorized('Invalid or missing admin token: send ADMIN_TOKEN of this installation as the bearer token');
  }
}

function passwordOf(header: string): string | undefined {
  const pair = BASIC.exec(header)?.[1];
  return pair === undefined ? undefined : /^[^:]*:(.*)$/s.exec(Buffer.from(pair, 'base64').toString())?.[1];
}

/** Compares in constant time. Both texts are hashed first, because their lengths would otherwise be observable. */
function sameText(a: string, b: string): boolean {
  return timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest());
}
