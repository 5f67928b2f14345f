import { z } from 'zod';
import { Amount } from '#money';
import type { ExchangeClient, Endpoint } from '../client/exchange-client.js';
import type { AccountAmount, AssetBalance } from '../port/balance.port.js';
import { sortedAmounts } from '../port/holdings.js';
import type { ListReader } from '../transport/list-reader.js';
import { fieldOf, formOf, valueOf, valueOr, type Field } from './entry-fields.js';
import { amount, name, notNegative, optionalAmount, type CodeOf } from './response-fields.js';

/** A holding in one of the owner's accounts, as the exchange reports it. */
export interface AccountBalance {
  /** Our code of the asset. */
  readonly asset: string;
  /** A negative amount is a debt of the owner. */
  readonly free: Amount;
  readonly used: Amount;
  /** The part of `free` that the exchange lets the owner withdraw now; absent = all of it. */
  readonly withdrawable?: Amount;
  /** Why the owner cannot withdraw the holding from its account; absent = the owner can. */
  readonly kind?: 'earning' | 'locked' | 'sub_account';
  /** A debt that the exchange states. A negative free amount may contain it, so only the larger one counts. */
  readonly owed?: Amount;
  /** true = the amounts could not be read. */
  readonly isPartial?: true;
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
  /** @throws when no balance is readable, or the asset of one is not */
  readonly read: (body: unknown, codeOf: CodeOf, lists: ListReader) => readonly AccountBalance[];
}

/** Reads the balances of all accounts of an owner, one account after the other. */
export async function readAccounts(
  client: ExchangeClient,
  accounts: readonly ListedAccount[],
): Promise<AssetBalance[]> {
  const read: Account[] = [];
  for (const account of accounts) read.push(await readAccount(client, account));
  return mergeAccounts(read);
}

/** Reads the balances of one account. */
export async function readAccount(client: ExchangeClient, listed: ListedAccount): Promise<Account> {
  const { endpoint, params = {}, read, ...account } = listed;
  const balances = await client.call(endpoint, params, (body, codeOf) => read(body, codeOf, client.lists));
  return { ...account, balances };
}

/** The fields of a balance. If the exchange reports a total, `used` is the total less the free amount. */
export type BalanceForm = {
  readonly asset: Field<string>;
  readonly free: Field<Amount>;
  readonly withdrawable?: Field<Amount>;
  /** A debt that the exchange states, see `AccountBalance.owed`. */
  readonly owed?: Field<Amount>;
  readonly kind?: AccountBalance['kind'];
} & ({ readonly used: Field<Amount> } | { readonly total: Field<Amount> });

/** Returns a reader of a list of balances. */
export function balanceReader(listIn: (body: unknown) => readonly unknown[], form: BalanceForm): ListedAccount['read'] {
  const [assetOf, freeOf] = [valueOf(form.asset, name), valueOf(form.free, amount)];
  const otherOf = valueOf('used' in form ? form.used : form.total, amount);
  const withdrawableOf = valueOr(form.withdrawable, amount, undefined);
  const owedOf = valueOr(form.owed, amount, undefined);
  const { kind } = form;
  return (body, codeOf, lists) =>
    readHoldings(lists, listIn(body), {
      keyOf: (entry) => ({ asset: codeOf(assetOf(entry)) }),
      amountsOf: (entry) => {
        const [free, other, withdrawable, owed] = [freeOf(entry), otherOf(entry), withdrawableOf(entry), owedOf(entry)];
        return {
          ...('used' in form ? { free, used: other } : partsOf(other, free)),
          ...(withdrawable !== undefined && { withdrawable }),
          ...(owed !== undefined && { owed }),
          ...(kind !== undefined && { kind }),
        };
      },
    });
}

/** Splits a total. A free amount beyond the total counts as the total, and a negative total is a debt. */
export function partsOf(total: Amount, free: Amount): Pick<AccountBalance, 'free' | 'used'> {
  if (total.isNegative()) return { free: total, used: Amount.zero };
  const spendable = smaller(notNegative(free), total);
  return { free: spendable, used: total.minus(spendable) };
}

/**
 * Reads a list of balances entry by entry. An entry of which only the key is readable becomes a partial balance.
 * @param read.keyOf reads the asset, and more that tells balances apart
 * @throws when a key is unreadable, because the balance of any asset may then be too low
 */
export function readHoldings<Key extends { readonly asset: string }, Entry = unknown>(
  lists: ListReader,
  entries: readonly Entry[],
  read: { keyOf: (entry: Entry) => Key; amountsOf: (entry: Entry) => Omit<AccountBalance, 'asset'> },
): (Key & AccountBalance)[] {
  const keyed = entries.map((entry) => ({ entry, key: keyIn(entry, read.keyOf) }));
  return lists.read<(typeof keyed)[number], Key & AccountBalance>(
    'balances',
    keyed,
    ({ entry, key }) => ({ ...key, ...read.amountsOf(entry) }),
    ({ key }) => ({ ...key, free: Amount.zero, used: Amount.zero, isPartial: true }),
  );
}

function keyIn<Key, Entry>(entry: Entry, keyOf: (entry: Entry) => Key): Key {
  try {
    return keyOf(entry);
  } catch (cause) {
    throw new Error('the asset of a balance is not readable', { cause });
  }
}

/** Splits a list of balances of several accounts. @param payingAccount pays withdrawals; null = none of them does */
export function byAccount(
  balances: readonly (AccountBalance & { readonly account: string })[],
  payingAccount: string | null,
): Account[] {
  return [...new Set(balances.map(({ account }) => account))].map((name) => ({
    name,
    paysWithdrawals: name === payingAccount,
    balances: balances.filter(({ account }) => account === name),
  }));
}

/**
 * Returns a schema that reads an amount from one field of an entry and subtracts the amounts of other fields. A
 * subtracted field that is absent counts as zero.
 */
export function remainderOf(field: string, ...less: readonly string[]): z.ZodType<Amount> {
  const [whole, taken] = [fieldOf(field, amount), sumOf(optionalAmount, ...less)];
  return formOf((entry) => whole.parse(entry).minus(taken.parse(entry)));
}

/** Returns a schema that adds the amounts of several fields of an entry. */
export function sumOf(field: z.ZodType<Amount | null>, ...names: readonly string[]): z.ZodType<Amount> {
  return z
    .object(Object.fromEntries(names.map((each) => [each, field])))
    .transform((entry) => Amount.sum(Object.values(entry).filter((each) => each !== null)));
}

/** Adds the balances of all accounts of an owner. Assets of which the owner has and owes nothing are left out. */
export function mergeAccounts(accounts: readonly Account[]): AssetBalance[] {
  const assets = new Set(accounts.flatMap(({ balances }) => balances.map(({ asset }) => asset)));
  return [...assets]
    .map((asset) => merged(asset, accounts))
    .filter(({ total, elsewhere, isPartial }) => !total.isZero() || elsewhere !== undefined || isPartial === true);
}

function merged(asset: string, accounts: readonly Account[]): AssetBalance {
  const parts = accounts.flatMap((account) =>
    account.balances.filter((each) => each.asset === asset).map((each) => partOf(account, each)),
  );
  const [free, used] = [Amount.sum(parts.map((part) => part.free)), Amount.sum(parts.map((part) => part.used))];
  const withdrawable = Amount.sum(parts.map((part) => part.withdrawable));
  const elsewhere = addedUp(parts.flatMap((part) => part.elsewhere));
  return {
    asset,
    free,
    used,
    total: free.plus(used),
    withdrawable,
    ...(elsewhere.length > 0 && { elsewhere }),
    ...(parts.some(({ isPartial }) => isPartial === true) && { isPartial: true }),
  };
}

interface Part extends Required<Pick<AssetBalance, 'free' | 'used' | 'withdrawable'>> {
  readonly elsewhere: readonly AccountAmount[];
  readonly isPartial: true | undefined;
}

/** What the owner can do with one holding. No amount is negative, whatever the exchange has reported. */
function partOf({ name: account, paysWithdrawals }: Account, balance: AccountBalance): Part {
  const { kind, isPartial, owed = Amount.zero } = balance;
  const own = notNegative(balance.free);
  const debt = larger(owed, own.minus(balance.free));
  if (kind === 'sub_account') {
    const held = own.plus(notNegative(balance.used));
    return {
      free: Amount.zero,
      used: Amount.zero,
      withdrawable: Amount.zero,
      isPartial,
      elsewhere: [
        { account, kind, amount: held },
        { account, kind: 'owed', amount: debt },
      ],
    };
  }
  const isLocked = kind === 'locked';
  const free = isLocked ? Amount.zero : own;
  const isOut = kind !== undefined || !paysWithdrawals;
  return {
    free,
    used: notNegative(balance.used).plus(isLocked ? own : Amount.zero),
    isPartial,
    withdrawable: isOut ? Amount.zero : smaller(free, notNegative(balance.withdrawable ?? free)),
    elsewhere: [
      ...(isOut ? [{ account, kind: kind ?? ('free' as const), amount: own }] : []),
      { account, kind: 'owed', amount: debt },
    ],
  };
}

/** Adds up the amounts of the same kind in the same account, in a fixed order. Zeros are left out. */
function addedUp(amounts: readonly AccountAmount[]): AccountAmount[] {
  const sums = new Map<string, AccountAmount>();
  for (const { account, kind, amount: more } of amounts.filter((each) => each.amount.isPositive())) {
    const key = JSON.stringify([account, kind]);
    sums.set(key, { account, kind, amount: more.plus(sums.get(key)?.amount ?? Amount.zero) });
  }
  return sortedAmounts([...sums.values()]);
}

const larger = (one: Amount, other: Amount): Amount => (one.lessThan(other) ? other : one);
const smaller = (one: Amount, other: Amount): Amount => (one.lessThan(other) ? one : other);
