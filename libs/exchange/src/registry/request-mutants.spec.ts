import { contractSubjects } from '../testing/contract/contract-subjects.js';
import { rules } from '../testing/contract/index.js';
import { verdictOf } from '../testing/contract/mutations.js';
import { requestMutants } from '../testing/contract/request-mutants.js';
import { exchanges } from './exchanges.js';

const subjects = (await contractSubjects(Object.values(exchanges))).filter(
  ({ contract }) => contract.orders !== undefined || contract.withdrawals !== undefined,
);

describe('the rules of requests that move money', () => {
  it.each(subjects.map((subject) => [subject.name, subject] as const))(
    'detect when the connector of %s leaves out or changes any parameter',
    async (_name, subject) => {
      const { declaration, contract } = subject;
      const missed: string[] = [];
      const mutants = await requestMutants(subject);
      for (const { name, caughtBy, mutate } of mutants) {
        const applied = caughtBy.flatMap((id) => rules.filter((rule) => rule.id === id));
        const checks = applied.flatMap((rule) => rule.checks({ declaration: mutate(declaration), contract }));
        if ((await verdictOf(checks)) === 'missed') missed.push(name);
      }
      expect(missed).toEqual([]);
      expect(mutants.length).toBeGreaterThan(0);
    },
  );
});
