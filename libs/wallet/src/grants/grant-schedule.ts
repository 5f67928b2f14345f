import type { Grant } from '#exchange';

/** How far two grants that failed together are apart at most when they are tried again, as a part of the pause. */
const SPREAD = 0.1;

/** An access token of which the exchange tells no expiry is renewed as if it had this one, lest nothing ever renews it. */
const UNKNOWN_LIFE_MS = 86_400_000;
/** How long before its end a refresh token is used at the latest, as a part of its life: with it the account is lost. */
const REFRESH_LIFE_AHEAD = 0.1;

/** When the tokens of a grant are renewed in the background. */
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
  // A token that lives shorter than that is renewed in the middle of its life, not at once and again and again.
  return now.getTime() + Math.max(lifetimeMs - aheadOf(lifetimeMs), lifetimeMs / 2);
}

export interface FailedRefresh {
  walletId: string;
  /** In a row, with this one. */
  failures: number;
  firstPauseMs: number;
  longestPauseMs: number;
}

/** How long a grant rests after attempts that brought no answer. Never shorter than the first pause. */
export function pauseAfter({ walletId, failures, firstPauseMs, longestPauseMs }: FailedRefresh): number {
  const doubled = firstPauseMs * 2 ** Math.min(failures - 1, 30);
  const part = Number.parseInt(walletId.slice(-8), 16) / 2 ** 32;
  return Math.min(doubled, longestPauseMs) * (1 + SPREAD * part);
}
