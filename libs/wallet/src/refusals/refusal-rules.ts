import type { ProjectMode } from '#access';
import type { ExchangeError } from '#exchange';

/**
 * The conclusion from two refused, signed calls about the credentials of a wallet.
 * - `revoked`: the exchange answered that this key or grant was revoked.
 * - `invalid`: the exchange answered that the key is invalid. During an outage, live exchanges give this answer to
 *   valid keys, too.
 * - `doubtful`: the settings of the key at the exchange, or a fault on our side, may be the cause. The wallet is
 *   flagged and not deleted.
 */
export type RefusalProof = 'revoked' | 'invalid' | 'doubtful';

/**
 * How the exchange has responded to other keys of this installation since the last refusal that counts.
 * - `accepted`: the exchange has accepted more of these keys than it refuses.
 * - `refused`: the exchange refuses at least as many of these keys as it has accepted, so an outage may be the cause.
 * - `silent`: there are other keys, but no response to them that can be compared.
 * - `none`: the installation has no other key to compare with.
 */
export type OtherKeys = 'accepted' | 'refused' | 'silent' | 'none';

/** The consecutive refusals of one version of a wallet's credentials, as `credential_refusals` stores them. */
export interface RefusalSeries {
  /** The first and last refusal that count towards a deletion; null = none counts. */
  refusedSince: Date | null;
  lastRefusedAt: Date | null;
  /** Number of refusals that count: the first one, and one for each check by the worker. */
  refusals: number;
  /** Number of checks by the worker, whatever the exchange answered. */
  checks: number;
  isDeletionWanted: boolean;
  nextCheckAt: Date;
}

/** Fewer refusals than this never delete a wallet. */
const REFUSALS_MIN = 3;
/** Without another key to compare with, refusals delete a wallet only after this many times WALLET_DELETE_AFTER. */
const ALONE_FACTOR = 24;
/** Without another key to compare with, fewer refusals than this never delete a wallet. */
const ALONE_REFUSALS_MIN = 10;

const FIRST_PAUSE_MAX_MS = 60_000;
/** The first pause between checks as a fraction of WALLET_DELETE_AFTER, so that several checks precede a deletion. */
const FIRST_PAUSE_PART = 1 / 60;

/**
 * Returns the proof that two refusals give together. A refused signature is doubtful, because it also depends on
 * settings of the key at the exchange, such as a second factor.
 */
export function proofOf(first: ExchangeError, second: ExchangeError): RefusalProof {
  const reasons = [first.reason, second.reason];
  if (reasons.includes('invalid_signature')) return 'doubtful';
  return reasons.every((reason) => reason === 'revoked') ? 'revoked' : 'invalid';
}

/**
 * Whether a wallet is deleted at once. In test projects the proof `invalid` suffices, because the sandbox exchange
 * refuses a key only when it was revoked.
 */
export function isDeletedAtOnce(proof: RefusalProof, mode: ProjectMode): boolean {
  return proof === 'revoked' || (proof === 'invalid' && mode === 'test');
}

/**
 * Whether the refusals have lasted so long, and are so many, that an outage of the exchange cannot be their cause. The
 * required time and number depend on how the exchange responds to other keys.
 */
export function hasLasted(
  { refusedSince, refusals }: Pick<RefusalSeries, 'refusedSince' | 'refusals'>,
  { now, deleteAfterMs, otherKeys }: { now: Date; deleteAfterMs: number; otherKeys: OtherKeys },
): boolean {
  if (refusedSince === null) return false;
  const stoodMs = now.getTime() - refusedSince.getTime();
  switch (otherKeys) {
    case 'accepted':
      return refusals >= REFUSALS_MIN && stoodMs >= deleteAfterMs;
    case 'none':
      return refusals >= ALONE_REFUSALS_MIN && stoodMs >= ALONE_FACTOR * deleteAfterMs;
    case 'refused':
    case 'silent':
      return false;
  }
}

export interface RefusalTimes {
  now: Date;
  /** The setting WALLET_DELETE_AFTER. */
  deleteAfterMs: number;
  longestPauseMs: number;
}

/**
 * Returns the new series of refusals after the exchange has refused a call of a user. The first refused call counts.
 * After that, only refused checks by the worker count.
 * @param refusal.at null = the time is not known precisely enough; then this refusal does not count, and the next
 *   refused check is the first one that counts.
 */
export function refusedInCall(
  series: RefusalSeries | null,
  { proof, isDeletionWanted, at }: { proof: RefusalProof; isDeletionWanted: boolean; at: Date | null },
  times: RefusalTimes,
): RefusalSeries {
  const known = series ?? {
    refusedSince: null,
    lastRefusedAt: null,
    refusals: 0,
    checks: 0,
    isDeletionWanted: false,
    nextCheckAt: nextCheckAt({ refusedSince: null, checks: 0 }, times),
  };
  const wanted = { isDeletionWanted: known.isDeletionWanted || isDeletionWanted };
  if (proof === 'doubtful') return { ...known, ...wanted, ...NO_REFUSALS };
  if (known.refusedSince !== null || at === null) return { ...known, ...wanted };
  return { ...known, ...wanted, refusedSince: at, lastRefusedAt: at, refusals: 1 };
}

/** Returns the new series of refusals after the exchange has refused a check by the worker. */
export function refusedInCheck(series: RefusalSeries, proof: RefusalProof, times: RefusalTimes): RefusalSeries {
  const counted =
    proof === 'doubtful'
      ? NO_REFUSALS
      : {
          refusedSince: series.refusedSince ?? times.now,
          lastRefusedAt: times.now,
          refusals: series.refusals + 1,
        };
  return afterCheck({ ...series, ...counted }, times);
}

/** Returns the new series of refusals after a check by the worker that proved nothing. */
export function afterCheck(series: RefusalSeries, times: RefusalTimes): RefusalSeries {
  const asked = { ...series, checks: series.checks + 1 };
  return { ...asked, nextCheckAt: nextCheckAt(asked, times) };
}

/** The counters of a wallet whose refusals so far no longer count, because of a success or of a doubtful refusal. */
export const NO_REFUSALS = { refusedSince: null, lastRefusedAt: null, refusals: 0 } as const;

/** Returns the earliest time of the deletion; null = no deletion is planned. */
export function deletionAt(
  { refusedSince, isDeletionWanted, nextCheckAt: next }: RefusalSeries,
  { deleteAfterMs, isAtOnce }: { deleteAfterMs: number; isAtOnce: boolean },
): Date | null {
  if (!isDeletionWanted || refusedSince === null) return null;
  if (isAtOnce) return next;
  return new Date(Math.max(refusedSince.getTime() + deleteAfterMs, next.getTime()));
}

/**
 * Returns the time of the next check. Pauses double. A pause ends early at a possible time of deletion, but is never
 * shorter than the first pause, because two refusals in quick succession prove no more than one.
 */
function nextCheckAt(
  { refusedSince, checks }: Pick<RefusalSeries, 'refusedSince' | 'checks'>,
  { now, deleteAfterMs, longestPauseMs }: RefusalTimes,
): Date {
  const firstPauseMs = Math.min(FIRST_PAUSE_MAX_MS, Math.max(1_000, deleteAfterMs * FIRST_PAUSE_PART));
  const next = now.getTime() + Math.min(firstPauseMs * 2 ** Math.min(checks, 30), longestPauseMs);
  const due = [1, ALONE_FACTOR]
    .map((factor) => (refusedSince?.getTime() ?? NaN) + factor * deleteAfterMs)
    .find((deadline) => now.getTime() + firstPauseMs <= deadline && deadline < next);
  return new Date(due ?? next);
}
