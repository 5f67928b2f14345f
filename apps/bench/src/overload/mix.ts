export type ReadKind = 'list' | 'tickers' | 'wallet';

const LISTS = 30;
const TICKERS = 30;
const WALLETS = 38;
const READS = LISTS + TICKERS + WALLETS;
/**
 * Step from one read to the next in the mix of READS reads. READS and this number have no common divisor, so the kinds
 * alternate and their shares stay exact.
 */
const STRIDE = 37;

/** At most one request in 50 is an execution, which is 2 %. */
const EXECUTION_EACH_MIN = 50;
export const EXECUTIONS_PER_SECOND_MAX = 20;

/** The kind of each read: of 98 reads, 30 list transactions, 30 get tickers and 38 get a wallet. */
export function readKind(index: number): ReadKind {
  const place = (index * STRIDE) % READS;
  if (place < LISTS) return 'list';
  return place < LISTS + TICKERS ? 'tickers' : 'wallet';
}

/**
 * Returns the number of requests among which one is an execution, so that at most 20 executions are sent in a second.
 */
export function requestsPerExecution(requestsPerSecond: number): number {
  return Math.max(EXECUTION_EACH_MIN, Math.ceil(requestsPerSecond / EXECUTIONS_PER_SECOND_MAX));
}
