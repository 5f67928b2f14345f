import type { IncomingMessage } from 'node:http';
import type { Config } from '#platform/config';

type ProxySettings = Pick<Config['values'], 'TRUST_PROXY' | 'TRUST_PROXY_HOPS'>;

/**
 * Returns the function that finds a client's address, which is the same as Fastify's `request.ip`: only the configured
 * number of hops is trusted, because the client can write the leftmost addresses.
 */
export function addressReader({
  TRUST_PROXY,
  TRUST_PROXY_HOPS,
}: ProxySettings): (request: IncomingMessage, forwardedFor: string | undefined) => string {
  return ({ socket }, forwardedFor) => {
    const { remoteAddress = '' } = socket;
    if (!TRUST_PROXY || forwardedFor === undefined) return remoteAddress;
    if (!forwardedFor.includes(',')) return forwardedFor.trim() || remoteAddress;
    const listed = forwardedFor.split(',').map((address) => address.trim());
    const hops = [remoteAddress, ...listed.filter((address) => address !== '').reverse()];
    return hops[Math.min(TRUST_PROXY_HOPS, hops.length - 1)] ?? remoteAddress;
  };
}
