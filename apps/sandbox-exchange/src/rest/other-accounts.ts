import type { Call } from '../kraken/handler.js';

/** Accounts with this prefix are sub-accounts. */
const SUB = 'sub-account ';

/** The holdings of an account beside the one that has all money: codes of assets with their amounts. */
export function otherHoldings({ account }: Call, name: string): [code: string, amount: string][] {
  return Object.entries(account.otherAccounts?.[name] ?? {});
}

/** The holdings of a sub-account. */
export const subHoldings = (call: Call, name: string): [code: string, amount: string][] =>
  otherHoldings(call, SUB + name);

/** The other accounts of the main account. */
export function otherNames({ account }: Call): string[] {
  return Object.keys(account.otherAccounts ?? {}).filter((name) => !name.startsWith(SUB));
}

/** The names of the sub-accounts. */
export function subNames({ account }: Call): string[] {
  return Object.keys(account.otherAccounts ?? {}).flatMap((name) =>
    name.startsWith(SUB) ? [name.slice(SUB.length)] : [],
  );
}
