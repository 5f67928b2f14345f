import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Exchange } from '../exchange.js';
import { isAllowed } from '../ip-allowlist.js';
import type { ApiKey } from '../ledger/records.js';
import { Refusal } from './refusal.js';

export interface RestRequest {
  method: string;
  /** Path and query. */
  target: string;
  rawBody: string;
  ip: string;
  /** The first value of a header; an absent header is empty. */
  header: (name: string) => string;
}

/** The key of the call, checked for its validity and for the caller's address. @throws Refusal */
export function keyOf({ keys }: Exchange, { apiKey, ip }: { apiKey: string; ip: string }, now: Date): ApiKey {
  const key = keys.get(apiKey);
  if (key === undefined) throw new Refusal('key_unknown');
  if (key.revoked || (key.validUntil ?? Infinity) <= now.getTime()) throw new Refusal('key_revoked');
  if (!isAllowed(ip, key.ipAllowlist)) throw new Refusal('ip_not_allowed');
  return key;
}

/** Checks base64(HMAC-SHA256(text)); the key of the HMAC is the text of the secret. @throws Refusal */
export function checkSignature(given: string, { apiSecret }: ApiKey, text: string): void {
  const signature = Buffer.from(given, 'base64');
  const expected = createHmac('sha256', apiSecret).update(text).digest();
  if (signature.length === expected.length && timingSafeEqual(signature, expected)) return;
  throw new Refusal('signature_wrong');
}
