import { createHash } from 'node:crypto';
import { base32nopad, bech32, createBase58check } from '@scure/base';
import { canonicalAddress } from './address-rule.js';

const base58 = createBase58check((bytes: Uint8Array) => createHash('sha256').update(bytes).digest());

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

/** Returns TON's raw form of a friendly one; null for other texts. */
function tonRaw(address: string): string | null {
  if (!isTonFriendly(address)) return null;
  const bytes = Buffer.from(address, 'base64');
  return `${bytes.readInt8(1)}:${bytes.subarray(2, 34).toString('hex')}`;
}

/** The versions of base58 addresses that pay a key or a script, as in Bitcoin. */
const [KEY_VERSION, SCRIPT_VERSION] = [0x00, 0x05];
/** Litecoin's newer version of addresses that pay a script (`M…`). The older one is Bitcoin's (`3…`). */
const LITECOIN_SCRIPT_VERSION = 0x32;

/** Returns Litecoin's `3…` of an `M…`; null for other texts. */
function olderLitecoin(address: string): string | null {
  const bytes = /^M[1-9A-HJ-NP-Za-km-z]{33}$/.test(address) ? decoded(address) : null;
  if (bytes?.length !== 21 || bytes[0] !== LITECOIN_SCRIPT_VERSION) return null;
  return base58.encode(Uint8Array.of(SCRIPT_VERSION, ...bytes.subarray(1)));
}

/** Returns null when the checksum is invalid. */
function decoded(address: string): Uint8Array | null {
  try {
    return base58.decode(address);
  } catch {
    return null;
  }
}

/** The 32 letters of CashAddr, in the order of their values. */
const CASHADDR_LETTERS = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
/** Number of letters of the checksum. */
const CASHADDR_CHECKSUM = 8;

/**
 * Returns the older form (`1…` or `3…`) of Bitcoin Cash's `q…` or `p…`; null for other texts. The specification is
 * bitcoincashorg/bitcoincash.org, spec/cashaddr.md: a version byte and the 20 bytes of the hash, in groups of 5 bits.
 */
function olderBitcoinCash(address: string): string | null {
  if (!/^[qp][02-9ac-hj-np-z]{41}$/.test(address)) return null;
  const words = [...address].map((letter) => CASHADDR_LETTERS.indexOf(letter));
  const bytes = bech32.fromWordsUnsafe(words.slice(0, -CASHADDR_CHECKSUM));
  // The first byte is 0 for a key and 8 for a script.
  if (!(bytes instanceof Uint8Array) || (bytes[0] !== 0 && bytes[0] !== 8)) return null;
  return base58.encode(Uint8Array.of(bytes[0] === 0 ? KEY_VERSION : SCRIPT_VERSION, ...bytes.subarray(1)));
}

/**
 * Returns the same text for all addresses of one account. Several networks have more than one form of address for the
 * same account. The text serves only for comparisons within one network, and not for payments: a transfer to TON's
 * `EQ…` comes back if the account does not exist yet, and one to `UQ…` does not.
 */
export function accountOf(address: string): string {
  const canonical = canonicalAddress(address);
  return tonRaw(address) ?? olderLitecoin(canonical) ?? olderBitcoinCash(canonical) ?? canonical;
}

/** Stellar's strkey (SEP-23): a version byte, the public key (32 bytes), the id of a muxed account, a checksum. */
const [STELLAR_ACCOUNT, STELLAR_MUXED] = [0x30, 0x60];
const STRKEY = /^(?:G[A-Z2-7]{55}|M[A-Z2-7]{68})$/;

/** Returns the bytes of an address of Stellar without its checksum; null when the address is not valid. */
export function stellarBytes(address: string): Buffer | null {
  if (!STRKEY.test(address)) return null;
  try {
    const bytes = Buffer.from(base32nopad.decode(address));
    const content = bytes.subarray(0, -2);
    return crc16(content).reverse().equals(bytes.subarray(-2)) ? content : null;
  } catch {
    // The spare bits of the last letter are not zero.
    return null;
  }
}

/**
 * Returns the account and the tag that a payment reaches. A muxed address of Stellar (`M…`) is the address of an
 * account (`G…`) with a tag. A tag that a caller sends beside it does not make it another receiver.
 */
export function receiverOf(address: string, tag: string | null): { account: string; tag: string | null } {
  const bytes = stellarBytes(address);
  if (bytes?.[0] !== STELLAR_MUXED) return { account: accountOf(address), tag };
  const account = Buffer.from([STELLAR_ACCOUNT, ...bytes.subarray(1, 33)]);
  const checksum = crc16(account).reverse();
  return {
    account: base32nopad.encode(Buffer.concat([account, checksum])),
    tag: bytes.readBigUInt64BE(33).toString(),
  };
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

/** CRC-16/XMODEM: the checksum of TON's friendly form and, with its bytes swapped, of Stellar's strkey. */
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
 * form of the address than the one that we sent, for example the id of an account of Filecoin. The forms of one network
 * begin with different characters (`FORM`). Two different results of `accountOf` in the same form are therefore two
 * accounts.
 */
export function mayBeOneAccount(address: string, other: string): boolean {
  const [one, two] = [accountOf(address), accountOf(other)];
  return one === two || FORM.exec(one)?.[0] !== FORM.exec(two)?.[0];
}
