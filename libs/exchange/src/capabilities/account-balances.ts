import { z } from 'zod';
import { Amount } from '#money';
import type { CcxtClient, Endpoint } from '../ccxt/ccxt-client.js';
import type { AccountAmount, AssetBalance } from '../port/exchange.port.js';
import { fieldOf, formOf, valueOf, type Field } from './entry-fields.js';
import { amount, name, notNegative, optionalAmount, type CodeOf } from './response-fields.js';

/** A balance in one of the owner's accounts at the exchange. */
export interface AccountBalance {
  /** Our code of the asset. */
  readonly asset: string;
  readonly free: Amount;
  readonly used: Amount;
}

/** The balances of one account. */
export interface Account {
  /** The exchange's own name of the account. */
  readonly name: string;
  /** Whether the exchange pays withdrawals from this account. */
  readonly paysWithdrawals: boolean;
  readonly balances: readonly AccountBalance[];
}

/** An account whose balances one call lists. */
export interface ListedAccount extends Omit<Account, 'balances'> {
  readonly endpoint: Endpoint;
  readonly params?: Record<string, string>;
  /** @throws when a balance is unreadable: balances must be complete */
  readonly read: (body: unknown, codeOf: CodeOf) => readonly AccountBalance[];
}

/** Reads the balances of all accounts of an owner, one account after the other. */
export async function readAccounts(client: CcxtClient, accounts: readonly ListedAccount[]): Promise<AssetBalance[]> {
  const read: Account[] = [];
  for (const { endpoint, params = {}, read: readBalances, ...account } of accounts) {
    read.push({ ...account, balances: await client.call(endpoint, params, readBalances) });
  }
  return mergeAccounts(read);
}

/** The fields of a balance. If the exchange reports a total, `used` is the total less the free amount. */
export type BalanceForm = { readonly asset: Field<string>; readonly free: Field<Amount> } & (
  { readonly used: Field<Amount> } | { readonly total: Field<Amount> }
);

/** Returns a reader of a list of balances. */
export function balanceReader(listIn: (body: unknown) => readonly unknown[], form: BalanceForm): ListedAccount['read'] {
  const [assetOf, freeOf] = [valueOf(form.asset, name), valueOf(form.free, amount)];
  const otherOf = valueOf('used' in form ? form.used : form.total, amount);
  return (body, codeOf) =>
    listIn(body).map((entry) => {
      const [free, other] = [freeOf(entry), otherOf(entry)];
      return { asset: codeOf(assetOf(entry)), free, used: 'used' in form ? other : notNegative(other.minus(free)) };
    });
}

/**
 * Returns a schema that reads an amount from one field of an entry and subtracts the amounts of other fields. A
 * subtracted field that is absent counts as zero, and so does a negative result.
 */
export function remainderOf(field: string, ...less: readonly string[]): z.ZodType<Amount> {
  const [whole, taken] = [fieldOf(field, amount), sumOf(optionalAmount, ...less)];
  return formOf((entry) => notNegative(whole.parse(entry).minus(taken.parse(entry))));
}

/** Returns a schema that adds the amounts of several fields of an entry. */
export function sumOf(field: z.ZodType<Amount | null>, ...names: readonly string[]): z.ZodType<Amount> {
  return z
    .object(Object.fromEntries(names.map((each) => [each, field])))
    .transform((entry) => Amount.sum(Object.values(entry).filter((each) => each !== null)));
}

/** Adds the balances of all accounts of an owner. Assets of which the owner has nothing are left out. */
export function mergeAccounts(accounts: readonly Account[]): AssetBalance[] {
  const assets = new Set(accounts.flatMap(({ balances }) => balances.map(({ asset }) => asset)));
  return [...assets].map((asset) => merged(asset, accounts)).filter(({ total }) => !total.isZero());
}

function merged(asset: string, accounts: readonly Account[]): AssetBalance {
  const held = accounts.flatMap(({ balances }) => balances.filter((balance) => balance.asset === asset));
  const [free, used] = [Amount.sum(held.map((each) => each.free)), Amount.sum(held.map((each) => each.used))];
  let withdrawable = Amount.zero;
  const elsewhere: AccountAmount[] = [];
  for (const account of accounts) {
    const amount = Amount.sum(account.balances.filter((each) => each.asset === asset).map((each) => each.free));
    if (account.paysWithdrawals) withdrawable = withdrawable.plus(amount);
    else if (amount.isPositive()) elsewhere.push({ account: account.name, amount });
  }
  return { asset, free, used, total: free.plus(used), withdrawable, ...(elsewhere.length > 0 && { elsewhere }) };
}
