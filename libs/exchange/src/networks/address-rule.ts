import { RE2JS } from 're2js';

/** Longer than any address of a known chain, and than nearly all Lightning invoices. */
export const ADDRESS_LENGTH_MAX = 1_100;

const compiled = new Map<string, RE2JS>();

/**
 * Whether the whole address matches a network's `addressRegex`. RE2 runs in linear time, so neither the expression (it
 * may come from an exchange) nor the address can stall the process. An address of more than ADDRESS_LENGTH_MAX characters never
 * matches.
 */
export function addressMatches(regex: string, address: string): boolean {
  if (address.length > ADDRESS_LENGTH_MAX) return false;
  let rule = compiled.get(regex);
  if (rule === undefined) {
    rule = RE2JS.compile(regex);
    compiled.set(regex, rule);
  }
  return rule.matches(address);
}

/** Hexadecimal in any case, also of TON (`0:…`); bech32 in capitals. */
const CASELESS = [/^0x[0-9a-f]+$/i, /^(0|-1):[0-9a-f]{64}$/i, /^(BC|TB|LTC)1[0-9A-Z]+$/];

/** The same text for the ways in which one address can be written. */
export function canonicalAddress(address: string): string {
  return CASELESS.some((form) => form.test(address)) ? address.toLowerCase() : address;
}

/** Whether the address stays the same one whichever case its letters are written in. */
export function isCaselessAddress(address: string): boolean {
  return canonicalAddress(address.toUpperCase()) === canonicalAddress(address.toLowerCase());
}

/** Whether an expression of an exchange can be asked. */
export function isAddressRule(regex: string): boolean {
  try {
    RE2JS.compile(regex);
    return true;
  } catch {
    return false;
  }
}
