import { byExtent } from '#platform/testing';
import { prove } from './prove.js';

/** An upper bound, because other test files share the machine. */
const TIMEOUT_MS = 300_000;
const SEEDS = byExtent({ short: 60, medium: 120, long: 600 });
/** The mutants that endanger money most; `npm run prove -- --mutants` tries all of them. */
const ALL_MUTANTS = [
  'refused-orders-are-believed',
  'one-look-confirms-a-refusal',
  'unanswered-orders-are-sent-again',
  'orders-are-carried-out-at-once',
];
const MUTANTS = byExtent({ short: ['refused-orders-are-believed'], medium: ALL_MUTANTS, long: ALL_MUTANTS });

describe('the rules of orders', () => {
  it(
    'hold in simulated runs with crashes, faults and lies of the exchange',
    () => {
      const { status, lines } = prove('--orders', String(SEEDS), '--jobs', '1');
      expect(lines.filter((line) => line.includes('BAD'))).toEqual([]);
      expect(status).toBe(0);
    },
    TIMEOUT_MS,
  );

  it(
    'are broken by the most dangerous mutants, and the simulation catches each of these mutants',
    () => {
      const { status, lines } = prove('--mutants', ...MUTANTS);
      expect(lines.filter((line) => line.startsWith('SURVIVED'))).toEqual([]);
      expect(lines.filter((line) => line.startsWith('caught'))).toHaveLength(MUTANTS.length);
      expect(status).toBe(0);
    },
    TIMEOUT_MS,
  );
});
