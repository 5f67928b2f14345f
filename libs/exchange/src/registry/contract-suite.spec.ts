import { ContractBench, type Subject } from '../testing/contract/contract-bench.js';
import type { ExchangeContract } from '../testing/contract/exchange-contract.js';
import { rules } from '../testing/contract/index.js';
import { capabilities, checksOf, dataOf, whyNotApplicable } from '../testing/contract/rule.js';
import { exchanges } from './exchanges.js';

/** Loads `exchanges/<id>/<id>-contract.ts`. */
async function contractOf(id: string): Promise<ExchangeContract> {
  const module = (await import(`../exchanges/${id}/${id}-contract.js`)) as Record<string, ExchangeContract>;
  const contract = module[`${id}Contract`];
  if (contract === undefined) throw new Error(`exchanges/${id}/${id}-contract.ts exports no ${id}Contract`);
  return contract;
}

const subjects: [string, Subject][] = [];
const withoutContract: string[] = [];
for (const [id, declaration] of Object.entries(exchanges)) {
  const contract = await contractOf(id).catch((error: unknown) => void withoutContract.push(`${id}: ${String(error)}`));
  if (contract !== undefined) subjects.push([id, { declaration, contract }]);
}

it('EX-00 every exchange of the registry has a contract', () => expect(withoutContract).toEqual([]));

describe('the rules of the contract suite', () => {
  it('have ids of their own, in order', () => {
    const ids = rules.map(({ id }) => id);
    expect(ids).toEqual(ids.map((_id, at) => `EX-${String(at + 1).padStart(2, '0')}`));
  });
});

describe.each(subjects)('%s', (_id, subject) => {
  const { contract, declaration } = subject;

  it('EX-00 states in its declaration what the amount of a withdrawal means', () => {
    expect(declaration.spec.withdrawals?.amountIs).toBe(contract.withdrawals?.amountIs);
  });

  it('EX-00 has data in its contract for exactly what its sessions offer', () =>
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
});
