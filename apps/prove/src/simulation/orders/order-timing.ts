/** Limits of the errors of the simulated exchange for orders, in milliseconds. */
export const orderTiming = {
  /** Largest error of the clocks of replicas and of the exchange. */
  skewMax: 10_000,
  /** Longest time until a view of the exchange (a list, a search or the balances) shows a change. */
  viewLagMax: 5_000,
  /** Longest time until a view shows a change, in runs in which views are later than the service assumes. */
  lateViewLagMax: 60_000,
  /**
   * Longest time from the sending of a request until an exchange without a submission deadline has carried it out. It
   * is below ORDER_ABSENCE_SECONDS.
   */
  lateAcceptanceMax: 500_000,
  /** Longest time until an order is filled or canceled at the exchange. */
  endMax: 600_000,
  /** Time after which all faults end. */
  faultsMax: 1_800_000,
  /** Longest time, after the end of the faults, until every order must be settled. */
  restMax: 14_400_000,
} as const;
