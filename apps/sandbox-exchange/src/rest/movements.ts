import { Amount } from '#money';
import { assetById } from '../catalogue.js';
import type { Call } from '../kraken/handler.js';
import { newestEntries } from '../ledger/movements.js';
import type { LedgerEntry } from '../ledger/records.js';

/** A change of the holdings of one asset. */
interface ShownMovement {
  id: string;
  /** Common code of the asset. */
  code: string;
  type: LedgerEntry['type'];
  /** Signed, fee included. */
  change: Amount;
  /** Holdings of the asset after it. */
  balance: string;
  /** The caller's own id of the withdrawal; empty for none. */
  reference: string;
  time: number;
}

/** The changes of a period, newest first. Both ends are inclusive, in epoch milliseconds. */
export function movementsOf(
  { exchange, account }: Call,
  { since, until, limit, asset }: { since: number; until: number; limit: number; asset: string | undefined },
): ShownMovement[] {
  const book = exchange.book(account);
  const references = new Map([...book.withdrawals.values()].map(({ refid, clientId = '' }) => [refid, clientId]));
  return newestEntries(book, ({ time }) => time >= since && time <= until)
    .map(({ id, type, refid, time, balance, ...entry }) => ({
      ...{ id, type, time, balance, code: assetById(entry.asset).code, reference: references.get(refid) ?? '' },
      change: Amount.of(entry.amount).minus(Amount.of(entry.fee)),
    }))
    .filter(({ code }) => asset === undefined || asset === code)
    .slice(0, limit);
}
