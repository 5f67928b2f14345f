import ipaddr from 'ipaddr.js';

/** Prefix length of the network that a subscriber usually gets. The whole network counts as one caller. */
const IPV6_SUBSCRIBER_BITS = 64;

/** Returns the key of limits by address: an IPv4 address, or the /64 of an IPv6 address. */
export function callerOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return address.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/${IPV6_SUBSCRIBER_BITS}`).toString();
}
