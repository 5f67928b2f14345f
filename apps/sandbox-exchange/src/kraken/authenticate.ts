import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Exchange } from '../exchange.js';
import { isAllowed } from '../ip-allowlist.js';
import type { ApiKey } from '../ledger/records.js';
import { takeNonce } from '../nonces.js';
import { KrakenError } from './handler.js';

export interface SignedRequest {
  /** The path, for example `/0/private/Balance`. */
  path: string;
  rawBody: string;
  params: Record<string, string>;
  apiKey: string | undefined;
  signature: string | undefined;
  ip: string;
}

/** Kraken's nonces are unsigned 64-bit integers. */
const NONCE = /^[0-9]{1,20}$/;

/**
 * Verifies the key, the address, the signature and the nonce, and uses up the nonce.
 * Source: https://docs.kraken.com/exchange/guides/rest/authentication and /exchange/guides/general/errors. The errors
 * for an address outside the allow-list and for an expired key are not documented. For an address outside the
 * allow-list, clients report the error of a missing permission.
 * @throws KrakenError
 */
export function authenticate(exchange: Exchange, request: SignedRequest, now: Date): ApiKey {
  const key = exchange.keys.get(request.apiKey ?? '');
  if (key === undefined || key.revoked || hasEnded(key, now)) throw new KrakenError('EAPI:Invalid key');
  if (!isAllowed(request.ip, key.ipAllowlist)) throw new KrakenError('EGeneral:Permission denied');
  const { nonce = '' } = request.params;
  if (!matches(request.signature ?? '', sign(key.apiSecret, { ...request, nonce }))) {
    throw new KrakenError('EAPI:Invalid signature');
  }
  if (!NONCE.test(nonce) || !takeNonce(exchange, key, BigInt(nonce))) throw new KrakenError('EAPI:Invalid nonce');
  return exchange.keys.get(key.apiKey) ?? key;
}

const hasEnded = ({ validUntil }: ApiKey, now: Date): boolean =>
  validUntil !== undefined && validUntil <= now.getTime();

/** API-Sign: base64(HMAC-SHA512(secret, path + SHA256(nonce + body))). */
export function sign(
  apiSecret: string,
  { path, nonce, rawBody }: { path: string; nonce: string; rawBody: string },
): Buffer {
  const digest = createHash('sha256')
    .update(nonce + rawBody)
    .digest();
  return createHmac('sha512', Buffer.from(apiSecret, 'base64')).update(path).update(digest).digest();
}

function matches(given: string, expected: Buffer): boolean {
  const bytes = Buffer.from(given, 'base64');
  return bytes.length === expected.length && timingSafeEqual(bytes, expected);
}
