import { testOverrides } from '#platform/config';

/**
 * Times in milliseconds. Sorted by length, they have the same order as in production, but minutes are shortened to a
 * second or two.
 */
export const timing = {
  submitTimeoutMs: 500,
  leaseMs: 1_000,
  sweepMs: 100,
  exchangeLagMs: 50,
  absenceMs: 1_500,
  cleanListingGapMs: 100,
  /**
   * Longest wait for evidence in the exchange's ledger. It is longer than the delay of the ledger. The wait needs an
   * end, because a ledger whose order is wrong after a clock jump never becomes evidence.
   */
  evidenceWaitMs: 8_000,
  /** Time from a withdrawal to its success at the exchange. */
  settleMs: 100,
  /**
   * Longest delay with which the exchange acts on a request. It is longer than the time-out of the request, and shorter
   * than the time after which the absence of a withdrawal can be proven.
   */
  lateAcceptanceMs: 700,
  beyondLeaseMs: 1_200,
} as const;

/** Settings of every process; limits that a fast test would reach are raised. */
export const serviceSettings: Readonly<Record<string, string>> = {
  LOG_LEVEL: 'info',
  PORT: '0',
  WORKER_PORT: '0',
  METRICS_PORT: '0',
  SHUTDOWN_DELAY_MS: '0',
  WORKER_METRICS_PORT: '0',
  VAULT_KEYS: `prove:${Buffer.alloc(32, 3).toString('base64')}`,
  API_KEY_PEPPER: Buffer.alloc(32, 5).toString('base64'),
  API_KEY_RATE_PER_MINUTE: '1000000',
  AUTH_FAILURES_PER_MINUTE: '100000',
  WITHDRAWAL_RATE_PER_MINUTE: '10000',
  ORDER_RATE_PER_MINUTE: '10000',
  EXCHANGE_CALLS_PER_SECOND: '1000',
  EXCHANGE_CALLS_BURST: '1000',
  EXCHANGE_TIMEOUT_MS: '1000',
  EXCHANGE_SUBMIT_TIMEOUT_MS: String(timing.submitTimeoutMs),
  // Prices are not part of the proof, so they are read once.
  TICKERS_REFRESH_SECONDS: '3600',
  TICKERS_STALE_SECONDS: '7200',
  EXECUTE_WAIT_MS: '4000',
  // These estimates differ from the fees that the exchange charges, as the estimates of a real operator do.
  WITHDRAWAL_FEE_ESTIMATES: 'BTC:bitcoin=0.0002 ETH:ethereum=0.003 SOL:solana=0.03 POL:polygon=0.4'
    .split(' ')
    .map((fee) => `coinbase:${fee}`)
    .join(','),
  CONNECT_VISITS_PER_MINUTE: '10000',
  DATABASE_CONNECT_TIMEOUT_MS: '3000',
  DATABASE_STATEMENT_TIMEOUT_MS: '1500',
  DATABASE_LOCK_TIMEOUT_MS: '1000',
  ...testOverrides({
    WITHDRAWAL_LEASE_MS: timing.leaseMs,
    EXCHANGE_LAG_MAX_MS: timing.exchangeLagMs,
    // With these values, another worker finds the jobs of a killed worker sooner than in production.
    QUEUE_LOCK_MS: 1_000,
    QUEUE_STALLED_CHECK_MS: 500,
    QUEUE_LEASE_MS: timing.leaseMs,
    WITHDRAWAL_SWEEP_MS: timing.sweepMs,
    WITHDRAWAL_ABSENCE_MS: timing.absenceMs,
    WITHDRAWAL_CLEAN_LISTING_GAP_MS: timing.cleanListingGapMs,
    WITHDRAWAL_EVIDENCE_WAIT_MS: timing.evidenceWaitMs,
    ORDER_LEASE_MS: timing.leaseMs,
    ORDER_SWEEP_MS: timing.sweepMs,
    // The least deadline that `requireSoundTimes` accepts for this lease, in whole seconds.
    ORDER_DEADLINE_SECONDS: 4,
    ORDER_SETTLE_SECONDS: 1,
    ORDER_CHECK_SECONDS: 1,
    ORDER_SPACING_SECONDS: 0,
    // Longer than the lease of an order, as in production.
    IDEMPOTENCY_LOCK_SECONDS: 2,
  }),
};
