/**
 * How far before an attempt the exchange's records are searched for it. Wide, because the exchange's clock may be off from
 * ours: what tells an older record from the attempt is that it was listed before (`knownIds`), and not its time.
 */
export const RECORD_LOOKBACK_MS = 2 * 3_600_000;

/** The same for a record whose id or reference is known: nothing else can be taken for it. */
export const KNOWN_RECORD_LOOKBACK_MS = 48 * 3_600_000;

/** The same for movements, of which a busy account has thousands a day. */
export const MOVEMENT_LOOKBACK_MS = 1_800_000;

/** What is listed before anything is sent reaches back further, so that nothing comes in sight by the time that passes. */
export const KNOWN_BEFORE_LOOKBACK_MS = RECORD_LOOKBACK_MS + 900_000;
