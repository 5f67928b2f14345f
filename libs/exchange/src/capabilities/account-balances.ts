import { Amount } from '#money';
import type { AccountAmount, AssetBalance } from '../port/exchange.port.js';

/** A balance in one of the owner's accounts at the exchange. */
export interface AccountBalance {
  /** Our code. */
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

/** Adds the balances of all accounts of an owner. Assets of which the owner has nothing are left out. */
export function mergeAccounts(accounts: readonly Account[]): AssetBalance[] {
  const assets = new Set(accounts.flatMap(({ balances }) => balances.map(({ asset }) => asset)));
  return [...assets].map((asset) => merged(asset, accounts)).filter(({ total }) => !total.isZero());
}

function merged(asset: string, accounts: readonly Account[]): AssetBalance {
  let [free, used, withdrawable] = [Amount.zero, Amount.zero, Amount.zero];
  const elsewhere: AccountAmount[] = [];
  for (const account of accounts) {
    const own = account.balances.filter((balance) => balance.asset === asset);
    const amount = own.reduce((sum, balance) => sum.plus(balance.free), Amount.zero);
    free = free.plus(amount);
    used = own.reduce((sum, balance) => sum.plus(balance.used), used);
    if (account.paysWithdrawals) withdrawable = withdrawable.plus(amount);
    else if (amount.isPositive()) elsewhere.push({ account: account.name, amount });
  }
  return { asset, free, used, total: free.plus(used), withdrawable, ...(elsewhere.length > 0 && { elsewhere }) };
}
