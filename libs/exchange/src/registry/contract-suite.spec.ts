import { ContractBench } from '../testing/contract/contract-bench.js';
import type { ExchangeContract } from '../testing/contract/exchange-contract.js';
import { rules } from '../testing/contract/index.js';
import { capabilities, whyNotApplicable } from '../testing/contract/rule.js';
import { exchanges } from './exchanges.js';

/** Exchanges of the registry whose contract is not written yet. A new exchange needs its contract. */
const WITHOUT_CONTRACT: ReadonlySet<string> = new Set(['coinbase', 'okx', 'sandbox']);

const subjects = await Promise.all(
  Object.entries(exchanges)
    .filter(([id]) => !WITHOUT_CONTRACT.has(id))
    .map(async ([id, declaration]) => [id, { declaration, contract: await contractOf(id) }] as const),
);

/** Loads `exchanges/<id>/<id>-contract.ts`. */
async function contractOf(id: string): Promise<ExchangeContract> {
  const module = (await import(`../exchanges/${id}/${id}-contract.js`)) as Record<string, ExchangeContract>;
  const contract = module[`${id}Contract`];
  if (contract === undefined) throw new Error(`exchanges/${id}/${id}-contract.ts exports no ${id}Contract`);
  return contract;
}

describe('the rules of the contract suite', () => {
  it('have ids of their own, in order', () => {
    const ids = rules.map(({ id }) => id);
    expect(ids).toEqual(ids.map((_id, at) => `EX-${String(at + 1).padStart(2, '0')}`));
  });
});

const opened = new Map(
  await Promise.all(
    subjects.map(async ([id, subject]) => {
      let session: Awaited<ReturnType<ContractBench['open']>> | undefined;
      await ContractBench.run(subject, async (bench) => void (session = await bench.open()));
      if (session === undefined) throw new Error(`no session of ${id}`);
      return [id, session] as const;
    }),
  ),
);

describe.each(subjects)('%s', (id, subject) => {
  const { declaration, contract } = subject;
  const session = opened.get(id);
  if (session === undefined) throw new Error(`no session of ${id}`);

  it('EX-00 has data in its contract for exactly what its sessions offer', () => {
    const { withdrawals, orders: trading, deposits, history } = contract;
    const described = { withdrawals, trading, deposits, history };
    for (const capability of capabilities) {
      const [isDescribed, isOffered] = [described[capability] !== undefined, session[capability] !== undefined];
      expect({ capability, isDescribed }).toEqual({ capability, isDescribed: isOffered });
    }
  });

  describe.each(rules.map((rule) => [`${rule.id} ${rule.title}`, rule] as const))('%s', (_title, rule) => {
    const reason = whyNotApplicable(rule, session);
    if (reason !== null) {
      it(`${rule.id} is not applicable: ${reason}`, () => {
        for (const capability of rule.needs ?? []) expect(session[capability]).toBeUndefined();
      });
      return;
    }
    const checks = rule.checks({ declaration, contract });
    if (checks.length === 0) throw new Error(`${rule.id} checks nothing`);
    it.each(checks.map((check) => [`${rule.id} ${check.name}`, check] as const))('%s', (_name, { run }) => run());
  });
});
