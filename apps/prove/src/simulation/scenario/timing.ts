/**
 * How far exchanges and clocks go wrong in the simulation, in milliseconds. Beyond these the service promises nothing:
 * see docs/withdrawals.md.
 */
export const timing = {
  /** Clocks of replicas and of the exchange are off by at most this, so that two differ by WITHDRAWAL_CLOCK_SKEW_MS. */
  skewMax: 30_000,
  /** A reading of the database's clock is off by at most this: half of the longest round trip. */
  readingErrorMax: 1_000,
  /** An exchange without a submission deadline accepts no later than this after it was sent. */
  lateAcceptanceMax: 480_000,
  /** What an exchange has accepted is in its history after this. */
  historyLagMax: 45_000,
  /** How long the exchange accepts a request that has a submission deadline. */
  deadlineMin: 20_000,
  deadlineMax: 120_000,
  /** The exchange has settled what it accepted after this. */
  settlementMax: 300_000,
  /** Faults end after this, whoever is still at work. */
  faultsMax: 1_800_000,
  /** From then on everything must have come to rest after this. */
  restMax: 21_600_000,
  /** The clock of one host is off by at most this, in runs where that happens. */
  hostSkewMax: 18_000_000,
  /** The times of the exchange's records are off by at most this, in runs where that happens: less than RECORD_LOOKBACK_MS. */
  recordSkewMax: 7_000_000,
} as const;
