import type { Exchange } from './exchange.js';
import type { ApiKey } from './ledger/records.js';

/**
 * Uses up the nonce of a request. Each nonce works once: a repeated request is refused inside the key's window, too.
 * @returns false when the nonce was used before, or is too small
 */
export function takeNonce(exchange: Exchange, { apiKey, lastNonce, nonceWindow }: ApiKey, nonce: bigint): boolean {
  const last = BigInt(lastNonce);
  const oldest = last - BigInt(nonceWindow);
  const used = exchange.nonces.get(apiKey) ?? new Set<bigint>([last]);
  if (nonce <= oldest || used.has(nonce)) return false;
  exchange.nonces.set(apiKey, new Set([...used, nonce].filter((each) => each > oldest)));
  if (nonce > last) exchange.commit({ nonce: { apiKey, lastNonce: nonce.toString() } });
  return true;
}
