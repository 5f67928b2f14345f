import { createHash } from 'node:crypto';
import { Amount } from '#money';
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
    'query-funds': read,
    'withdraw-funds': withdraw,
    'modify-trades': trade,
  };
  return permissions.flatMap((one) => names[one] ?? []);
}

/** A number that stands for an id of the ledger, for exchanges whose ids are numbers. */
export function numberOf(id: string): number {
  return createHash('sha256').update(id).digest().readUIntBE(0, 6);
}

/**
 * The assets that the account has, with common codes. `leaving` is the sum of the withdrawals in progress, with their
 * fees. Some exchanges keep them in the balance. Here they are in none of the other amounts.
 */
export function heldAssets({ exchange, account }: Call) {
  const book = exchange.book(account);
  const shownUntil = book.totalsUntil ?? Infinity;
  const unsettled = [...book.unsettled]
    .flatMap((refid) => book.withdrawals.get(refid) ?? [])
    .filter(({ requestedAt }) => requestedAt <= shownUntil);
  const leavingOf = (id: string): Amount =>
    Amount.sum(
      unsettled.filter(({ asset }) => asset === id).map(({ amount, fee }) => Amount.of(amount).plus(Amount.of(fee))),
    );
  return book
    .assets()
    .map((id) => ({
      code: assetById(id).code,
      total: book.total(id),
      free: book.free(id),
      held: book.held(id),
      leaving: leavingOf(id),
    }))
    .filter(({ total, leaving }) => total.isPositive() || leaving.isPositive());
}
