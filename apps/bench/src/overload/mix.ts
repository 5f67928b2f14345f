export type ReadKind = 'list' | 'tickers' | 'wallet';

const LISTS = 30;
const TICKERS = 30;
const WALLETS = 38;
const READS = LISTS + TICKERS + WALLETS;
/** Has no divisor in common with READS: the kinds alternate, and their shares stay exact. */
const STRIDE = 37;

/** 2 % of the requests are executions. */
const EXECUTION_EACH_MIN = 50;
export const EXECUTIONS_PER_SECOND_MAX = 20;

/** The kind of each read: 30 lists of transactions, 30 tickers and 38 wallets of 98. */
export function readKind(index: number): ReadKind {
  const place = (index * STRIDE) % READS;
  if (place < LISTS) return 'list';
  return place < LISTS + TICKERS ? 'tickers' : 'wallet';
}

/** One of so many requests is an execution, at most 20 a second. */
export function executionEach(requestsPerSecond: number): number {
  return Math.max(EXECUTION_EACH_MIN, Math.ceil(requestsPerSecond / EXECUTIONS_PER_SECOND_MAX));
}
