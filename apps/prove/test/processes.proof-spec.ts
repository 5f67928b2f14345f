import { byExtent } from '#platform/testing';
import { runSchedules } from '../src/processes/index.js';
import type { ProcessMutant } from '../src/processes/preload/process-mutants.js';
import { pointNames } from '../src/processes/points.js';
import { seedOf } from '../src/processes/schedule.js';

/** In the medium form, every fourth crash point. */
const { SCHEDULES, STEP } = byExtent({
  short: { SCHEDULES: 1, STEP: 1 },
  medium: { SCHEDULES: Math.ceil(pointNames.length / 4), STEP: 4 },
  long: { SCHEDULES: 40, STEP: 1 },
});
const UNANSWERED = seedOf({ point: 'none', fault: 'answer_lost' });
/** A schedule that places orders, and whose crash point leaves the calls of its mutant alone. */
const UNANSWERED_ORDER = seedOf({ point: 'order_result_commit_lost', fault: 'answer_lost' });
type TriedMutant = [ProcessMutant, number, RegExp];
const RETRIES: TriedMutant = ['retry_unknown', UNANSWERED, /duplicate: /];
const ALL_MUTANTS: TriedMutant[] = [
  RETRIES,
  ['unknown_is_failure', UNANSWERED, /lost: /],
  ['resend_order', UNANSWERED_ORDER, /duplicate: .* for the one order/],
];
const MUTANTS = byExtent({ short: [RETRIES], medium: ALL_MUTANTS, long: ALL_MUTANTS });
/** An upper bound, because other test files share the machine. */
const RUN_TIMEOUT_MS = 900_000;
const MUTANT_TIMEOUT_MS = 300_000;
const MUTANT_TRIES = 3;
const log = (line: string): void => void process.stdout.write(`${line}\n`);

describe('real processes that are killed while the exchange fails', () => {
  const areGood = async (): Promise<void> => {
    const { bad, report, visited } = await runSchedules({ schedules: SCHEDULES, seed: 1, step: STEP, log });
    log(report);
    expect(bad.join('\n\n')).toBe('');
    // A schedule that does not reach its crash point and its fault proves nothing.
    expect(visited).toBeGreaterThanOrEqual(SCHEDULES * 0.95);
  };
  it(
    'pay each quote and place each order once, or report that they did not, and leave none of them open',
    areGood,
    RUN_TIMEOUT_MS,
  );

  it.each<TriedMutant>(MUTANTS)(
    'break a rule that the oracle reports when they run the mutant %s in seed %i',
    async (mutant, seed, problem) => {
      // On a busy machine, a call can fail for another reason before the mutant breaks its rule.
      let bad: string[] = [];
      for (let tries = 0; tries < MUTANT_TRIES && bad.length === 0; tries++)
        ({ bad } = await runSchedules({ schedules: 1, seed, log, mutant }));
      expect(bad).toEqual([expect.stringMatching(problem)]);
    },
    MUTANT_TIMEOUT_MS,
  );
});
