/**
 * Maximum fraction by which the pause of a wallet is shortened or lengthened, so that wallets do not come due at the
 * same time.
 */
const JITTER = 0.05;
/** A wallet that was skipped, because its exchange does not respond, is due again after this many probe intervals. */
const SKIPPED_PROBES = 5;

export interface SyncedWallet {
  walletId: string;
  now: Date;
  /** Time of the previous sync; null = there was none. */
  lastSyncAt: Date | null;
  periodMs: number;
}

/**
 * Returns when a wallet that was just refreshed is due again. After the first sync it is a moment within the next
 * period, so that wallets connected together do not come due together. After that, the period of each wallet is a
 * little shorter or longer than `periodMs`, so that wallets which came due together after an outage or an import spread
 * out evenly.
 */
export function nextSyncAfter({ walletId, now, lastSyncAt, periodMs }: SyncedWallet): Date {
  return new Date(now.getTime() + (lastSyncAt === null ? periodMs * partOf(walletId) : jittered(periodMs, walletId)));
}

export interface FailedWallet {
  walletId: string;
  now: Date;
  /** Number of failures in a row, without the present one. */
  failures: number;
  firstPauseMs: number;
  longestPauseMs: number;
}

/** Returns when a wallet whose refresh failed is tried again: after a pause that doubles with each failure in a row. */
export function nextSyncAfterFailure(wallet: FailedWallet): Date {
  const doubled = wallet.firstPauseMs * 2 ** Math.min(wallet.failures, 30);
  const pauseMs = Math.min(jittered(doubled, wallet.walletId), wallet.longestPauseMs);
  return new Date(wallet.now.getTime() + pauseMs);
}

/** Returns when a wallet that was skipped, because its exchange does not respond, is tried again. */
export function nextSyncAfterSkip(
  { walletId, now, periodMs }: Omit<SyncedWallet, 'lastSyncAt'>,
  /** Milliseconds between two probes of the exchange. */
  probeMs: number,
): Date {
  return new Date(now.getTime() + jittered(Math.min(periodMs / 2, SKIPPED_PROBES * probeMs), walletId));
}

function jittered(pauseMs: number, walletId: string): number {
  return pauseMs * (1 - JITTER + 2 * JITTER * partOf(walletId));
}

/** A constant number from 0 to 1 for each wallet, from the random end of its id. */
function partOf(walletId: string): number {
  return Number.parseInt(walletId.slice(-8), 16) / 2 ** 32;
}
