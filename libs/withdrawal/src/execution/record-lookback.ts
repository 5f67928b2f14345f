/**
 * How far before an attempt the exchange's records are searched for it. Wide, because the exchange's clock may be off from
 * ours: what tells an older record from the attempt is that it was listed before (`knownIds`), and not its time.
 */
export const RECORD_LOOKBACK_MS = 2 * 3_600_000;

/** The same for a record whose id is known: nothing else can be taken for it. */
export const KNOWN_RECORD_LOOKBACK_MS = 48 * 3_600_000;
