/**
 * How far before an attempt the search for its record begins. The search is wide because the exchange's clock may differ
 * from ours. Older records are excluded by `knownIds`, not by their time.
 */
export const RECORD_LOOKBACK_MS = 2 * 3_600_000;

/** How far back to search for a record whose id or reference is known; no other record can be taken for it. */
export const KNOWN_RECORD_LOOKBACK_MS = 48 * 3_600_000;

/** How far back to read movements; shorter, because a busy account has thousands a day. */
export const MOVEMENT_LOOKBACK_MS = 1_800_000;

/** How far back records are listed before sending; further, so that a later search cannot find an older record. */
export const KNOWN_BEFORE_LOOKBACK_MS = RECORD_LOOKBACK_MS + 900_000;
