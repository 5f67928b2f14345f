import type { Amount } from '#money';

/** One change of the account that pays withdrawals. */
export interface AccountChange {
  /** The exchange's id of the entry. */
  readonly id: string;
  /** `other`: a documented kind that is no withdrawal; `unknown`: every other kind. */
  readonly kind: 'withdrawal' | 'other' | 'unknown';
  /** Our reference of the withdrawal that caused the change; null = not reported. */
  readonly clientRef: string | null;
  /** Negative for what left the account. */
  readonly change: Amount;
  /** The total of the account after the change. */
  readonly after: Amount;
  readonly at: Date;
}

/** The account that pays withdrawals, as far as it concerns one asset. Other accounts of the owner do not count. */
export interface PayingAccount {
  readonly total: Amount;
  /** The part of the total that is reserved, such as for withdrawals that are accepted and not sent yet. */
  readonly held: Amount;
  /** All changes since a moment, newest first, and then at least one older change, if there is one. */
  readonly changes: readonly AccountChange[];
}
