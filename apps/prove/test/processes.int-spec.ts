import { runSchedules } from '../src/processes/index.js';
import type { PlantedBug } from '../src/processes/preload/planted-bugs.js';
import { seedOf } from '../src/processes/schedule.js';

const SCHEDULES = 40;
const RUN_TIMEOUT_MS = 400_000;
const BUG_TIMEOUT_MS = 180_000;
const log = (line: string): void => void process.stdout.write(`${line}\n`);

describe('real processes that are killed while the exchange fails', () => {
  const areGood = async (): Promise<void> => {
    const { bad, report, visited } = await runSchedules({ schedules: SCHEDULES, seed: 1, log });
    log(report);
    expect(bad.join('\n\n')).toBe('');
    // A schedule that does not do what it is about has shown nothing.
    expect(visited).toBeGreaterThanOrEqual(SCHEDULES * 0.95);
  };
  it('pay once or say that they did not, and leave nothing open', areGood, RUN_TIMEOUT_MS);

  it.each<[PlantedBug, RegExp]>([
    ['retry_unknown', /duplicate: /],
    ['unknown_is_failure', /lost: /],
  ])(
    'are found out when a rule is broken: %s',
    async (bug, problem) => {
      const seed = seedOf({ point: 'none', fault: 'answer_lost' });
      const { bad } = await runSchedules({ schedules: 1, seed, log, bug });
      expect(bad).toEqual([expect.stringMatching(problem)]);
    },
    BUG_TIMEOUT_MS,
  );
});
