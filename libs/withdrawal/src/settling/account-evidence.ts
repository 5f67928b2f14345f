import type { AccountChange, PayingAccount } from '#exchange';
import { Amount } from '#money';
import type { MovementEvidence } from './movement-evidence.js';

/** What the account that pays withdrawals shows about one withdrawal. */
export interface AccountQuestion {
  account: PayingAccount;
  /** A moment before the withdrawal was sent, by the exchange's clock. */
  since: Date;
  clientRef: string | null;
  /** The smallest and the largest amount that the withdrawal can have debited: the fee can be lower than quoted. */
  debit: { min: Amount; max: Amount };
  /** Whether the exchange lists a failed record with our reference, so that a debit and its return are explained. */
  hasFailed: boolean;
}

/**
 * Decides whether the account that pays withdrawals shows that our withdrawal was not executed. Five conditions must
 * hold:
 * - The list begins with the newest change, and no change is newer than the one before it.
 * - Nothing that may be our withdrawal is reserved: the held amount is smaller than its debit.
 * - Each change starts from the balance that the next older one left, back to a change before our withdrawal was sent.
 * - The newest change leads to the present balance. So no change that the balance contains is missing in the list.
 * - No listed debit may be our withdrawal. A debit is another one if its kind is documented as no withdrawal, if it has
 *   another reference, or if its amount cannot be ours. A change with our reference counts whatever its time.
 */
export function weighAccount({ account, since, clientRef, debit, hasFailed }: AccountQuestion): MovementEvidence {
  const { total, held, changes } = account;
  const older = changes.findIndex(({ at }) => at < since);
  const isNewestFirst = changes.every(({ at }, index) => at <= (changes[index - 1]?.at ?? at));
  if (older < 0 || !isNewestFirst || !held.lessThan(debit.min)) return 'incomplete';
  const newer = changes.slice(0, older);
  const isOurs = (one: AccountChange): boolean => one.clientRef !== null && one.clientRef === clientRef;
  const mayBeOurs = ({ kind, change, clientRef: reference }: AccountChange): boolean =>
    change.isNegative() &&
    kind !== 'other' &&
    reference === null &&
    !change.abs().lessThan(debit.min) &&
    !change.abs().greaterThan(debit.max);
  const ours = changes.filter(isOurs);
  const isReturned = hasFailed && Amount.sum(ours.map(({ change }) => change)).isZero();
  if ((ours.length > 0 && !isReturned) || newer.some(mayBeOurs)) return 'unexplained';
  const leads = [...newer, ...changes.slice(older, older + 1)];
  let expected = total;
  for (const { after, change } of leads) {
    if (!after.equals(expected)) return 'incomplete';
    expected = after.minus(change);
  }
  return 'absent';
}
