import { Amount } from '#money';
import { ExchangeError } from './exchange-error.js';
import type { AccountAmount, AssetBalance } from './balance.port.js';

/** The amount that a withdrawal can draw on now. */
export function withdrawableOf({ free, withdrawable }: Pick<AssetBalance, 'free' | 'withdrawable'>): Amount {
  return withdrawable ?? free;
}

/** An account's holdings of one asset. */
export interface Holdings {
  /** What the owner has, less what the owner owes. `WithdrawalCapability.movements` lists the changes of this sum. */
  total: Amount;
  /** A withdrawal lowers this sum at once. Some exchanges keep it in `total` until they have sent it. */
  free: Amount;
}

/**
 * Whether `code` means a holding of `asset`: the asset itself, or a form of it that no connector knows. The code of
 * such a form has a dot (`USDC.X`). An exchange can debit it for a withdrawal of the asset.
 */
export function isHoldingOf(code: string, asset: string): boolean {
  return code === asset || code.startsWith(`${asset}.`);
}

/** @throws ExchangeError when an amount of the asset could not be read, so that the sums would prove nothing */
export function holdingsOf(exchange: string, balances: readonly AssetBalance[], asset: string): Holdings {
  const held = balances.filter((balance) => isHoldingOf(balance.asset, asset));
  if (held.some(({ isPartial }) => isPartial === true)) {
    const reason = 'unusable_answer';
    throw new ExchangeError('unavailable', exchange, 'a balance of the asset could not be read', { reason });
  }
  const owed = held.flatMap(({ elsewhere = [] }) => elsewhere.filter(({ kind }) => kind === 'owed'));
  const total = Amount.sum(held.map((each) => each.total)).minus(Amount.sum(owed.map(({ amount }) => amount)));
  return { total, free: Amount.sum(held.map(({ free }) => free)) };
}

/**
 * Sorts amounts by account and kind. An exchange may list them in another order each time, which must not look like a
 * change.
 */
export function sortedAmounts(amounts: readonly AccountAmount[]): AccountAmount[] {
  const keyOf = ({ account, kind }: AccountAmount): string => JSON.stringify([account, kind]);
  return [...amounts].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

/** Adds the balances of other accounts, which pay no withdrawals, so `withdrawable` stays that of the owner's `own`. */
export function withOtherBalances(own: readonly AssetBalance[], others: readonly AssetBalance[]): AssetBalance[] {
  const sums = new Map(own.map((balance) => [balance.asset, balance]));
  for (const other of others) {
    const sum = sums.get(other.asset);
    sums.set(other.asset, sum === undefined ? other : added(sum, other));
  }
  return [...sums.values()];
}

function added(own: AssetBalance, other: AssetBalance): AssetBalance {
  const elsewhere = sortedAmounts([...(own.elsewhere ?? []), ...(other.elsewhere ?? [])]);
  return {
    ...own,
    free: own.free.plus(other.free),
    used: own.used.plus(other.used),
    total: own.total.plus(other.total),
    withdrawable: withdrawableOf(own),
    ...(elsewhere.length > 0 && { elsewhere }),
  };
}
