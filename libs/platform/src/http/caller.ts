import ipaddr from 'ipaddr.js';

/** Bits of an IPv6 address that one subscriber usually gets: the whole range counts as one caller. */
const IPV6_SUBSCRIBER_BITS = 64;

/** What counts as one caller wherever something is limited by address: an IPv4 address, or the /64 of an IPv6 address. */
export function callerOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return address.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/${IPV6_SUBSCRIBER_BITS}`).toString();
}
