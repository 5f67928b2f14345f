import { plain, sorted } from './account-rules.js';
import { ContractBench } from './contract-bench.js';
import type { Subject } from './contract-subjects.js';
import type { Answers, ExpectedBalance } from './exchange-contract.js';
import { readAll, sumsOf, unreadOf, type Read } from './other-account-rules.js';
import type { Rule } from './rule.js';
import { changedAnswers, type Change } from './with-fields.js';

/** The documented responses of all calls that read, each with a change of its body. */
function changedReads({ contract }: Subject, change: Change): Answers {
  const calls = Object.entries({ ...contract.calls, ...contract.otherAccounts?.calls });
  return changedAnswers(Object.fromEntries(calls.map(([route, { answer }]) => [route, answer])), change);
}

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => reversed(one)).reverse();
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, reversed(each)]));
}

/** The name of an asset that no exchange lists, in the case of `asset`. */
const further = (asset: string): string => (/[a-z]/.test(asset) ? `${asset}further` : `${asset}FURTHER`);
/** The fields with the id of an entry. Some connectors read each id once. */
const IDS = new Set(['id', 'uuid']);

/** Adds the same holdings of further assets: beside each entry of an asset, an entry of the further asset. */
function withFurther(isAsset: (text: string) => boolean): Change {
  const isEntry = (value: unknown): boolean => {
    if (typeof value === 'string') return isAsset(value);
    return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).some(isEntry);
  };
  const renamed = (value: unknown, key = ''): unknown => {
    if (typeof value === 'string') return isAsset(value) || IDS.has(key) ? further(value) : value;
    if (Array.isArray(value)) return value.map((one: unknown) => renamed(one));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, renamed(each, name)]));
  };
  const added: Change = (value) => {
    if (Array.isArray(value))
      return value.flatMap((one: unknown) => (isEntry(one) ? [one, renamed(one)] : [added(one)]));
    if (typeof value !== 'object' || value === null) return value;
    const members = Object.entries(value).flatMap(([key, each]): [string, unknown][] =>
      isAsset(key)
        ? [
            [key, each],
            [further(key), renamed(each)],
          ]
        : [[key, added(each)]],
    );
    return Object.fromEntries(members);
  };
  return added;
}

interface Shown {
  readonly own: readonly ExpectedBalance[];
  readonly others: readonly ExpectedBalance[];
  readonly unread: unknown;
}

const shownIn = (read: Read): Shown => ({
  own: sorted(read.own.map(plain)),
  others: sorted(sumsOf(read).map(plain)),
  unread: unreadOf(read),
});

/** Balances without the names of their assets. The table of an exchange may name a further asset otherwise. */
const unnamed = (balances: readonly ExpectedBalance[]) => sorted(balances.map(({ asset: _asset, ...rest }) => rest));

/** The amounts in the other accounts, except in those that hold one asset each. */
const elsewhereOf = (balances: readonly ExpectedBalance[], ofOneAsset: readonly string[]) =>
  sorted(
    balances
      .map(({ elsewhere = [] }) => elsewhere.filter(({ account }) => !ofOneAsset.includes(account)))
      .filter(({ length }) => length > 0),
  );

const furtherEntries: Rule = {
  id: 'EX-79',
  title: 'balances do not depend on the order of the entries of a list, and on the assets beside an asset',
  checks: (subject) => [
    {
      name: 'with each list in reverse order',
      run: () =>
        ContractBench.runManyCalls(subject, async (bench) => {
          const before = shownIn(await readAll(bench));
          bench.stub.answer(changedReads(subject, reversed));
          expect(shownIn(await readAll(bench))).toEqual(before);
        }),
    },
    {
      name: 'with the same holdings of further assets',
      run: () =>
        ContractBench.runManyCalls(subject, async (bench) => {
          const { balances, otherAccounts } = subject.contract;
          const before = shownIn(await readAll(bench));
          const assets = new Set([...before.own, ...before.others].map(({ asset }) => asset));
          const ids = new Set([...assets, ...(balances.assetIds ?? [])]);
          bench.stub.answer(
            changedReads(
              subject,
              withFurther((text) => ids.has(text.toUpperCase())),
            ),
          );
          const after = shownIn(await readAll(bench));
          const isFurther = ({ asset }: ExpectedBalance): boolean => !assets.has(asset);
          expect(after.own.filter((one) => !isFurther(one))).toEqual(before.own);
          expect(after.others.filter((one) => !isFurther(one))).toEqual(before.others);
          expect(unnamed(after.own.filter(isFurther))).toEqual(unnamed(before.own));
          const elsewhere = (all: readonly ExpectedBalance[]) => elsewhereOf(all, otherAccounts?.ofOneAsset ?? []);
          expect(elsewhere(after.others.filter(isFurther))).toEqual(elsewhere(before.others));
          expect(after.unread).toEqual(before.unread);
        }),
    },
  ],
};

/** The networks of withdrawals and the methods of deposits, without their order. */
async function listsIn(subject: Subject, { open }: Pick<ContractBench, 'open'>): Promise<unknown> {
  const { deposits, withdrawals } = await open();
  const asset = subject.contract.deposits?.asset ?? '';
  return [sorted((await withdrawals?.networks()) ?? []), sorted((await deposits?.methods(asset)) ?? [])];
}

const reversedLists: Rule = {
  id: 'EX-80',
  title: 'networks, methods of deposits and facts of a key do not depend on the order of the entries of a list',
  checks: (subject) => [
    {
      name: 'with each list in reverse order',
      run: () =>
        ContractBench.runManyCalls(subject, async (bench) => {
          const [lists, key] = [await listsIn(subject, bench), await (await bench.open()).keyInfo()];
          bench.stub.answer(changedReads(subject, reversed));
          expect(await listsIn(subject, { open: () => bench.open({ account: 1 }) })).toEqual(lists);
          const { permissions, ipAllowlist, ...facts } = await (await bench.open()).keyInfo();
          expect({ ...facts, permissions: sorted(permissions), ipAllowlist: sorted(ipAllowlist) }).toEqual({
            ...key,
            permissions: sorted(key.permissions),
            ipAllowlist: sorted(key.ipAllowlist),
          });
        }),
    },
    {
      name: 'the sample of a key has no list with a single permission or address',
      // A reader that reads only the first entry of a list would pass with it.
      run: () => {
        const { permissions, ipAllowlist } = subject.contract.keyInfo.expected;
        expect([permissions, ipAllowlist].filter(({ length }) => length === 1)).toEqual([]);
        return Promise.resolve();
      },
    },
  ],
};

export const furtherEntryRules: readonly Rule[] = [furtherEntries, reversedLists];
