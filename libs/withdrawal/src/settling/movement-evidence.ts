import type { AccountMovement } from '#exchange';
import { Amount } from '#money';

/** Whether an account's movements prove that a withdrawal was not executed. */
export type MovementEvidence =
  /** The withdrawal was not executed: no movement can be the withdrawal, and all together explain the balance. */
  | 'absent'
  /** A movement may be the withdrawal. */
  | 'unexplained'
  /** The movements do not explain the balance: the ledger may not show everything yet. */
  | 'incomplete';

/** The holdings of the withdrawal's asset before it was sent and now, and the movements of that asset, newest first. */
export interface AccountBook {
  /** The possible debits of the withdrawal, with and without the fee. */
  debits: readonly Amount[];
  totalBefore: Amount;
  totalNow: Amount;
  /** Current total of each holding. The key is its code, such as `USDC` or `USDC.F`; see `AccountMovement.after`. */
  holdings: ReadonlyMap<string, Amount>;
  /** Newest first. The list goes back to a time before the withdrawal was sent. */
  movements: readonly AccountMovement[];
  /** Movements before the first moment are older than the withdrawal; movements after the second one are newer. */
  sentBetween: readonly [Date, Date];
  /** Whether a movement certainly belongs to another withdrawal. */
  isKnown: (movement: AccountMovement) => boolean;
}

/**
 * Decides whether our withdrawal was not executed. Newer means newer than our withdrawal. Three conditions must hold:
 * - Every withdrawal in the list that may be newer certainly belongs to another withdrawal (`isKnown`).
 * - The list leads to the present balances without a gap.
 * - The present total without the newer movements is the total before our withdrawal.
 *
 * A movement counts as newer or older by its time only when that time lies outside `sentBetween`, because the clock of
 * the exchange may be wrong.
 */
export function weighMovements(book: AccountBook): MovementEvidence {
  const { movements, isKnown } = book;
  const hasBalances = movements.every(({ after }) => after !== undefined);
  const isWhole = hasBalances ? hasNoGap(book) : !hidesDebit(book);
  const newer = hasBalances && isWhole ? movements.slice(0, lastNewer(book)) : movements;
  const left = newer.filter(({ kind, change }) => kind !== 'other' && change.isNegative());
  if (!left.every((movement) => movement.kind === 'withdrawal' && isKnown(movement))) return 'unexplained';
  return isWhole && leadsBack(book) ? 'absent' : 'incomplete';
}

/**
 * Counts the movements that may be newer than the withdrawal, without using the exchange's clock. It
 * subtracts the movements from the present total, newest first, and returns the largest number of subtracted movements
 * that gives the total before the withdrawal. When no number gives that total, all movements may be newer.
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

/**
 * Whether each movement starts from the balance that the next older movement left, and the newest movement leads to the
 * present balance.
 */
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

/**
 * Whether a list of movements without balances could hide the debit of the withdrawal. A movement of the same amount
 * may offset a debit that the exchange does not list yet.
 */
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
