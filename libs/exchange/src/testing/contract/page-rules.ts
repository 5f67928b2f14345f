import { Amount } from '#money';
import { ContractBench } from './contract-bench.js';
import type { Subject } from './contract-subjects.js';
import { documentedPages, type DocumentedPages } from './documented-pages.js';
import type { ContractStub } from './contract-stub.js';
import { nameOf } from './field-rules.js';
import { readAll, sumsOf, type Read } from './other-account-rules.js';
import type { Check, Rule } from './rule.js';

/** Parameters that request a further page of a list. */
const OF_PAGES: ReadonlySet<string> = new Set([
  ...['after', 'current', 'currentPage', 'cursor', 'idLessThan', 'ofs', 'offset', 'page', 'starting_after'],
]);

/**
 * The called routes whose documentation has a parameter for further pages, without the lists of sub-accounts that are
 * read up to a bound: EX-78 checks them.
 */
function pagedRoutes({ contract }: Subject, stub: ContractStub): string[] {
  const calls = { ...contract.calls, ...contract.otherAccounts?.calls };
  const { list, bound, further = [] } = contract.otherAccounts?.subAccounts ?? {};
  const bounded = bound === undefined ? [] : [list, ...further];
  const routes = new Set(stub.calls().map(({ route }) => route));
  return [...routes]
    .filter((route) => !bounded.includes(route))
    .filter((route) => Object.keys(calls[route]?.parameters ?? {}).some((one) => OF_PAGES.has(one)));
}

/** The sum of an asset in all accounts, and in all sub-accounts. */
function totalOf(read: Read, asset: string): Amount {
  const found = [...read.own, ...sumsOf(read)].filter((one) => one.asset === asset);
  const inSubAccounts = found.flatMap(({ elsewhere = [] }) => elsewhere.filter(({ kind }) => kind === 'sub_account'));
  return Amount.sum([...found.map(({ total }) => total), ...inSubAccounts.map(({ amount }) => amount)]);
}

function pagesCheck(subject: Subject, route: string, { max, asset, entry, page }: DocumentedPages): Check {
  return {
    name: `three pages of ${route}`,
    run: () =>
      ContractBench.runManyCalls(subject, async (bench) => {
        const totalWith = async (count: number): Promise<Amount> => {
          const all = Array.from({ length: count }, (_, index) => entry(index));
          bench.stub.answer({ [route]: (call) => page(all, call) });
          return totalOf(await readAll(bench), asset);
        };
        // One entry can cause further calls, so a list without entries is no measure.
        const one = await totalWith(1);
        // Pages that are all full, and pages of which the last one is not.
        for (const count of [2 * max, 2 * max + 1])
          expect((await totalWith(count)).minus(one)).toEqual(Amount.of(String(count - 1)));
      }),
  };
}

const pages: Rule = {
  id: 'EX-76',
  title: 'a list of balances in pages is read from the first page to the last, and each of its entries once',
  checks: (subject) => {
    const documented = documentedPages[nameOf(subject)] ?? {};
    return [
      {
        name: 'every list with a documented parameter for further pages is described',
        run: () =>
          ContractBench.run(subject, async (bench) => {
            await readAll(bench);
            expect(pagedRoutes(subject, bench.stub).filter((route) => !Object.hasOwn(documented, route))).toEqual([]);
          }),
      },
      ...Object.entries(documented).map(([route, each]) => pagesCheck(subject, route, each)),
    ];
  },
};

export const pageRules: readonly Rule[] = [pages];
