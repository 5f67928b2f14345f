import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { isPublicAddress } from './address-rules.js';
import { TargetRefused } from './target-refused.js';

type Resolve = (hostname: string) => Promise<LookupAddress[]>;

/** Time-out of the first DNS query. With QUERY_TRIES, a look-up ends before the time-out of a connection. */
const QUERY_TIMEOUT_MS = 1_000;
const QUERY_TRIES = 2;

/**
 * Queries DNS for the addresses of a host. `dns.lookup` is not used: the process runs only two such look-ups at a time,
 * so a name whose DNS server does not answer would delay the look-ups of the exchanges.
 */
const queryDns: Resolve = async (hostname) => {
  // Each resolver reads the settings of the host again.
  const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERY_TRIES });
  const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  return [
    ...(ipv4.status === 'rejected' ? [] : ipv4.value.map((address) => ({ address, family: 4 }))),
    ...(ipv6.status === 'rejected' ? [] : ipv6.value.map((address) => ({ address, family: 6 }))),
  ];
};

/**
 * A `lookup` for sockets that fails unless every address of the name is public. The socket connects to the addresses
 * that this look-up returns, so a name that changes its address between two look-ups cannot lead elsewhere.
 * @param resolve returns the addresses of a host; tests replace it
 */
export function publicLookup(resolve: Resolve = queryDns): LookupFunction {
  return (hostname, options, callback) => {
    void resolve(hostname).then((addresses) => {
      const [first] = addresses;
      if (first === undefined) return callback(new Error(`${hostname} has no address`), []);
      if (!addresses.every(({ address }) => isPublicAddress(address))) return callback(new TargetRefused(hostname), []);
      if (options.all === true) return callback(null, addresses);
      callback(null, first.address, first.family);
    });
  };
}
