/** How far the pauses of two wallets are from each other: a twentieth to either side. */
const JITTER = 0.05;
/** How many probes of an exchange that answers nobody are waited for before its wallets are tried again. */
const SKIPPED_PROBES = 5;

export interface SyncedWallet {
  walletId: string;
  now: Date;
  /** When it was asked last, before this time; null = never. */
  lastSyncAt: Date | null;
  periodMs: number;
}

/**
 * When a wallet that was just refreshed is due again. The first time it is somewhere in the period ahead, so that many
 * wallets that are connected at once do not come due at once. Later on each wallet keeps to a period of its own, a little
 * shorter or longer than the others': whatever has brought them together, an outage or an import, they drift apart
 * evenly.
 */
export function nextSyncAfter({ walletId, now, lastSyncAt, periodMs }: SyncedWallet): Date {
  return new Date(now.getTime() + (lastSyncAt === null ? periodMs * partOf(walletId) : jittered(periodMs, walletId)));
}

export interface FailedWallet {
  walletId: string;
  now: Date;
  /** Failures in a row before this one. */
  failures: number;
  firstPauseMs: number;
  longestPauseMs: number;
}

/** When a wallet whose refresh failed is tried again: after a pause that doubles with each failure in a row. */
export function nextSyncAfterFailure(wallet: FailedWallet): Date {
  const doubled = wallet.firstPauseMs * 2 ** Math.min(wallet.failures, 30);
  const pauseMs = Math.min(jittered(doubled, wallet.walletId), wallet.longestPauseMs);
  return new Date(wallet.now.getTime() + pauseMs);
}

/** When a wallet is tried again that could not even be asked, because its exchange does not answer anybody. */
export function nextSyncAfterSkip(
  { walletId, now, periodMs }: Omit<SyncedWallet, 'lastSyncAt'>,
  /** Between two probes of the exchange. */
  probeMs: number,
): Date {
  return new Date(now.getTime() + jittered(Math.min(periodMs / 2, SKIPPED_PROBES * probeMs), walletId));
}

function jittered(pauseMs: number, walletId: string): number {
  return pauseMs * (1 - JITTER + 2 * JITTER * partOf(walletId));
}

/** A number from 0 to 1 that belongs to the wallet: from the random end of its id. */
function partOf(walletId: string): number {
  return Number.parseInt(walletId.slice(-8), 16) / 2 ** 32;
}
