import type { AccountMovement } from '#exchange';
import { Amount } from '#money';

/** What an account's ledger says of a withdrawal that may have been executed. */
export type MovementEvidence =
  /** Every movement is known, and they explain the balance without a gap: the withdrawal was not executed. */
  | 'absent'
  /** A movement may be the withdrawal. */
  | 'unexplained'
  /** The movements do not explain the balance: the ledger may not show everything yet. */
  | 'incomplete';

/** The holdings of the withdrawal's asset before it was sent and now, and the movements of that asset, newest first. */
export interface AccountBook {
  /** What the withdrawal takes from the account, by what an exchange may call it: with and without the fee. */
  debits: readonly Amount[];
  totalBefore: Amount;
  totalNow: Amount;
  /** What the account holds now of each form of the asset (`AccountMovement.after`). */
  holdings: ReadonlyMap<string, Amount>;
  /** Reaches back beyond the moment of sending. */
  movements: readonly AccountMovement[];
  /** Movements from before the first moment are older than the withdrawal, and those after the second are newer. */
  sentBetween: readonly [Date, Date];
  /** Whether a withdrawal of the exchange is certainly another one. */
  isKnown: (movement: AccountMovement) => boolean;
}

/**
 * Weighs whether a withdrawal was not executed. Every withdrawal in the list that may be newer than it must be known, the
 * list must lead to the present balances without a gap, and the total before must come out when the movements since then
 * are taken back. Which these are is known by time only as far as the exchange's clock can be trusted (`sentBetween`).
 */
export function weighMovements(book: AccountBook): MovementEvidence {
  const { movements, isKnown } = book;
  const isTold = movements.every(({ after }) => after !== undefined);
  const isWhole = isTold ? hasNoGap(book) : !hidesDebit(book);
  const newer = isTold && isWhole ? movements.slice(0, lastNewer(book)) : movements;
  const left = newer.filter(({ kind, change }) => kind !== 'other' && change.isNegative());
  if (!left.every((movement) => movement.kind === 'withdrawal' && isKnown(movement))) return 'unexplained';
  return isWhole && leadsBack(book) ? 'absent' : 'incomplete';
}

/**
 * How many movements may be newer than the withdrawal, whatever the exchange's clock says: those that led from the total
 * before to the present one. Where the list passes that total several times, it is the first of them that counts.
 */
function lastNewer({ movements, totalNow, totalBefore }: AccountBook): number {
  let total = totalNow;
  let count = total.equals(totalBefore) ? 0 : movements.length;
  for (const [newer, { change }] of movements.entries()) {
    total = total.minus(change);
    if (total.equals(totalBefore)) count = newer + 1;
  }
  return count;
}

/** Each movement leads from the balance that the one before left to the next, and the newest one to the present. */
function hasNoGap({ holdings, movements }: AccountBook): boolean {
  const expected = new Map<string, Amount>();
  for (const { change, after } of movements) {
    if (after === undefined) return false;
    const before = expected.get(after.holding) ?? holdings.get(after.holding) ?? Amount.zero;
    if (!after.total.equals(before)) return false;
    expected.set(after.holding, after.total.minus(change));
  }
  return true;
}

/** Without resulting balances, a movement of the same size may stand for one that the ledger does not show yet. */
function hidesDebit({ debits, movements }: AccountBook): boolean {
  return movements.some(({ change }) => debits.some((debit) => change.abs().equals(debit)));
}

function leadsBack({ totalBefore, totalNow, movements, sentBetween }: AccountBook): boolean {
  const [earliest, latest] = sentBetween;
  const certainlyNewer = movements.findLastIndex(({ at }) => at > latest) + 1;
  let total = totalNow;
  for (const [newer, { change, at }] of movements.entries()) {
    if (newer >= certainlyNewer && total.equals(totalBefore)) return true;
    if (at < earliest) return false;
    total = total.minus(change);
  }
  return total.equals(totalBefore);
}
