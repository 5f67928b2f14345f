import { spawnSync } from 'node:child_process';
import { byExtent } from '#platform/testing';

/** An upper bound, because other test files share the machine. */
const TIMEOUT_MS = 900_000;
const SEEDS = byExtent({ short: 500, long: 10_000 });
/** Few, because a run on PostgreSQL takes a hundred times as long as in memory. */
const POSTGRES_SEEDS = byExtent({ short: 3, long: 15 });
/** The long form has the most dangerous mutants, and one that a spec catches; `npm run prove -- --mutants` tries all. */
const MUTANTS = byExtent({
  short: ['blind-retry', 'known-ids-ignored'],
  long: [
    'blind-retry',
    'unknown-is-rejected',
    'unknown-is-not-sent',
    'sent-before-intent',
    'known-ids-ignored',
    'outages-delete-wallets',
  ],
});

/** The compiled program, as `npm run prove` runs it. */
function prove(...options: string[]): { status: number | null; output: string } {
  const program = `${import.meta.dirname}/../../../dist/apps/prove/src/main.js`;
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...options], {
    encoding: 'utf8',
    maxBuffer: 64 * 1_048_576,
  });
  return { status, output: `${stdout}${stderr}` };
}

describe('the rules of withdrawals', () => {
  it(
    'hold in simulated runs with crashes and faults',
    () => {
      const { status, output } = prove('--seeds', String(SEEDS));
      expect(output.split('\n').filter((line) => line.includes('BAD'))).toEqual([]);
      expect(status).toBe(0);
    },
    TIMEOUT_MS,
  );

  it(
    'hold on PostgreSQL, with synced histories, operators and restores',
    () => {
      const { status, output } = prove('--seeds', String(POSTGRES_SEEDS), '--store', 'postgres', '--jobs', '1');
      expect(output.split('\n').filter((line) => line.includes('BAD'))).toEqual([]);
      expect(status).toBe(0);
    },
    TIMEOUT_MS,
  );

  it(
    'are each caught when they are removed',
    () => {
      const { status, output } = prove('--mutants', ...MUTANTS);
      expect(output.split('\n').filter((line) => line.startsWith('SURVIVED'))).toEqual([]);
      expect(output.split('\n').filter((line) => line.startsWith('caught')).length).toBe(MUTANTS.length);
      expect(status).toBe(0);
    },
    TIMEOUT_MS,
  );
});
