import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Exchange } from '../exchange.js';
import { isAllowed } from '../ip-allowlist.js';
import type { ApiKey } from '../ledger/records.js';
import { Refusal } from './refusal.js';

/** The passphrase of every key, at exchanges that have one. */
export const PASSPHRASE = 'sandbox';

export interface RestRequest {
  method: string;
  /** Path and query. */
  target: string;
  rawBody: string;
  ip: string;
  /** The first value of a header; an absent header is empty. */
  header: (name: string) => string;
}

export const queryOf = ({ target }: RestRequest): string => target.split('?')[1] ?? '';

/** The key of the call, checked for its validity and for the caller's address. @throws Refusal */
export function keyOf({ keys }: Exchange, { apiKey, ip }: { apiKey: string; ip: string }, now: Date): ApiKey {
  const key = keys.get(apiKey);
  if (key === undefined) throw new Refusal('key_unknown');
  if (key.revoked || (key.validUntil ?? Infinity) <= now.getTime()) throw new Refusal('key_revoked');
  if (!isAllowed(ip, key.ipAllowlist)) throw new Refusal('ip_not_allowed');
  return key;
}

/**
 * Checks the time of a request: at most `oldMs` before the exchange's clock, and at most `aheadMs` after it. @throws
 * Refusal
 */
export function checkTime(at: number, now: Date, { oldMs, aheadMs }: { oldMs: number; aheadMs: number }): void {
  if (!Number.isSafeInteger(at)) throw new Refusal('timestamp_invalid');
  const ageMs = now.getTime() - at;
  if (!(ageMs <= oldMs && -ageMs <= aheadMs)) throw new Refusal('timestamp_expired');
}

/** Signs a text by HMAC. The key of the HMAC is the text of the secret, which is not decoded. */
export function signatureOf(
  { apiSecret }: ApiKey,
  text: string,
  encoding: 'base64' | 'hex',
  algorithm: 'sha256' | 'sha384' | 'sha512' = 'sha256',
): string {
  return createHmac(algorithm, apiSecret).update(text).digest(encoding);
}

/** @throws Refusal */
export function checkSignature(given: string, expected: string): void {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  if (one.length !== other.length || !timingSafeEqual(one, other)) throw new Refusal('signature_wrong');
}
