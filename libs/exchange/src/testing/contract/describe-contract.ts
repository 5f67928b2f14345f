import { ContractBench } from './contract-bench.js';
import type { Subject } from './contract-subjects.js';
import { rules } from './index.js';
import { capabilities, checksOf, dataOf, whyNotApplicable } from './rule.js';
import { prepareWithdrawal } from './submissions.js';

/** The contract suite for one exchange. Each exchange has a file `<id>-contract.spec.ts` that calls this. */
export function describeContract(subject: Subject): void {
  const { contract, declaration } = subject;

  it('EX-00 the declaration and the contract agree on whether the amount of a withdrawal includes the fee', () => {
    expect(declaration.spec.withdrawals?.amountIs).toBe(contract.withdrawals?.amountIs);
  });

  it('EX-00 the connector prepares withdrawals with a submission deadline exactly if its declaration promises one', () =>
    ContractBench.run(subject, async ({ open }) => {
      const { withdrawals } = contract;
      const prepared = withdrawals && (await prepareWithdrawal(await open(), withdrawals.instruction)).prepared;
      const hasDeadline = prepared !== undefined && prepared.submissionDeadline !== null;
      expect(hasDeadline).toBe(declaration.spec.withdrawals?.keepsDeadline === true);
    }));

  it('EX-00 the contract has data for exactly the capabilities that a session offers', () =>
    ContractBench.run(subject, async ({ open }) => {
      const session = await open();
      const described = capabilities.filter((capability) => dataOf(contract, capability) !== undefined);
      expect(described).toEqual(capabilities.filter((capability) => session[capability] !== undefined));
    }));

  describe.each(rules.map((rule) => [`${rule.id} ${rule.title}`, rule] as const))('%s', (_title, rule) => {
    const reason = whyNotApplicable(rule, contract);
    if (reason !== null) {
      it(`${rule.id} is not applicable: ${reason}`, () =>
        ContractBench.run(subject, async ({ open }) => {
          const session = await open();
          for (const capability of rule.needs ?? []) expect(session[capability]).toBeUndefined();
        }));
      return;
    }
    it.each(checksOf(rule, subject).map((check) => [`${rule.id} ${check.name}`, check] as const))(
      '%s',
      (_name, { run }) => run(),
    );
  });
}
