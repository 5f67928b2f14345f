import ipaddr from 'ipaddr.js';

/** The range of all public IPv6 addresses (RFC 4291, section 2.4, with the present allocations of IANA). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Addresses in public ranges at which clouds serve the metadata of a machine to this machine only: Azure (WireServer)
 * and Equinix Metal. Other known metadata services have link-local, private, shared or reserved addresses.
 */
const METADATA_ADDRESSES: readonly string[] = ['168.63.129.16', '192.80.8.124'];

/**
 * Whether the address belongs to one host of the public Internet. Every other range is refused: private, loopback,
 * link-local, shared, reserved, multicast, and the IPv6 ranges that contain an IPv4 address (mapped, NAT64, 6to4,
 * Teredo), because a gateway may translate them to a private one. The metadata services of clouds are refused, too.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text) || text.includes('%')) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast' || METADATA_ADDRESSES.includes(address.toString())) return false;
  return address instanceof ipaddr.IPv4 || address.match(GLOBAL_UNICAST);
}

/** Returns the host of a URL without the brackets of IPv6 when it is an IP address; null when it is a name. */
export function addressOf(hostname: string): string | null {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  return ipaddr.isValid(bare) ? bare : null;
}
