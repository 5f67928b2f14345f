import type { ExchangeClient, Endpoint } from '../client/exchange-client.js';
import { ExchangeError } from '../port/exchange-error.js';
import type { AssetBalance, OtherAccount, UnreadAccount, UnreadReason } from '../port/balance.port.js';
import { UNLISTED, UnusableResponse } from '../transport/failed-read.js';
import { byAccount, mergeAccounts, type AccountBalance, type ListedAccount } from './account-balances.js';

/** The holdings that one reading returns. `account` is only stated in a reading of several accounts. */
export interface AccountReading {
  readonly balances: readonly (AccountBalance & { readonly account?: string })[];
  /** Accounts that the exchange names without their amounts of assets. */
  readonly unread?: readonly UnreadAccount[];
}

/** An account, or a group of accounts, that pays no withdrawals. */
export interface DeclaredAccount {
  /** The exchange's own name of the account, or our name of the group. */
  readonly name: string;
  readonly read: (client: ExchangeClient, own: readonly AssetBalance[]) => Promise<AccountReading>;
  /** The codes with which the exchange answers when the owner has not opened the account. */
  readonly notOpened?: readonly string[];
}

/** The accounts of an exchange beside those that pay withdrawals. */
export interface OtherAccountsDeclaration {
  /** The accounts that are read, the most important one first. */
  readonly read?: readonly DeclaredAccount[];
  /** The accounts that are never read. The declaration states the reason beside each. */
  readonly notServed?: readonly string[];
}

/** Declares an account whose balances one call lists. */
export function listedAccount(
  name: string,
  endpoint: Endpoint,
  read: ListedAccount['read'],
  more: Pick<DeclaredAccount, 'notOpened'> & { params?: Record<string, string> } = {},
): DeclaredAccount {
  const { params = {}, ...rest } = more;
  return {
    ...rest,
    name,
    read: async (client) => ({
      balances: await client.call(endpoint, params, (body, codeOf) => read(body, codeOf, client.lists)),
    }),
  };
}

/**
 * Reads the accounts one after the other. An account that cannot be read is named with the reason. When the exchange
 * has not responded, or demands a pause, the rest is not asked for, so one slow exchange costs one time-out.
 */
export async function readOtherAccounts(
  client: ExchangeClient,
  { read = [], notServed = [] }: OtherAccountsDeclaration,
  own: readonly AssetBalance[],
): Promise<OtherAccount[]> {
  const found: OtherAccount[] = [];
  let isStopped = false;
  for (const account of read) {
    if (isStopped) {
      found.push(unreadAccount(account.name, 'unavailable'));
      continue;
    }
    try {
      found.push(toOtherAccount(account.name, await account.read(client, own)));
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error;
      const isOpen = account.notOpened?.includes(error.rawCode ?? '') !== true;
      const { name } = account;
      found.push(isOpen ? unreadAccount(name, reasonOf(error)) : { name, balances: [], unread: [] });
      isStopped = isStop(error);
    }
  }
  return [...found, ...notServed.map((name) => ({ ...unreadAccount(name, 'not_served'), balances: [] }))];
}

const unreadAccount = (name: string, reason: UnreadReason): OtherAccount => ({
  name,
  balances: null,
  unread: [{ account: name, reason }],
});

function toOtherAccount(name: string, { balances, unread = [] }: AccountReading): OtherAccount {
  const named = balances.map((each) => ({ ...each, account: each.account ?? name }));
  const merged = mergeAccounts(byAccount(named, null));
  const isPartial = merged.some((each) => each.isPartial === true);
  return {
    name,
    balances: merged,
    unread: [...unread, ...(isPartial ? [{ account: name, reason: 'unavailable' as const }] : [])],
  };
}

const REASONS: Readonly<Record<ExchangeError['kind'], UnreadReason>> = {
  access_blocked: 'refused',
  credentials_invalid: 'refused',
  permission_missing: 'permission_missing',
  ip_not_allowed: 'permission_missing',
  rate_limited: 'unavailable',
  refused: 'refused',
  unavailable: 'unavailable',
};

/**
 * Why an account could not be read. With a code that no declaration lists, the exchange has responded: it shows the
 * account to this key later no more than now.
 */
export function reasonOf({ kind, reason }: ExchangeError): UnreadReason {
  return kind === 'unavailable' && reason === UNLISTED ? 'refused' : REASONS[kind];
}

/** Whether further calls would be in vain. A code of the exchange, or an unreadable response, concerns one call. */
function isStop(error: ExchangeError): boolean {
  if (error.kind === 'rate_limited' || error.kind === 'access_blocked') return true;
  return error.kind === 'unavailable' && error.rawCode === undefined && !(error instanceof UnusableResponse);
}
