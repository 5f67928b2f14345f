import type { Call } from '../kraken/handler.js';

/** The holdings of an account beside the one that has all money: codes of assets with their amounts. */
export function otherHoldings({ account }: Call, name: string): [code: string, amount: string][] {
  return Object.entries(account.otherAccounts?.[name] ?? {});
}

/** The accounts whose names begin with a prefix, such as sub-accounts, without the prefix. */
export function otherNames({ account }: Call, prefix = ''): string[] {
  return Object.keys(account.otherAccounts ?? {}).flatMap((name) =>
    name.startsWith(prefix) ? [name.slice(prefix.length)] : [],
  );
}
