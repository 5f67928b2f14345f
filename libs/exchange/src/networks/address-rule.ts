import { RE2JS } from 're2js';

/** The longest address, in characters. All addresses of known chains and nearly all Lightning invoices are shorter. */
export const ADDRESS_LENGTH_MAX = 1_100;

const compiled = new Map<string, RE2JS>();

/**
 * Whether the whole address matches a network's `addressRegex`; false if it is longer than ADDRESS_LENGTH_MAX. RE2 runs
 * in linear time, so neither the expression, which may come from an exchange, nor the address can block the process.
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

/** The expressions that every address of a network matches as a whole. */
export interface AddressRules {
  /** Our own RE2 expression of the network. */
  readonly addressRegex: string;
  /** The exchange's expression; absent = the exchange states none that RE2 can compile. */
  readonly exchangeAddressRegex?: string;
}

/**
 * Whether an address matches our expression and the exchange's. An exchange's expression can be so loose that it
 * accepts addresses of other chains, so it never replaces ours: it can only exclude more addresses.
 */
export function acceptsAddress({ addressRegex, exchangeAddressRegex }: AddressRules, address: string): boolean {
  const accepted = addressMatches(addressRegex, address);
  return accepted && (exchangeAddressRegex === undefined || addressMatches(exchangeAddressRegex, address));
}

/** Returns our expression of the network, and the exchange's expression unless RE2 cannot compile it. */
export function addressRulesOf(network: Pick<AddressRules, 'addressRegex'>, stated: string | undefined): AddressRules {
  const { addressRegex } = network;
  const isUsable = stated !== undefined && isAddressRule(stated);
  return isUsable ? { addressRegex, exchangeAddressRegex: stated } : { addressRegex };
}

/**
 * Bech32 and CashAddr in capitals, as QR codes contain them. BIP-173: "inside QR codes uppercase SHOULD be used",
 * encoders "MUST always output an all lowercase" text, and decoders "MUST NOT accept" mixed case (August 2026). The
 * CashAddr specification 1.1: "uppercase is accepted", a mixture "must be rejected".
 */
const CAPITALS = [
  /^(?:BC|TB|LTC|COSMOS|CELESTIA|INJ|SEI|ADDR|ZS|LNBC(?:[1-9][0-9]*[MUNP]?)?)1[02-9AC-HJ-NP-Z]+$/,
  /^(?:BITCOINCASH:)?[QP][02-9AC-HJ-NP-Z]{41}$/,
];

/** Returns the form of an address in which it is stored and sent: addresses in capitals become lower case. */
export function sentAddress(address: string): string {
  return CAPITALS.some((form) => form.test(address)) ? address.toLowerCase() : address;
}

/** Hexadecimal formats (also TON's `0:…`), in which the case of the letters means nothing. */
const CASELESS = [/^0x[0-9a-f]+$/i, /^(0|-1):[0-9a-f]{64}$/i];

/** Hexadecimal addresses of 32 bytes whose leading zeros are left out, as older wallets of Aptos do. */
const SHORTENED = /^0x(?=[0-9a-f]{60,63}$)/;

/** The prefix of Bitcoin Cash and the checksum of Hedera, which wallets and exchanges may leave out. */
const OPTIONAL = /^bitcoincash:(?=[qp])|(?<=^0\.0\.\d+)-[a-z]{5}$/;

/** Returns the same text for all spellings of one address. */
export function canonicalAddress(text: string): string {
  const address = sentAddress(text);
  if (!CASELESS.some((form) => form.test(address))) return address.replace(OPTIONAL, '');
  const lower = address.toLowerCase();
  return SHORTENED.test(lower) ? `0x${lower.slice(2).padStart(64, '0')}` : lower;
}

/** Whether the address is the same in upper case and in lower case. */
export function isCaselessAddress(address: string): boolean {
  return canonicalAddress(address.toUpperCase()) === canonicalAddress(address.toLowerCase());
}

/** Whether RE2 can compile a regular expression that an exchange returned. */
function isAddressRule(regex: string): boolean {
  try {
    RE2JS.compile(regex);
    return true;
  } catch {
    return false;
  }
}
