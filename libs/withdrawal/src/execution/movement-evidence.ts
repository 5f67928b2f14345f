import type { AccountMovement } from '#exchange';
import { Amount } from '#money';

/** What an account's ledger says of a withdrawal that may have been executed. */
export type MovementEvidence =
  /** Every movement since then is known, and together they explain the balance: it was not executed. */
  | 'absent'
  /** A movement may be the withdrawal. */
  | 'unexplained'
  /** The movements do not explain the balance: the ledger does not show everything yet. */
  | 'incomplete';

/** The holdings of the withdrawal's asset before it was sent and now, and the movements of that asset, newest first. */
export interface AccountBook {
  balanceBefore: Amount;
  balanceNow: Amount;
  /** Reaches back beyond the moment of sending. */
  movements: readonly AccountMovement[];
  /** Whether a withdrawal of the exchange is known to be another one. */
  isKnown: (exchangeId: string) => boolean;
}

/**
 * Weighs whether a withdrawal was not executed. Movements are not told apart by time, because the exchange's clock may be
 * off from ours: every withdrawal in the list must be known, and the balance before must come out when the newest
 * movements are taken back one after the other.
 */
export function weighMovements({ balanceBefore, balanceNow, movements, isKnown }: AccountBook): MovementEvidence {
  const left = movements.filter(({ kind, change }) => kind !== 'other' && change.compare(Amount.zero) < 0);
  const isExplained = ({ kind, reference }: AccountMovement): boolean =>
    kind === 'withdrawal' && reference !== null && isKnown(reference);
  if (!left.every(isExplained)) return 'unexplained';
  let balance = balanceNow;
  if (balance.equals(balanceBefore)) return 'absent';
  for (const { change } of movements) {
    balance = balance.minus(change);
    if (balance.equals(balanceBefore)) return 'absent';
  }
  return 'incomplete';
}
