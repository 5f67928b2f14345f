import { BlockList, isIP } from 'node:net';

/**
 * Entries are addresses or ranges such as `10.0.0.0/8`; an invalid entry allows no address. An empty list allows every
 * address.
 */
export function isAllowed(ip: string, allowlist: readonly string[]): boolean {
  if (allowlist.length === 0) return true;
  const list = new BlockList();
  for (const entry of allowlist) {
    const [address = '', bits] = entry.split('/');
    if (isIP(address) === 0) continue;
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list.check(ip, isIP(ip) === 6 ? 'ipv6' : 'ipv4');
}
