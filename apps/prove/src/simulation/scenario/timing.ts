/**
 * Limits of the errors of exchanges and clocks in the simulation, in milliseconds. Beyond them the service guarantees
 * nothing; see docs/withdrawals.md.
 */
export const timing = {
  /** Clocks of replicas and of the exchange are off by at most this, so that two differ by WITHDRAWAL_CLOCK_SKEW_MS. */
  skewMax: 30_000,
  /** A reading of the database's clock is off by at most this: half of the longest round trip. */
  readingErrorMax: 1_000,
  /** An exchange without a submission deadline accepts no later than this after it was sent. */
  lateAcceptanceMax: 480_000,
  /** An accepted withdrawal is in the history after this time. */
  historyLagMax: 45_000,
  /** How long the exchange accepts a request that has a submission deadline. */
  deadlineMin: 20_000,
  deadlineMax: 120_000,
  /** The exchange has settled an accepted withdrawal after this time. */
  settlementMax: 300_000,
  /** Faults end after this time. */
  faultsMax: 1_800_000,
  /** After the end of the faults, everything must be settled within this time. */
  restMax: 21_600_000,
  /** The clock of one host is off by at most this, in runs where that happens. */
  hostSkewMax: 18_000_000,
  /**
   * The times of the exchange's records are off by at most this, in runs where that happens: less than
   * RECORD_LOOKBACK_MS.
   */
  recordSkewMax: 7_000_000,
} as const;
