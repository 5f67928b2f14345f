import type { AccountMovement } from '#exchange';
import { Amount } from '#money';

/** The conclusion from an account's movements about a withdrawal that may have been executed. */
export type MovementEvidence =
  /** The withdrawal was not executed: every movement is known, and together they explain the balance. */
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
  /** Current balance of each form of the asset; see `AccountMovement.after`. */
  holdings: ReadonlyMap<string, Amount>;
  /** Newest first; the list begins before the moment of sending. */
  movements: readonly AccountMovement[];
  /** Movements before the first moment are older than the withdrawal; movements after the second one are newer. */
  sentBetween: readonly [Date, Date];
  /** Whether a movement certainly belongs to another withdrawal. */
  isKnown: (movement: AccountMovement) => boolean;
}

/**
 * Decides whether a withdrawal was not executed. Three conditions must hold: every withdrawal in the list that may be
 * newer is known; the list leads to the present balances without a gap; and the present total without the newer
 * movements is the total before the withdrawal. A movement counts as newer or older by its time only when it lies
 * outside `sentBetween`, because the exchange's clock may be wrong.
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
 * Counts the movements that may be newer than the withdrawal, independently of the exchange's clock. These are the
 * movements that changed the total before the withdrawal to the present total. When the list reaches the total before
 * the withdrawal several times, the oldest of these places counts.
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
 * Whether the list could hide the debit of the withdrawal. In a list without balances, a movement of the same amount
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
