import { randomUUID } from 'node:crypto';
import { openLedgerAccount } from '../control/accounts.js';
import type { Exchange } from '../exchange.js';
import type { Identity } from '../ledger/oauth-records.js';
import type { Account } from '../ledger/records.js';
import type { AccountBook } from '../ledger/state.js';
import { findAccounts } from '../page/find-accounts.js';
import { openSampleAccount, sampleMoney } from '../partner/accounts/magic-tokens.js';
import type { Provider } from './provider.js';

/** The password of every account; the login page shows it. */
export const PASSWORD = 'sandbox';
/** The value that the login form sends to open a new account. */
export const NEW_ACCOUNT = 'new';

/** The accounts that the login page offers. */
export interface LoginAccounts {
  accounts: Account[];
  /** The text by which the accounts were searched. */
  search: string;
  /** Number of found accounts that are not in `accounts`. */
  more: number;
}

/** Finds the newest accounts that can log in at the provider, by the search text of the login form. */
export function loginAccounts(exchange: Exchange, provider: Provider, form = new URLSearchParams()): LoginAccounts {
  const search = form.get('q') ?? '';
  const { books, shown } = findAccounts(
    [...exchange.books.values()].filter((book) => isAccountOf(book, provider)),
    search,
  );
  return { accounts: books.slice(0, shown).map(({ account }) => account), search, more: books.length - shown };
}

/** Returns null when this provider has no such account, or when no new account can be opened. */
export function findLoginAccount(exchange: Exchange, provider: Provider, id: string, now: Date): Account | null {
  if (id === NEW_ACCOUNT) return exchange.hasRoomFor() ? openFundedAccount(exchange, provider, now) : null;
  const book = exchange.findBook(id);
  return book !== null && isAccountOf(book, provider) ? book.account : null;
}

function isAccountOf({ profile }: AccountBook, { accounts }: Provider): boolean {
  return (profile !== null) === (accounts === 'partner');
}

function openFundedAccount(exchange: Exchange, { id, accounts, name: provider }: Provider, now: Date): Account {
  const name = `${provider} customer ${randomUUID().slice(0, 4)}`;
  if (accounts === 'ledger') {
    const account = openLedgerAccount(exchange, { name, balances: sampleMoney() }, now);
    if (id === 'coinbase') liveOutsideTravelRule(exchange, account);
    return account;
  }
  return exchange.bookOf(openSampleAccount(exchange, name, now).accountId).account;
}

/**
 * Sets the owner's country to US. In a country with a travel rule, Coinbase demands data about the recipient of a
 * send, and Causeway's API has no fields for them.
 */
export function liveOutsideTravelRule(exchange: Exchange, account: Account): void {
  exchange.commit({ identity: { ...identityOf(exchange, account), accountId: account.id, country: 'US' } });
}

/**
 * The identity that the control API has set, or else a default. Its IBAN is the example for Germany in the IBAN
 * registry.
 */
export function identityOf(exchange: Exchange, { id, name }: Account): Identity {
  const email = exchange.findBook(id)?.profile?.email ?? `${id.slice(0, 8)}@customer.example`;
  return exchange.oauth.identities.get(id) ?? { fullName: name, email, iban: 'DE89370400440532013000', country: 'DE' };
}
