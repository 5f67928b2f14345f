import type { LedgerEntry } from './records.js';
import type { AccountBook } from './state.js';

/** The matching ledger entries of an account, newest first; entries of the same moment in reverse booking order. */
export function newestEntries(book: AccountBook, matches: (entry: LedgerEntry) => boolean): LedgerEntry[] {
  // Entries of a bulk history have older times than entries that were booked before them, so we sort by time.
  return book.entries
    .filter(matches)
    .sort((a, b) => a.time - b.time)
    .reverse();
}
