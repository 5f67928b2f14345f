import { createHash } from 'node:crypto';
import { assetById, type SandboxAsset } from '../catalogue.js';
import { CoinbaseError } from './coinbase-error.js';
import type { CoinbaseCall } from './handler.js';

/** Derives a UUID from text; the same text always gives the same UUID. */
export function uuidOf(...words: string[]): string {
  const digest = createHash('sha256').update(words.join(' ')).digest('hex');
  const parts = [digest.slice(0, 8), digest.slice(8, 12), `4${digest.slice(13, 16)}`, `8${digest.slice(17, 20)}`];
  return [...parts, digest.slice(20, 32)].join('-');
}

export interface Held {
  uuid: string;
  asset: SandboxAsset;
}

/** Coinbase has one account for each asset. Returns one for each asset that the sandbox account has ever held. */
export function heldBy({ exchange, account, caller }: CoinbaseCall): Held[] {
  return exchange
    .book(account)
    .assets()
    .filter((id) => caller.asset === undefined || caller.asset === id)
    .map((id) => ({ uuid: uuidOf(account.id, id), asset: assetById(id) }));
}

/**
 * Finds the account that the path names. "A currency string (e.g. BTC or ETH) can be used instead of the account ID":
 * https://docs.cdp.coinbase.com/coinbase-app/track-apis/accounts; here this applies to all endpoints. @throws
 * CoinbaseError
 */
export function heldOf(call: CoinbaseCall): Held {
  const name = call.path['account_id'];
  const held = heldBy(call).find(({ uuid, asset }) => uuid === name || asset.code === name);
  if (held === undefined) throw new CoinbaseError('not_found', 'Not found');
  return held;
}
