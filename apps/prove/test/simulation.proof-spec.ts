import { byExtent } from '#platform/testing';
import { prove } from './prove.js';

/** An upper bound, because other test files share the machine. */
const TIMEOUT_MS = 900_000;
const SEEDS = byExtent({ short: 300, medium: 1_000, long: 10_000 });
/** Exchanges of each class that list no movements. OKX lists the changes of the account that pays withdrawals. */
const ALL_EXCHANGES = ['coinbase', 'kucoin', 'okx', 'bybit'];
const EXCHANGES = byExtent({ short: ['okx'], medium: ALL_EXCHANGES, long: ALL_EXCHANGES });
const EXCHANGE_SEEDS = byExtent({ short: 30, medium: 50, long: 500 });
/** Number of worker threads. For few seeds, the start of a second thread takes longer than it saves. */
const JOBS = byExtent({ short: '1', medium: '1', long: '2' });
/** Few, because a run on PostgreSQL takes a hundred times as long as in memory. */
const POSTGRES_SEEDS = byExtent({ short: 1, medium: 2, long: 10 });
/**
 * The most dangerous mutants; `npm run prove -- --mutants` tries all. A spec catches `outages-delete-wallets`, and the
 * simulation catches the others.
 */
const ALL_MUTANTS = [
  'blind-retry',
  'unknown-is-rejected',
  'unknown-is-not-sent',
  'sent-before-intent',
  'known-ids-ignored',
  'outages-delete-wallets',
];
const MUTANTS = byExtent({ short: ['blind-retry'], medium: ALL_MUTANTS, long: ALL_MUTANTS });

describe('the rules of withdrawals', () => {
  it(
    'hold in simulated runs with crashes and faults',
    () => {
      const { status, lines } = prove('--seeds', String(SEEDS), '--jobs', JOBS);
      expect(lines.filter((line) => line.includes('BAD'))).toEqual([]);
      expect(status).toBe(0);
    },
    TIMEOUT_MS,
  );

  it.each(EXCHANGES)(
    'hold in simulated runs of an exchange with the declared traits of %s',
    (exchange) => {
      const { status, lines } = prove('--seeds', String(EXCHANGE_SEEDS), '--jobs', '1', '--exchange', exchange);
      expect(lines.filter((line) => line.includes('BAD'))).toEqual([]);
      expect(status).toBe(0);
    },
    TIMEOUT_MS,
  );

  it(
    'hold on PostgreSQL, with synced histories, operators and restores',
    () => {
      const { status, lines } = prove('--seeds', String(POSTGRES_SEEDS), '--store', 'postgres', '--jobs', '1');
      expect(lines.filter((line) => line.includes('BAD'))).toEqual([]);
      expect(status).toBe(0);
    },
    TIMEOUT_MS,
  );

  it(
    'are broken by the most dangerous mutants, and the proof catches each of these mutants',
    () => {
      const { status, lines } = prove('--mutants', ...MUTANTS);
      expect(lines.filter((line) => line.startsWith('SURVIVED'))).toEqual([]);
      expect(lines.filter((line) => line.startsWith('caught')).length).toBe(MUTANTS.length);
      expect(status).toBe(0);
    },
    TIMEOUT_MS,
  );
});
