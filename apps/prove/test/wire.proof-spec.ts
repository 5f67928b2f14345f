import { byExtent } from '#platform/testing';
import { prove } from './prove.js';

/** An upper bound, because other test files share the machine. Alone, the proof takes about 25 seconds. */
const TIMEOUT_MS = 300_000;
const SEEDS = byExtent({ short: 20, medium: 60, long: 200 });
/** The mutants that endanger money most; `npm run prove -- --mutants` tries all of them. */
const ALL_MUTANTS = [
  'written-again',
  'shared-connection',
  'signed-before-connected',
  'used-nonce-is-not-sent',
  'nonces-by-the-clock-alone',
];
const MUTANTS = byExtent({ short: ['written-again'], medium: ALL_MUTANTS, long: ALL_MUTANTS });

describe('the wire proof', () => {
  it(
    'finds no submission that is executed twice, or whose outcome contradicts the ledger of the exchange',
    () => {
      const { status, lines } = prove('--wire', String(SEEDS), '--jobs', '1');
      expect(lines.filter((line) => line.includes('BAD'))).toEqual([]);
      expect(status).toBe(0);
    },
    TIMEOUT_MS,
  );

  it(
    'catches the mutants that endanger money most',
    () => {
      const { status, lines } = prove('--mutants', ...MUTANTS);
      expect(lines.filter((line) => line.startsWith('SURVIVED'))).toEqual([]);
      expect(lines.filter((line) => line.startsWith('caught'))).toHaveLength(MUTANTS.length);
      expect(status).toBe(0);
    },
    TIMEOUT_MS,
  );
});
