import ipaddr from 'ipaddr.js';

/**
 * The normal form of an entry (`192.0.2.7`, `10.0.0.0/8`, `2001:db8::/32`), or null when the text is no valid entry.
 * IPv4 addresses must have four decimal parts, because programs read forms such as `010.1` differently.
 */
export function normalAllowlistEntry(text: string): string | null {
  if (text.includes('%')) return null;
  const isIpv4 = !text.includes(':');
  if (isIpv4 && !/^\d{1,3}(\.\d{1,3}){3}(\/\d{1,2})?$/.test(text)) return null;
  if (text.includes('/')) {
    if (!ipaddr.isValidCIDR(text) || hasLeadingZero(text, isIpv4)) return null;
    const [address, bits] = ipaddr.parseCIDR(text);
    return isMapped(address) ? null : `${address.toString()}/${bits}`;
  }
  if (!ipaddr.isValid(text) || hasLeadingZero(text, isIpv4)) return null;
  const address = ipaddr.parse(text);
  return isMapped(address) ? null : address.toString();
}

/** Whether the address is in the list; an empty list allows every address. */
export function allowlistAdmits(allowlist: readonly string[], ip: string): boolean {
  if (allowlist.length === 0) return true;
  if (!ipaddr.isValid(ip)) return false;
  // `process` converts ::ffff:192.0.2.7, which a dual-stack socket reports, to 192.0.2.7.
  const address = ipaddr.process(ip);
  return allowlist.some((entry) => {
    if (!entry.includes('/')) return ipaddr.parse(entry).toString() === address.toString();
    const [range, bits] = ipaddr.parseCIDR(entry);
    return range.kind() === address.kind() && address.match(range, bits);
  });
}

function hasLeadingZero(text: string, isIpv4: boolean): boolean {
  return isIpv4 && /(^|\.)0\d/.test(text);
}

function isMapped(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress();
}
