import { ExchangeError } from '../port/exchange-error.js';
import type { UnreadAccount } from '../port/balance.port.js';
import type { AccountBalance } from './account-balances.js';
import { reasonOf, type AccountReading } from './other-accounts.js';

/** Sub-accounts of an owner, which the key of the main account may read. */

/** Our name of the group. */
export const SUB_ACCOUNTS = 'sub-accounts';
/** Maximum number of sub-accounts that one reading reads where the exchange has a call for each of them only. */
export const SUB_ACCOUNTS_MAX = 10;
/** Our name of the sub-accounts beyond what one reading reads. */
const FURTHER = 'further sub-accounts';

/** A holding of a sub-account. */
export type SubAccountBalance = AccountBalance & { readonly account: string };

/** The account of a sub-account with this name or id. */
export const accountOf = (name: string): string => `sub-account ${name}`;

/** The holdings of a sub-account. They get this kind also if they earn or are locked. */
export function inSubAccount(name: string, balances: readonly AccountBalance[]): SubAccountBalance[] {
  return balances.map((each) => ({ ...each, account: accountOf(name), kind: 'sub_account' }));
}

/** The accounts of sub-accounts that this service does not read. They are named if there is a sub-account. */
export function notServedIn(subAccounts: readonly unknown[], ...accounts: readonly string[]): UnreadAccount[] {
  return subAccounts.length === 0 ? [] : accounts.map((account) => ({ account, reason: 'not_served' }));
}

/** Names the sub-accounts that a list does not show because of its bound. */
export function furtherIf(isLonger: boolean): UnreadAccount[] {
  return isLonger ? [{ account: FURTHER, reason: 'not_served' }] : [];
}

/**
 * Reads the sub-accounts that a list names, one after the other, and at most `SUB_ACCOUNTS_MAX`. A refusal costs one
 * sub-account, which is named.
 * @param notServed the accounts of sub-accounts that this service does not read
 * @throws ExchangeError when the exchange is unavailable, so that the group keeps the amounts of its last reading
 */
export async function readSubAccounts<T extends { readonly name: string }>(
  listed: readonly T[],
  read: (subAccount: T) => Promise<AccountReading>,
  ...notServed: readonly string[]
): Promise<AccountReading> {
  const balances: SubAccountBalance[] = [];
  const unread: UnreadAccount[] = [];
  for (const one of listed.slice(0, SUB_ACCOUNTS_MAX)) {
    const found = await read(one).catch((error: unknown) => refusedReading(accountOf(one.name), error));
    balances.push(...inSubAccount(one.name, found.balances));
    unread.push(...(found.unread ?? []));
  }
  const isLonger = listed.length > SUB_ACCOUNTS_MAX;
  return { balances, unread: [...unread, ...furtherIf(isLonger), ...notServedIn(listed, ...notServed)] };
}

/** Names an account that the exchange refuses to show. @throws the error unless it is a refusal that lasts */
export function refusedReading(account: string, error: unknown): AccountReading {
  return { balances: [], unread: [{ account, reason: lastingReasonOf(error) }] };
}

/** Returns the reason of a refusal that lasts. @throws any other error */
function lastingReasonOf(error: unknown): UnreadAccount['reason'] {
  const reason = error instanceof ExchangeError ? reasonOf(error) : 'unavailable';
  if (reason === 'unavailable') throw error;
  return reason;
}

/**
 * Returns the names of sub-accounts by their ids. If the exchange refuses to list them, the ids are the names. A name
 * that is masked, or that two sub-accounts have, names neither.
 * @throws ExchangeError when the exchange is unavailable: another name would look like another balance
 */
export async function namesOf(
  list: Promise<readonly { readonly id: string; readonly name: string }[]>,
): Promise<(id: string) => string> {
  const listed = await list.catch((error: unknown) => {
    lastingReasonOf(error);
    return [];
  });
  const names = listed.map(({ name }) => name);
  const clear = listed.filter(({ name }) => !/^$|\*/.test(name) && names.filter((one) => one === name).length === 1);
  const byId = new Map(clear.map(({ id, name }) => [id, name]));
  return (id) => byId.get(id) ?? id;
}
