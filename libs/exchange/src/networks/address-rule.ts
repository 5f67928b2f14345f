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

/**
 * Formats in which the case of the letters means nothing: hexadecimal (also TON's `0:…`), and bech32 in capitals.
 * Addresses in these formats are compared in lower case.
 */
const CASELESS = [/^0x[0-9a-f]+$/i, /^(0|-1):[0-9a-f]{64}$/i, /^(BC|TB|LTC)1[0-9A-Z]+$/];

/** Hexadecimal addresses of 32 bytes whose leading zeros are left out, as older wallets of Aptos do. */
const SHORTENED = /^0x(?=[0-9a-f]{60,63}$)/;

/** The prefix of Bitcoin Cash and the checksum of Hedera, which wallets and exchanges may leave out. */
const OPTIONAL = /^bitcoincash:(?=[qp])|(?<=^0\.0\.\d+)-[a-z]{5}$/;

/** Returns the same text for all spellings of one address. */
export function canonicalAddress(address: string): string {
  if (!CASELESS.some((form) => form.test(address))) return address.replace(OPTIONAL, '');
  const lower = address.toLowerCase();
  return SHORTENED.test(lower) ? `0x${lower.slice(2).padStart(64, '0')}` : lower;
}

/** TON's raw form, in lower case: workchain and account. */
const TON_RAW = /^(0|-1):([0-9a-f]{64})$/;
/** TON's friendly form, 48 characters: flags (one byte), workchain (one byte), the account (32 bytes), a checksum. */
const TON_FRIENDLY = /^[A-Za-z0-9+/_-]{48}$/;
/** The flags that TON defines: bounceable or not, and with 0x80 for the test network. */
const [BOUNCEABLE, NOT_BOUNCEABLE] = [0x11, 0x51];
const TON_FLAGS: ReadonlySet<number | undefined> = new Set([BOUNCEABLE, NOT_BOUNCEABLE, 0x91, 0xd1]);

/** Whether the text is an address in TON's friendly form, with a valid checksum. */
export function isTonFriendly(address: string): boolean {
  const bytes = Buffer.from(TON_FRIENDLY.test(address) ? address : '', 'base64');
  return TON_FLAGS.has(bytes[0]) && crc16(bytes.subarray(0, 34)).equals(bytes.subarray(34));
}

/**
 * Returns the same text for all addresses of one account. It serves only for comparisons, and not for payments: TON's
 * `EQ…` and `UQ…` are one account, but a transfer to `EQ…` comes back if the account does not exist yet.
 */
export function accountOf(address: string): string {
  if (!isTonFriendly(address)) return canonicalAddress(address);
  const bytes = Buffer.from(address, 'base64');
  return `${bytes.readInt8(1)}:${bytes.subarray(2, 34).toString('hex')}`;
}

/** Returns the forms in which callers may send the address of an account: several for TON, otherwise the given one. */
export function formsOf(address: string): string[] {
  const account = accountOf(address);
  const [, workchain, hash] = TON_RAW.exec(account) ?? [];
  if (hash === undefined) return [address];
  return [account, ...[BOUNCEABLE, NOT_BOUNCEABLE].map((flags) => tonFriendly(flags, Number(workchain), hash))];
}

function tonFriendly(flags: number, workchain: number, hash: string): string {
  const bytes = Buffer.from([flags, workchain & 0xff, ...Buffer.from(hash, 'hex')]);
  return Buffer.concat([bytes, crc16(bytes)]).toString('base64url');
}

/** The checksum of TON's friendly form: CRC-16/XMODEM. */
function crc16(bytes: Uint8Array): Buffer {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff;
  }
  return Buffer.from([crc >> 8, crc & 0xff]);
}

/**
 * The beginning of an account that shows its form: its first character. A second character is needed for Filecoin,
 * whose accounts have an id (`f0…`) and an address (`f1…`), and for Hedera (`0.0.…` or `0x…`).
 */
const FORM = /^(?:0[.x:]|f\d|.)/;

/**
 * Whether two addresses of one network may belong to the same account. An exchange may list a withdrawal with another
 * form of the address than the one that we sent, for example Bitcoin Cash's older form (`1…`) or Litecoin's (`3…` and
 * `M…`). The forms of one network begin with different characters (`FORM`). Two different results of `accountOf` in the
 * same form are therefore two accounts.
 */
export function mayBeOneAccount(address: string, other: string): boolean {
  const [one, two] = [accountOf(address), accountOf(other)];
  return one === two || FORM.exec(one)?.[0] !== FORM.exec(two)?.[0];
}

/** Whether the address is the same in upper case and in lower case. */
export function isCaselessAddress(address: string): boolean {
  return canonicalAddress(address.toUpperCase()) === canonicalAddress(address.toLowerCase());
}

/** Whether RE2 can compile a regular expression that an exchange returned. */
export function isAddressRule(regex: string): boolean {
  try {
    RE2JS.compile(regex);
    return true;
  } catch {
    return false;
  }
}
