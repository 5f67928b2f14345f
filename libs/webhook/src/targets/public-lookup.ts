import { TIMEOUT, type LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { isPublicAddress } from './address-rules.js';
import { NoAddressFound } from './no-address-found.js';
import { TargetRefused } from './target-refused.js';

type Resolve = (hostname: string) => Promise<LookupAddress[]>;

/**
 * Time-out of the first DNS query. With QUERY_TRIES, one DNS server that does not answer delays a look-up by about four
 * seconds, which is less than the time-out of a connection. With several such servers, the connection times out first.
 */
const QUERY_TIMEOUT_MS = 1_000;
const QUERY_TRIES = 2;

/**
 * Queries DNS for the addresses of a host. `dns.lookup` is not used: the process runs only two such look-ups at a time,
 * so a name whose DNS server does not answer would delay the look-ups of the exchanges.
 * @throws the error of DNS when no address was found because a query has timed out
 */
const queryDns: Resolve = async (hostname) => {
  // A new resolver reads the DNS settings of the host, which may have changed since the last look-up.
  const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERY_TRIES });
  const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses = [
    ...(ipv4.status === 'rejected' ? [] : ipv4.value.map((address) => ({ address, family: 4 }))),
    ...(ipv6.status === 'rejected' ? [] : ipv6.value.map((address) => ({ address, family: 6 }))),
  ];
  const failures = [ipv4, ipv6].map((result) => (result.status === 'rejected' ? (result.reason as Error) : null));
  const timeOut = failures.find((error) => error !== null && isTimeOut(error)) ?? null;
  if (addresses.length === 0 && timeOut !== null) throw timeOut;
  return addresses;
};

function isTimeOut({ code }: NodeJS.ErrnoException): boolean {
  return code === TIMEOUT;
}

/**
 * A `lookup` for sockets that fails unless every address of the name is public. The socket connects to the addresses
 * that this look-up returns, so a name that changes its address between two look-ups cannot lead elsewhere.
 * @param resolve returns the addresses of a host, or throws the error of DNS; tests replace it
 */
export function publicLookup(resolve: Resolve = queryDns): LookupFunction {
  return (hostname, options, callback) => {
    const accept = (addresses: LookupAddress[]): void => {
      const [first] = addresses;
      if (first === undefined) return callback(new NoAddressFound(hostname), []);
      if (!addresses.every(({ address }) => isPublicAddress(address))) return callback(new TargetRefused(hostname), []);
      if (options.all === true) return callback(null, addresses);
      callback(null, first.address, first.family);
    };
    void resolve(hostname).then(accept, (error: NodeJS.ErrnoException) => {
      callback(new NoAddressFound(hostname, { isTimeOut: isTimeOut(error) }), []);
    });
  };
}
