import { mayBeOneAccount, type ListedWithdrawal } from '#exchange';

/** Maximum number of pages of a list on which an operator's decision, or a comparison after a restore, depends. */
export const LONG_LIST_PAGES = 400;
import type { Withdrawal } from './withdrawal.entity.js';

/**
 * How far before an attempt the search for its record begins. The search is wide because the exchange's clock may
 * differ from ours. Older records are excluded by `knownIds`, not by their time.
 */
export const RECORD_LOOKBACK_MS = 2 * 3_600_000;

/** How far back to search for a record by its id or reference, which no other record has. */
export const KNOWN_RECORD_LOOKBACK_MS = 48 * 3_600_000;

/**
 * How far back to read movements. It is shorter than RECORD_LOOKBACK_MS, because a busy account has thousands of
 * movements a day.
 */
export const MOVEMENT_LOOKBACK_MS = 1_800_000;

/**
 * How far back the known records are listed before a withdrawal is sent. It is longer than RECORD_LOOKBACK_MS, so that
 * a later search for the withdrawal finds no older record that is not known.
 */
export const KNOWN_BEFORE_LOOKBACK_MS = RECORD_LOOKBACK_MS + 900_000;

/** Whether a record may have moved money. Failed and canceled records have moved none. */
export function hasMoved({ status }: Pick<ListedWithdrawal, 'status'>): boolean {
  return status !== 'failed' && status !== 'canceled';
}

/** The ids of the exchange's records that may belong to an attempt. None of them was listed before the attempt. */
export interface Candidates {
  /** Records that are linked to no other withdrawal. */
  unlinked: string[];
  /**
   * Records whose id is linked to a withdrawal with other credentials: of another wallet, or of this wallet before its
   * owner replaced its credentials. Such a record is never linked a second time. But it does not prove that this
   * withdrawal is absent. The other credentials may open another account, and an exchange's ids may be unique only
   * within an account, so the record may be the one of this withdrawal.
   */
  ofOtherCredentials: string[];
}

/**
 * Whether the same credentials sent two withdrawals, so that both are withdrawals of one account. Another wallet, or
 * other credentials of the same wallet, may open another account.
 */
export function hasSameCredentials(one: CredentialsUsed, other: CredentialsUsed): boolean {
  return one.walletId === other.walletId && one.credentialVersion === other.credentialVersion;
}

type CredentialsUsed = Pick<Withdrawal, 'walletId' | 'credentialVersion'>;

/**
 * Whether a record of the exchange has the amount and the address of a withdrawal. Both amounts are compared, because
 * some exchanges include the fee in a record's amount. A record without an address matches every address.
 */
export function isAlike(
  withdrawal: Pick<Withdrawal, 'amountNoFee' | 'amountWithFee' | 'address'>,
  { amountNoFee, fee, address }: Pick<ListedWithdrawal, 'amountNoFee' | 'fee' | 'address'>,
): boolean {
  const amounts = fee === null ? [amountNoFee] : [amountNoFee, amountNoFee.plus(fee)];
  const hasAmount = amounts.some(
    (amount) => amount.equals(withdrawal.amountNoFee) || amount.equals(withdrawal.amountWithFee),
  );
  return hasAmount && (address === null || mayBeOneAccount(address, withdrawal.address));
}
