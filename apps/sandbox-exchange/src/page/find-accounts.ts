import type { AccountBook } from '../ledger/state.js';

/** Maximum number of accounts on a page; the search finds the others. */
const ACCOUNTS_SHOWN = 50;

export interface FoundAccounts {
  /** The newest first. */
  books: AccountBook[];
  /** How many of the accounts a page shows. */
  shown: number;
}

/** Finds the accounts whose name or id contains the text, regardless of case. An empty text finds all accounts. */
export function findAccounts(books: readonly AccountBook[], search: string): FoundAccounts {
  const text = search.trim().toLowerCase();
  const found = books.filter(({ account }) => `${account.name}\n${account.id}`.toLowerCase().includes(text)).reverse();
  return { books: found, shown: Math.min(found.length, ACCOUNTS_SHOWN) };
}
