import type { AssetBalance, OtherAccount } from '../../port/exchange.port.js';
import { withOtherBalances } from '../../port/holdings.js';
import { plain, sorted } from './account-rules.js';
import { ContractBench } from './contract-bench.js';
import type { Subject } from './contract-subjects.js';
import { json, type OtherAccountsContract, type Reply } from './exchange-contract.js';
import { requireConsistent, withOddAmounts } from './odd-balances.js';
import type { Check, Rule } from './rule.js';

const NO_ACCOUNTS: OtherAccountsContract = { calls: {}, expected: [], unread: [], names: {} };

const contractOf = ({ contract: { otherAccounts = NO_ACCOUNTS } }: Subject): OtherAccountsContract => otherAccounts;

/** The balances of a session. */
export interface Read {
  own: AssetBalance[];
  accounts: OtherAccount[];
}

/** Reads both kinds of accounts, as a sync of a wallet does. */
export async function readAll({ open }: Pick<ContractBench, 'open'>): Promise<Read> {
  const session = await open();
  const own = await session.balances();
  return { own, accounts: (await session.otherAccounts?.(own)) ?? [] };
}

export const unreadOf = ({ accounts }: Read) => sorted(accounts.flatMap(({ unread }) => unread));
/** The sums of the other accounts. */
export const sumsOf = ({ accounts }: Read) =>
  withOtherBalances(
    [],
    accounts.flatMap(({ balances }) => balances ?? []),
  );

export const checkOf = (subject: Subject, name: string, run: (bench: ContractBench) => Promise<void>): Check => ({
  name,
  run: () => ContractBench.run(subject, run),
});

const otherAccounts: Rule = {
  id: 'EX-67',
  title: 'the other accounts are exactly the documented ones, and those that are not read are named',
  checks: (subject) => {
    const { expected, unread, notOpened = {} } = contractOf(subject);
    return [
      checkOf(subject, 'in the documented responses', async (bench) => {
        const read = await readAll(bench);
        expect(sorted(sumsOf(read).map(plain))).toEqual(sorted(expected));
        expect(unreadOf(read)).toEqual(sorted(unread));
        // Else the sums would be the same without the account.
        const empty = read.accounts.filter(({ balances, unread: named }) => !balances?.length && named.length === 0);
        expect(empty.map(({ name }) => name)).toEqual([]);
        // Nothing of them can be withdrawn, whatever they contain.
        for (const { withdrawable } of sumsOf(read)) expect(withdrawable?.isZero()).toBe(true);
      }),
      ...Object.entries(notOpened).map(([route, reply]) =>
        checkOf(subject, `an account that is not opened is not named: ${route}`, async (bench) => {
          bench.stub.answer({ [route]: reply });
          expect(unreadOf(await readAll(bench))).toEqual(sorted(unread));
        }),
      ),
    ];
  },
};

/** The refusals that every exchange can send, and the reason with which the account is then named. */
export function failuresOf({ contract }: Subject): [reason: string, reply: Reply][] {
  const permission = contract.refusals.find(({ grade, of, code }) => grade === 'permission' && of === 'all' && !code);
  return [
    ['unavailable', json({}, 500)],
    ...(permission === undefined ? [] : [['permission_missing', permission.reply] as [string, Reply]]),
  ];
}

const failingAccount: Rule = {
  id: 'EX-68',
  title: 'an account that cannot be read is named, and fails nothing else',
  checks: (subject) => {
    const { names, calls } = contractOf(subject);
    if (Object.keys(names).length === 0) {
      return [
        checkOf(subject, 'nothing can fail, because no call is sent', async ({ open, stub }) => {
          await (await open()).otherAccounts?.([]);
          expect(stub.calls()).toEqual([]);
        }),
      ];
    }
    return Object.entries(names).flatMap(([route, name]) => [
      ...failuresOf(subject).map(([reason, reply]) =>
        checkOf(subject, `${reason}: ${route}`, async (bench) => {
          const before = await readAll(bench);
          bench.stub.answer({ [route]: reply });
          const read = await readAll(bench);
          expect(read.own.map(plain)).toEqual(before.own.map(plain));
          expect(read.accounts.find((one) => one.name === name)).toMatchObject({ name, balances: null });
          expect(unreadOf(read)).toContainEqual({ account: name, reason });
        }),
      ),
      {
        name: `rate limit: ${route}`,
        run: () =>
          ContractBench.runManyCalls(subject, async (bench) => {
            bench.stub.answer({ [route]: json({}, 429) });
            const read = await readAll(bench);
            expect(read.accounts.find((one) => one.name === name)).toMatchObject({ name, balances: null });
            expect(unreadOf(read)).toContainEqual({ account: name, reason: 'unavailable' });
          }),
      },
      {
        name: `odd amounts: ${route}`,
        run: () =>
          ContractBench.runManyCalls(subject, async (bench) => {
            const answer = calls[route]?.answer;
            if (answer === undefined || typeof answer === 'function') return;
            for (const { reply } of withOddAmounts(answer)) {
              bench.stub.answer({ [route]: reply });
              sumsOf(await readAll(bench)).forEach(requireConsistent);
            }
          }),
      },
    ]);
  },
};

export const otherAccountRules: readonly Rule[] = [otherAccounts, failingAccount];
