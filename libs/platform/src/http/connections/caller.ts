import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';

/** Prefix length of the network that a subscriber usually gets. The whole network counts as one caller. */
const IPV6_SUBSCRIBER_BITS = 64;

/** Prefix length of the largest network that one subscriber can get, from a provider or by a free tunnel. */
const IPV6_SUBSCRIBER_MAX_BITS = 48;

/** Maximum number of addresses whose parsed form is cached. Parsing costs more than counting the request. */
const KNOWN_MAX = 10_000;
/** Longer texts are not cached: they are no IP addresses, and a client may have sent them in `X-Forwarded-For`. */
const KNOWN_LENGTH_MAX = 64;
const known = new LRUCache<string, string>({ max: KNOWN_MAX });

/** Returns the key under which limits count an IP address: an IPv4 address itself, or the /64 of an IPv6 address. */
export function callerOf(ip: string): string {
  let caller = known.get(ip);
  if (caller === undefined) {
    caller = networkOf(ip, IPV6_SUBSCRIBER_BITS);
    if (ip.length <= KNOWN_LENGTH_MAX) known.set(ip, caller);
  }
  return caller;
}

/**
 * Returns the key under which a limit counts an IP address when one person must not be able to use many keys: an IPv4
 * address itself, or the /48 of an IPv6 address. Many subscribers of one provider can share a /48.
 */
export function subscriberOf(ip: string): string {
  return networkOf(ip, IPV6_SUBSCRIBER_MAX_BITS);
}

function networkOf(ip: string, ipv6Bits: number): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return address.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/${ipv6Bits}`).toString();
}
