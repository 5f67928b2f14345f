import { withOtherBalances } from '../../port/holdings.js';
import { plain, sorted } from './account-rules.js';
import { ContractBench } from './contract-bench.js';
import type { Subject } from './contract-subjects.js';
import type { SubAccountsContract } from './exchange-contract.js';
import { checkOf, failuresOf, readAll, sumsOf, unreadOf, type Read } from './other-account-rules.js';
import type { Check, Rule } from './rule.js';

const GROUP = 'sub-accounts';
const FURTHER = { account: 'further sub-accounts', reason: 'not_served' };
const NAME = /^sub-account ./;

/** The amounts in sub-accounts. */
const shownIn = (read: Read) =>
  sumsOf(read).flatMap(({ elsewhere = [] }) => elsewhere.filter(({ account }) => NAME.test(account)));
const accountsIn = (read: Read) => [...new Set(shownIn(read).map(({ account }) => account))];
/** The sums of all accounts without their parts. */
const sumsIn = (read: Read) =>
  sorted(
    withOtherBalances(read.own, sumsOf(read))
      .map(plain)
      .map(({ asset, free, used, total, withdrawable }) => ({ asset, free, used, total, withdrawable }))
      .filter(({ total }) => total !== '0'),
  );
const balancesOf = ({ accounts }: Read) => accounts.find(({ name }) => name === GROUP)?.balances;

function declared(subject: Subject, { list, none, further, bound }: SubAccountsContract): Check[] {
  const [unlisted] = subject.contract.unlisted;
  if (unlisted === undefined) throw new Error('the contract has no unlisted error');
  return [
    checkOf(subject, 'they are shown with their names, and count in no sum', async (bench) => {
      const read = await readAll(bench);
      expect(accountsIn(read)).not.toEqual([]);
      expect(shownIn(read).filter(({ kind }) => kind !== 'sub_account' && kind !== 'owed')).toEqual([]);
      bench.stub.answer({ [list]: none });
      const without = await readAll(bench);
      expect([shownIn(without), sumsIn(read)]).toEqual([[], sumsIn(without)]);
    }),
    checkOf(subject, 'an owner without a sub-account costs one call, and nothing is named', async (bench) => {
      bench.stub.answer({ [list]: none });
      const read = await readAll(bench);
      expect([list, ...further].flatMap((route) => bench.stub.calls(route))).toHaveLength(1);
      expect(unreadOf(read).filter(({ account }) => / of sub-accounts?|^(further )?sub-account/.test(account))).toEqual(
        [],
      );
    }),
    checkOf(subject, 'the key of a sub-account costs only the sub-accounts', async (bench) => {
      const before = await readAll(bench);
      bench.stub.answer({ [list]: unlisted });
      const read = await readAll(bench);
      expect(read.own.map(plain)).toEqual(before.own.map(plain));
      expect(unreadOf(read)).toContainEqual({ account: GROUP, reason: 'refused' });
    }),
    ...further.flatMap((route) =>
      failuresOf(subject).map(([reason, reply]) =>
        checkOf(subject, `${reason}: ${route}`, async (bench) => {
          const before = await readAll(bench);
          bench.stub.answer({ [route]: reply });
          const read = await readAll(bench);
          expect(read.own.map(plain)).toEqual(before.own.map(plain));
          // The group keeps its last amounts while the exchange is unavailable, so it is not read in part then.
          if (reason === 'unavailable') expect(balancesOf(read)).toBeNull();
          else expect(balancesOf(read)).toBeInstanceOf(Array);
          // What is missing is named; without the names of the sub-accounts nothing is missing.
          const isComplete = shownIn(read).length === shownIn(before).length;
          expect(isComplete || unreadOf(read).some((one) => one.reason === reason)).toBe(true);
        }),
      ),
    ),
    ...(bound === undefined ? [] : [boundCheck(subject, bound)]),
  ];
}

function boundCheck(subject: Subject, { max, many }: NonNullable<SubAccountsContract['bound']>): Check {
  return {
    name: `at most ${max} are read, and the further ones are named`,
    run: () =>
      ContractBench.runManyCalls(subject, async (bench) => {
        bench.stub.answer(many(max - 1));
        const fewer = await readAll(bench);
        expect([accountsIn(fewer).length, unreadOf(fewer)]).toEqual([max - 1, expect.not.arrayContaining([FURTHER])]);
        bench.stub.answer(many(3 * max));
        const more = await readAll(bench);
        expect([accountsIn(more).length, unreadOf(more)]).toEqual([max, expect.arrayContaining([FURTHER])]);
      }),
  };
}

const subAccounts: Rule = {
  id: 'EX-78',
  title: 'sub-accounts are shown apart with their names, and those that are not read are named',
  checks: (subject) => {
    const contract = subject.contract.otherAccounts?.subAccounts;
    if (contract !== undefined) return declared(subject, contract);
    return [
      checkOf(subject, 'none is shown, because no call for them is declared', async (bench) => {
        expect(shownIn(await readAll(bench))).toEqual([]);
      }),
    ];
  },
};

export const subAccountRules: readonly Rule[] = [subAccounts];
