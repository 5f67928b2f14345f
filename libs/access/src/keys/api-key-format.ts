import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { ProjectMode } from '../projects/project-identity.js';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_BYTES = 32;
/** Numbers of base62 characters that hold 256 bits and 32 bits. */
const BODY_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const SHAPE = new RegExp(`^svc_(live|test)_[A-Za-z0-9]{${BODY_LENGTH + CHECKSUM_LENGTH}}$`);
const HINT_LENGTH = 4;

/**
 * Creates an API key of 58 characters: `svc_<mode>_`, 256 random bits in base62, and a CRC-32 of the text before it in
 * base62.
 */
export function generateApiKey(mode: ProjectMode, random: Buffer = randomBytes(RANDOM_BYTES)): string {
  const text = `svc_${mode}_${base62(BigInt(`0x${random.toString('hex')}`), BODY_LENGTH)}`;
  return text + checksum(text);
}

/** Whether the text has the form and the checksum of an API key. Typos are found without a query. */
export function isApiKey(text: string): boolean {
  return SHAPE.test(text) && text.slice(-CHECKSUM_LENGTH) === checksum(text.slice(0, -CHECKSUM_LENGTH));
}

/** The part of a key that may be shown later. */
export function hintOf(key: string): string {
  return `${key.slice(0, 'svc_live_'.length)}…${key.slice(-HINT_LENGTH)}`;
}

function checksum(text: string): string {
  return base62(BigInt(crc32(text)), CHECKSUM_LENGTH);
}

function base62(value: bigint, length: number): string {
  const base = BigInt(ALPHABET.length);
  let text = '';
  for (let rest = value; rest > 0n; rest /= base) text = ALPHABET.charAt(Number(rest % base)) + text;
  return text.padStart(length, ALPHABET.charAt(0));
}
