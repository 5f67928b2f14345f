import type { Amount } from '#money';

/**
 * What keeps an amount from being withdrawn. `free`: its account pays no withdrawals, but the owner can move it;
 * `earning`: it earns interest, and the owner can end this at any time; `locked`: it earns for a fixed time, or cannot
 * be moved for another reason; `owed`: it is a debt of the owner; `sub_account`: it is in a sub-account of the owner.
 */
export const amountKinds = ['free', 'earning', 'locked', 'owed', 'sub_account'] as const;
export type AmountKind = (typeof amountKinds)[number];

/** An amount in one of the owner's accounts at the exchange. */
export interface AccountAmount {
  /** The exchange's own name of the account, such as `trading`. */
  account: string;
  kind: AmountKind;
  amount: Amount;
}

/**
 * Holdings of one asset in all accounts of the owner at the exchange. No amount is negative, and `total = free + used`;
 * `used` is locked, such as in orders or withdrawals.
 */
export interface AssetBalance {
  asset: string;
  free: Amount;
  used: Amount;
  total: Amount;
  /** The part of `free` that a withdrawal can draw on now; absent = all of it. */
  withdrawable?: Amount;
  /**
   * The amounts that cannot be withdrawn, except those reserved by orders and withdrawals: `free` and `earning` ones
   * are parts of `free`, `locked` ones of `used`, and `owed` and `sub_account` ones are in no other amount. Absent =
   * none.
   */
  elsewhere?: readonly AccountAmount[];
  /** true = an amount could not be read and is left out, so the other amounts may be too low. */
  isPartial?: true;
  /** The totals of several holdings of the asset, as `AccountMovement.after` names them; absent = there is only one. */
  holdings?: ReadonlyMap<string, Amount>;
}

/**
 * Why an account is missing in the balances of a wallet.
 * - `not_served`: the exchange's API does not show the account to the key, or this service does not read it.
 * - `permission_missing`: the key lacks the permission, or is used from an address that its owner has not allowed.
 * - `refused`: the exchange refused to show the account for another reason.
 * - `unavailable`: there was no usable response.
 */
export const unreadReasons = ['not_served', 'permission_missing', 'refused', 'unavailable'] as const;
export type UnreadReason = (typeof unreadReasons)[number];

/** An account of the owner whose amounts are missing in the balances, or are those of an earlier reading. */
export interface UnreadAccount {
  /** The exchange's own name of the account, such as `margin`. */
  account: string;
  reason: UnreadReason;
}

/** An account, or several accounts that one call lists, which pays no withdrawals and on which nothing rests. */
export interface OtherAccount {
  /** The exchange's own name of the account, or our name of the group of accounts. */
  name: string;
  /** All free and locked amounts are in `elsewhere`. null = the account could not be read. */
  balances: AssetBalance[] | null;
  /** The account itself if it could not be read wholly, and the accounts of the group that the exchange only names. */
  unread: UnreadAccount[];
}
