import type { ProjectMode } from '#access';
import type { ExchangeError } from '#exchange';

/**
 * What two signed calls that were refused prove.
 * - `revoked`: the exchange says that this very key or grant was revoked.
 * - `invalid`: the exchange says "invalid key". Live exchanges say it about good keys, too, while they have an outage.
 * - `doubtful`: the refusal may be due to how the key is set up, or to our own doing. It marks a wallet and never deletes it.
 */
export type RefusalProof = 'revoked' | 'invalid' | 'doubtful';

/**
 * How the exchange has answered other keys of this installation since the last refusal that counts.
 * - `accepted`: it has accepted more of them than it has begun to refuse.
 * - `refused`: it has not, so the refusals may be an outage.
 * - `silent`: there are other keys, and none of them was answered.
 * - `none`: the installation has no other key that could tell.
 */
export type OtherKeys = 'accepted' | 'refused' | 'silent' | 'none';

/** The refusals of one set of credentials in a row: what `credential_refusals` has about them. */
export interface RefusalSeries {
  /** First and last refusal that counts towards a deletion; null = none counts. */
  refusedSince: Date | null;
  lastRefusedAt: Date | null;
  /** Refusals that count: the first one, and one for each check by the worker. */
  refusals: number;
  /** How often the worker has asked again, whatever the exchange answered. */
  checks: number;
  isDeletionWanted: boolean;
  nextCheckAt: Date;
}

/** Fewer refusals never delete a wallet. */
const REFUSALS_MIN = 3;
/** Without another key that could show an outage, the refusals have to last so many times as long … */
const ALONE_FACTOR = 24;
/** … and have to be so many. */
const ALONE_REFUSALS_MIN = 10;

const FIRST_PAUSE_MAX_MS = 60_000;
/** The first pause as a part of the time after which a wallet is deleted, so that several checks fit into it. */
const FIRST_PAUSE_PART = 1 / 60;

/**
 * What two refusals prove together. A signature that is refused may be accepted again, because it depends on how the key is
 * set up at the exchange, too (two-factor).
 */
export function proofOf(first: ExchangeError, second: ExchangeError): RefusalProof {
  const reasons = [first.reason, second.reason];
  if (reasons.includes('invalid_signature')) return 'doubtful';
  return reasons.every((reason) => reason === 'revoked') ? 'revoked' : 'invalid';
}

/** Whether a wallet goes at once. In test projects the sandbox exchange refuses a key only when somebody revoked it. */
export function isDeletedAtOnce(proof: RefusalProof, mode: ProjectMode): boolean {
  return proof === 'revoked' || (proof === 'invalid' && mode === 'test');
}

/** Whether "invalid key" of a live exchange has been said for so long, and so often, that it is no outage. */
export function hasStood(
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
  /** `WALLET_DELETE_AFTER` */
  deleteAfterMs: number;
  longestPauseMs: number;
}

/**
 * The series after a call was refused. Such a refusal begins a series; however many calls there are, only checks add to it.
 * @param refusal.at null = the moment is not known well enough; then the next check begins the series.
 */
export function refusedInCall(
  series: RefusalSeries | null,
  { proof, isDeletionWanted, at }: { proof: RefusalProof; isDeletionWanted: boolean; at: Date | null },
  times: RefusalTimes,
): RefusalSeries {
  const known = series ?? {
    ...{ refusedSince: null, lastRefusedAt: null, refusals: 0, checks: 0, isDeletionWanted: false },
    nextCheckAt: nextCheckAt({ refusedSince: null, checks: 0 }, times),
  };
  const wanted = { isDeletionWanted: known.isDeletionWanted || isDeletionWanted };
  if (proof === 'doubtful') return { ...known, ...wanted, ...NO_REFUSALS };
  if (known.refusedSince !== null || at === null) return { ...known, ...wanted };
  return { ...known, ...wanted, refusedSince: at, lastRefusedAt: at, refusals: 1 };
}

/** The series after the worker has asked again and was refused. */
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

/** The series after the worker has asked again and the answer proved nothing. */
export function afterCheck(series: RefusalSeries, times: RefusalTimes): RefusalSeries {
  const asked = { ...series, checks: series.checks + 1 };
  return { ...asked, nextCheckAt: nextCheckAt(asked, times) };
}

/** What is left of a series that a success has ended, while the mark has to stay. */
export const NO_REFUSALS = { refusedSince: null, lastRefusedAt: null, refusals: 0 } as const;

/** When the wallet can be deleted at the earliest; null = its deletion is not planned. */
export function deletionAt(
  { refusedSince, isDeletionWanted, nextCheckAt: next }: RefusalSeries,
  { deleteAfterMs, isAtOnce }: { deleteAfterMs: number; isAtOnce: boolean },
): Date | null {
  if (!isDeletionWanted || refusedSince === null) return null;
  if (isAtOnce) return next;
  return new Date(Math.max(refusedSince.getTime() + deleteAfterMs, next.getTime()));
}

/** Pauses double; one that would go past a moment at which the wallet may be deleted ends there. */
function nextCheckAt(
  { refusedSince, checks }: Pick<RefusalSeries, 'refusedSince' | 'checks'>,
  { now, deleteAfterMs, longestPauseMs }: RefusalTimes,
): Date {
  const firstPauseMs = Math.min(FIRST_PAUSE_MAX_MS, Math.max(1_000, deleteAfterMs * FIRST_PAUSE_PART));
  const next = now.getTime() + Math.min(firstPauseMs * 2 ** Math.min(checks, 30), longestPauseMs);
  const due = [1, ALONE_FACTOR]
    .map((factor) => (refusedSince?.getTime() ?? NaN) + factor * deleteAfterMs)
    .find((deadline) => now.getTime() < deadline && deadline < next);
  return new Date(due ?? next);
}
