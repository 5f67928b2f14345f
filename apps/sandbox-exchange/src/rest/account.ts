import { assetById } from '../catalogue.js';
import type { Call } from '../kraken/handler.js';
import type { ApiKey } from '../ledger/records.js';

/** An exchange's names for the permissions of an API key. */
interface PermissionNames {
  read: string;
  withdraw: string;
  trade: string;
}

export function permissionsOf({ permissions }: ApiKey, { read, withdraw, trade }: PermissionNames): string[] {
  const names: Readonly<Record<string, string>> = {
    ...{ 'query-funds': read, 'withdraw-funds': withdraw, 'modify-trades': trade },
  };
  return permissions.flatMap((one) => names[one] ?? []);
}

/** The assets that the account has, with common codes. */
export function heldAssets({ exchange, account }: Call) {
  const book = exchange.book(account);
  const held = book.assets().filter((id) => book.total(id).isPositive());
  return held.map((id) => ({
    ...{ code: assetById(id).code, total: book.total(id), free: book.free(id), held: book.held(id) },
  }));
}
