/** Part of a pause by which a wallet's own pause is shorter or longer, so that wallets do not come due together. */
const JITTER = 0.05;
/** Number of probes of an exchange that does not respond before its wallets are tried again. */
const SKIPPED_PROBES = 5;

export interface SyncedWallet {
  walletId: string;
  now: Date;
  /** The sync before this one; null = none. */
  lastSyncAt: Date | null;
  periodMs: number;
}

/**
 * Returns when a wallet that was just refreshed is due again. The first time it is a point within the next period, so
 * that wallets connected together do not come due together. Later each wallet has its own period, a little shorter or
 * longer than the others: wallets that an outage or an import has brought together drift apart evenly.
 */
export function nextSyncAfter({ walletId, now, lastSyncAt, periodMs }: SyncedWallet): Date {
  return new Date(now.getTime() + (lastSyncAt === null ? periodMs * partOf(walletId) : jittered(periodMs, walletId)));
}

export interface FailedWallet {
  walletId: string;
  now: Date;
  /** Number of failures in a row before this one. */
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

/** Returns when a wallet is tried again that was skipped because its exchange does not respond. */
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
