import { Injectable } from '@nestjs/common';
import { Config } from '#platform/config';
import { ValidationFailed } from '#platform/errors';
import { addressOf, isPublicAddress } from './address-rules.js';
import { NoAddressFound } from './no-address-found.js';
import { publicLookup } from './public-lookup.js';
import { TargetRefused } from './target-refused.js';

export const URL_LENGTH_MAX = 2_048;
/** Longest wait for the DNS look-up of a host name when an endpoint is registered. */
const RESOLVE_TIMEOUT_MS = 5_000;
/** Names of this host (RFC 6761, section 6.3). DNS has no addresses for them. */
const LOOPBACK_NAME = /(^|\.)localhost\.?$/;

/** Decides which addresses webhooks may be sent to. */
@Injectable()
export class Targets {
  constructor(private readonly config: Config) {}

  /** Whether private addresses and http are allowed. */
  get allowsPrivate(): boolean {
    return this.config.values.WEBHOOK_ALLOW_PRIVATE;
  }

  /**
   * Checks the url of an endpoint when it is registered. Unless private addresses are allowed, every address to which
   * its host name resolves now must be public.
   * @returns the normal form of the url.
   * @throws ValidationFailed
   */
  async admit(text: string): Promise<string> {
    const url = this.parse(text);
    if (this.allowsPrivate) return url.href;
    try {
      refuseAddress(url);
      await resolves(url.hostname);
    } catch (error) {
      if (!(error instanceof TargetRefused || error instanceof NoAddressFound)) throw error;
      throw invalid(`url: ${error.message}`);
    }
    return url.href;
  }

  /**
   * Checks the url before each request. Sockets look up names with `publicLookup`; an address in the url is never
   * looked up, so it is checked here.
   * @throws TargetRefused
   */
  check(url: string): void {
    if (this.allowsPrivate) return;
    const parsed = new URL(url);
    if (parsed.protocol !== 'https:')
      throw new TargetRefused(parsed.origin, 'does not begin with https://; webhooks are sent over https only');
    refuseAddress(parsed);
  }

  private parse(text: string): URL {
    if (text.length > URL_LENGTH_MAX || !URL.canParse(text)) {
      throw invalid(`url must be an absolute URL of at most ${URL_LENGTH_MAX} characters`);
    }
    const url = new URL(text);
    const protocols = this.allowsPrivate ? ['https:', 'http:'] : ['https:'];
    if (!protocols.includes(url.protocol)) throw invalid('url must begin with https://');
    if (`${url.username}${url.password}${url.hash}` !== '' || url.href.length > URL_LENGTH_MAX) {
      throw invalid(`url must have no user, password or fragment, and at most ${URL_LENGTH_MAX} characters`);
    }
    return url;
  }
}

function refuseAddress({ hostname }: URL): void {
  const address = addressOf(hostname);
  const isRefused = address === null ? LOOPBACK_NAME.test(hostname) : !isPublicAddress(address);
  if (isRefused) throw new TargetRefused(hostname);
}

/** Looks up a host name. @throws TargetRefused when an address is not public, NoAddressFound when there is none */
async function resolves(hostname: string): Promise<void> {
  if (addressOf(hostname) !== null) return;
  await new Promise<void>((resolve, reject) => {
    const timeOut = new NoAddressFound(hostname, { isTimeOut: true });
    const timer = setTimeout(() => reject(timeOut), RESOLVE_TIMEOUT_MS);
    publicLookup()(hostname, { all: true }, (error) => {
      clearTimeout(timer);
      if (error === null) resolve();
      else reject(error);
    });
  });
}

function invalid(message: string): ValidationFailed {
  return new ValidationFailed([{ field: 'url', message }]);
}
