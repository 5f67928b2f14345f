/**
 * Limits of the errors of exchanges and clocks in the simulation, in milliseconds. Beyond them the service guarantees
 * nothing; see docs/withdrawals.md.
 */
export const timing = {
  /**
   * Largest error of the clocks of replicas and of the exchange. Two of them differ by WITHDRAWAL_CLOCK_SKEW_MS at
   * most.
   */
  skewMax: 30_000,
  /** Largest error with which a process reads the database's clock: half of the longest round trip. */
  readingErrorMax: 1_000,
  /** Longest time from the sending of a request until an exchange without a submission deadline accepts it. */
  lateAcceptanceMax: 480_000,
  /** Longest time until an accepted withdrawal is in the history. */
  historyLagMax: 45_000,
  /** Longest time until the account shows a withdrawal that the exchange has executed and refused (`lagOf`). */
  refusedLagMax: 5_000,
  /**
   * Longest time until the account shows a withdrawal whose refusal is disproved. The shortest is `refusedLagMax` × 4.
   */
  disprovedLagMax: 240_000,
  /** How long the exchange accepts a request that has a submission deadline. */
  deadlineMin: 20_000,
  deadlineMax: 120_000,
  /** Longest time until the exchange has settled an accepted withdrawal. */
  settlementMax: 300_000,
  /** Time after which all faults end. */
  faultsMax: 1_800_000,
  /** Longest time, after the end of the faults, until every withdrawal must be settled. */
  restMax: 21_600_000,
  /** Largest error of the clock of a host, in runs in which host clocks are wrong. */
  hostSkewMax: 18_000_000,
  /**
   * Largest error of the times of the exchange's records, in runs in which these are wrong. It is below
   * RECORD_LOOKBACK_MS.
   */
  recordSkewMax: 7_000_000,
} as const;
