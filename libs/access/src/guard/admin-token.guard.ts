import { createHash, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Config } from '#platform/config';
import { RateLimitExceeded, Unauthorized } from '#platform/errors';
import { singleHeader } from './credential-headers.js';
import { RequestRates } from './request-rates.js';

const BEARER = /^bearer +([^ ]+)$/i;
const BASIC = /^basic +([A-Za-z0-9+/]+=*)$/i;

/** Who may pass with ADMIN_TOKEN. */
@Injectable()
export class AdminTokenGuard {
  private readonly token: string | undefined;

  constructor(
    { values }: Config,
    private readonly rates: RequestRates,
  ) {
    this.token = values.ADMIN_TOKEN;
  }

  /** Without ADMIN_TOKEN there is nothing behind the door. */
  get exists(): boolean {
    return this.token !== undefined;
  }

  /**
   * Admits the bearer of the token; with `basic` also a browser whose user gave it as the password of any name.
   * @throws Unauthorized
   * @throws RateLimitExceeded for an address with too many failures, whatever it brings now
   */
  async admit({ ip, raw, log }: FastifyRequest, { basic }: { basic: boolean }): Promise<void> {
    const seconds = await this.rates.refusedSeconds(ip);
    if (seconds !== null) throw new RateLimitExceeded(seconds);
    const header = singleHeader(raw.rawHeaders, 'authorization') ?? '';
    const given = BEARER.exec(header)?.[1] ?? (basic ? passwordOf(header) : undefined);
    if (given !== undefined && this.token !== undefined && sameText(given, this.token)) return;
    await this.rates.countFailure(ip);
    log.info({ reason: 'wrong admin token' }, 'credentials refused');
    throw new Unauthorized();
  }
}

function passwordOf(header: string): string | undefined {
  const pair = BASIC.exec(header)?.[1];
  return pair === undefined ? undefined : /^[^:]*:(.*)$/s.exec(Buffer.from(pair, 'base64').toString())?.[1];
}

/** Takes equally long wherever the texts differ; hashed first, because the lengths would show too. */
function sameText(a: string, b: string): boolean {
  return timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest());
}
