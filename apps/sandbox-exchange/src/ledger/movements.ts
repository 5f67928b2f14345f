import type { LedgerEntry } from './records.js';
import type { AccountBook } from './state.js';

/** The ledger entries of an account that match, the newest first; those of one moment in the reverse order of booking. */
export function newestEntries(book: AccountBook, matches: (entry: LedgerEntry) => boolean): LedgerEntry[] {
  // A history that the control API books at once is older than what was booked before it.
  return book.entries
    .filter(matches)
    .sort((a, b) => a.time - b.time)
    .reverse();
}
