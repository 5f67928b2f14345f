import type { Grant } from '#exchange';

/**
 * Maximum fraction by which a pause is lengthened. The fraction differs between wallets, so that grants whose renewals
 * failed at the same time are renewed again at different times.
 */
const SPREAD = 0.1;

/**
 * Assumed life of an access token whose expiry the exchange does not report. Without this assumption, such a token
 * would never be renewed.
 */
const UNKNOWN_LIFE_MS = 86_400_000;
/**
 * A refresh token is used at the latest when this fraction of its life is left, because the owner must connect the
 * account again when the token has expired.
 */
const REFRESH_LIFE_AHEAD = 0.1;

/**
 * Returns when the worker renews the tokens of a grant.
 * @param aheadMs how long before the expiry of the access token.
 */
export function nextRefreshOf(
  { accessExpiresAt, refreshExpiresAt }: Pick<Grant, 'accessExpiresAt' | 'refreshExpiresAt'>,
  now: Date,
  aheadMs: number,
): Date {
  const accessDue =
    accessExpiresAt === null ? now.getTime() + UNKNOWN_LIFE_MS : dueBefore(accessExpiresAt, now, () => aheadMs);
  const refreshDue =
    refreshExpiresAt === null
      ? Infinity
      : dueBefore(refreshExpiresAt, now, (lifetimeMs) => Math.max(aheadMs, lifetimeMs * REFRESH_LIFE_AHEAD));
  return new Date(Math.min(accessDue, refreshDue));
}

function dueBefore(end: Date, now: Date, aheadOf: (lifetimeMs: number) => number): number {
  const lifetimeMs = Math.max(0, end.getTime() - now.getTime());
  // A token whose life is shorter than `aheadOf` would always be due, so it is renewed in the middle of its life.
  return now.getTime() + Math.max(lifetimeMs - aheadOf(lifetimeMs), lifetimeMs / 2);
}

export interface FailedRefresh {
  walletId: string;
  /** Number of failures in a row, including this one. */
  failures: number;
  firstPauseMs: number;
  longestPauseMs: number;
}

/** Returns the milliseconds until the next renewal after renewals without a response; at least the first pause. */
export function pauseAfter({ walletId, failures, firstPauseMs, longestPauseMs }: FailedRefresh): number {
  const doubled = firstPauseMs * 2 ** Math.min(failures - 1, 30);
  const part = Number.parseInt(walletId.slice(-8), 16) / 2 ** 32;
  return Math.min(doubled, longestPauseMs) * (1 + SPREAD * part);
}
