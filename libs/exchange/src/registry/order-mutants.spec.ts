import { contractSubjects } from '../testing/contract/contract-subjects.js';
import { rules } from '../testing/contract/index.js';
import { verdictOf } from '../testing/contract/mutations.js';
import { orderMutants } from '../testing/contract/order-mutants.js';
import { exchanges } from './exchanges.js';

const subjects = (await contractSubjects(Object.values(exchanges))).filter(({ contract }) => contract.orders);

describe('the rules of orders', () => {
  it('have a contract for every exchange with orders', () => {
    const withOrders = Object.values(exchanges).filter(({ spec }) => spec.access.includes('trade'));
    const described = new Set(subjects.map(({ declaration }) => declaration.spec.id));
    expect([...described].sort()).toEqual(withOrders.map(({ spec }) => spec.id).sort());
  });

  describe.each(subjects.map((subject) => [subject.name, subject] as const))('of %s', (_name, subject) => {
    const { declaration, contract } = subject;
    const able = orderMutants.filter(({ of }) => of === 'limit' || contract.orders?.limitOnly !== true);

    it.each(able.map((mutant) => [mutant.caughtBy, mutant.name, mutant] as const))(
      'detect with %s a connector that %s',
      async (id, _name, { mutate }) => {
        const rule = rules.find((each) => each.id === id);
        expect(await verdictOf(rule?.checks({ declaration: mutate(declaration), contract }) ?? [])).toBe('found');
      },
    );
  });
});
