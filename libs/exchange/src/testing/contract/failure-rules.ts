import { ContractBench } from './contract-bench.js';
import type { Subject } from './contract-subjects.js';
import { documentedFailures, expectedFailures, type DocumentedFailure } from './documented-failures.js';
import { ExchangeError } from '../../port/exchange-error.js';
import type { Check, Rule } from './rule.js';
import { submissionsOf, submitOne } from './submissions.js';

/** The failures that say nothing about a submission: another copy of it may have come from elsewhere, or earlier. */
const PROVE_NOTHING: ReadonlySet<string> = new Set([
  ...['location_blocked', 'address_blocked', 'firewall', 'maintenance', 'banned'],
]);

async function exchangeErrorOf(call: Promise<unknown>): Promise<ExchangeError> {
  const error = await call.catch((thrown: unknown) => thrown);
  if (error instanceof ExchangeError) return error;
  throw new Error('the call did not fail', { cause: error });
}

/** The outcomes of the calls that were measured. */
async function outcomesOf({ metrics }: ContractBench): Promise<unknown[]> {
  const all = await metrics.registry.getMetricsAsJSON();
  const calls = all.find(({ name }) => name === 'causeway_exchange_request_seconds');
  return (calls?.values ?? []).map(({ labels }) => labels['outcome']);
}

async function expectFailure(subject: Subject, failure: DocumentedFailure): Promise<void> {
  const { kind, reason, outcome } = expectedFailures[failure.name];
  await ContractBench.run(subject, async (bench) => {
    const session = await bench.open();
    bench.stub.answer({ [subject.contract.keyInfo.route]: failure.reply });
    const error = await exchangeErrorOf(session.keyInfo());
    expect(error).toMatchObject({ kind, ...(reason !== undefined && { reason }) });
    if (failure.retryAfterMs !== undefined) expect(error.retryAfterMs).toBe(failure.retryAfterMs);
    expect(await outcomesOf(bench)).toContain(outcome);
  });
}

/** A response that proves nothing about a submission leaves its outcome unknown. */
function submissionChecks(subject: Subject, { name, reply }: DocumentedFailure): Check[] {
  if (!PROVE_NOTHING.has(name)) return [];
  return submissionsOf(subject.contract).map((kind) => ({
    name: `${kind.name}: ${name}, ${reply.status} ${reply.body.slice(0, 80)}`,
    run: async () => {
      const outcome = await submitOne(subject, kind, ({ stub }) => stub.answer({ [kind.contract.route]: reply }));
      expect(outcome).toMatchObject({ kind: 'unknown' });
    },
  }));
}

const failures: Rule = {
  id: 'EX-63',
  title:
    'location blocks, bans, maintenance and the faults of a key each have their own reason and outcome in the metric; blocks, bans and maintenance prove nothing about a submission',
  checks: (subject) =>
    documentedFailures(subject.declaration.spec.id).flatMap((failure) => [
      {
        name: `${failure.name}: ${failure.reply.status} ${failure.reply.body.slice(0, 80)}`,
        run: () => expectFailure(subject, failure),
      },
      ...submissionChecks(subject, failure),
    ]),
};

export const failureRules: readonly Rule[] = [failures];
