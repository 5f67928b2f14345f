import type { DepositMethod } from '../../port/deposit.port.js';
import { ExchangeError } from '../../port/exchange-error.js';
import { withOtherBalances } from '../../port/holdings.js';
import type { AssetBalance, WithdrawalNetwork } from '../../port/exchange.port.js';
import { ContractBench } from './contract-bench.js';
import type { Subject } from './contract-subjects.js';
import { documentedBalances } from './documented-balances.js';
import type {
  DepositsContract,
  ExpectedBalance,
  ExpectedNetwork,
  NetworksContract,
  Reply,
} from './exchange-contract.js';
import { requireConsistent, withOddAmounts } from './odd-balances.js';
import type { Check, Rule } from './rule.js';

const UNREADABLE_ENTRIES = 'causeway_exchange_unreadable_entries_total';
const UNREADABLE = { name: 'ExchangeError', kind: 'unavailable' };

export function plain({ asset, free, used, total, withdrawable, elsewhere }: AssetBalance): ExpectedBalance {
  return {
    asset,
    free: free.toString(),
    used: used.toString(),
    total: total.toString(),
    ...(withdrawable !== undefined && { withdrawable: withdrawable.toString() }),
    ...(elsewhere !== undefined && {
      elsewhere: elsewhere.map(({ amount, ...rest }) => ({ ...rest, amount: amount.toString() })),
    }),
  };
}

/** Sorts a list whose order has no meaning. */
export function sorted<T>(list: readonly T[]): T[] {
  return [...list].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

const balances: Rule = {
  id: 'EX-24',
  title: 'balances are exactly the documented ones, and complete',
  checks: (subject) => [
    {
      name: 'in the documented response',
      run: () =>
        ContractBench.run(subject, async ({ open }) => {
          const listed = await (await open()).balances();
          expect(sorted(listed.map(plain))).toEqual(sorted(subject.contract.balances.expected));
          for (const { free, used, total } of listed) expect(free.plus(used)).toEqual(total);
          // Else a reader that leaves out what is used would pass.
          expect(listed.some(({ used }) => used.isPositive())).toBe(true);
        }),
    },
    {
      name: 'an entry that cannot be read makes the balance of its asset partial, is counted, and changes no other balance',
      run: () =>
        ContractBench.run(subject, async ({ open, stub, metrics }) => {
          const { unreadable, expected } = subject.contract.balances;
          const session = await open();
          stub.answer(unreadable);
          const listed = await session.balances();
          const partial = listed.filter(({ isPartial }) => isPartial).map(({ asset }) => asset);
          expect(partial).toHaveLength(1);
          const isWhole = ({ asset }: { asset: string }): boolean => !partial.includes(asset);
          expect(sorted(listed.filter(isWhole).map(plain))).toEqual(sorted(expected.filter(isWhole)));
          const counted = await metrics.registry.getSingleMetric(UNREADABLE_ENTRIES)?.get();
          expect(counted?.values).toEqual([expect.objectContaining({ value: 1 })]);
        }),
    },
  ],
};

const furtherBalances: Rule = {
  id: 'EX-73',
  title: 'balances are read from every documented form of a response',
  checks: (subject) => {
    const { contract, declaration } = subject;
    const forms = documentedBalances[contract.documentedAs ?? declaration.spec.id] ?? [];
    if (forms.length === 0) return [{ name: 'there is one form only', run: () => Promise.resolve() }];
    return forms.map(({ name, answers, own = [], others = [], notServed = [] }) => ({
      name,
      run: () =>
        ContractBench.run(subject, async ({ open, stub }) => {
          const session = await open();
          stub.answer(answers);
          const read = await session.balances();
          const elsewhere = (await session.otherAccounts?.(read)) ?? [];
          const sums = withOtherBalances(
            [],
            elsewhere.flatMap(({ balances: found }) => found ?? []),
          );
          const named = (expected: readonly ExpectedBalance[], found: readonly AssetBalance[]): ExpectedBalance[] =>
            found.map(plain).filter(({ asset }) => expected.some((one) => one.asset === asset));
          expect(sorted(named(own, read))).toEqual(sorted(own));
          expect(sorted(named(others, sums))).toEqual(sorted(others));
          const unread = elsewhere.flatMap((each) => each.unread);
          for (const account of notServed) expect(unread).toContainEqual({ account, reason: 'not_served' });
        }),
    }));
  },
};

const oddBalances: Rule = {
  id: 'EX-48',
  title: 'one odd amount changes at most the balances of the assets of its entry',
  // Each of these responses has good entries, and one without a readable amount.
  checks: (subject) =>
    Object.entries(subject.contract.balances.unreadable).map(([route, reply]) => ({
      name: `of ${route}`,
      run: () =>
        ContractBench.runManyCalls(subject, async ({ open, stub }) => {
          const session = await open();
          const read = async (answer: Reply): Promise<Map<string, string>> => {
            stub.answer({ [route]: answer });
            const listed = await session.balances();
            listed.forEach(requireConsistent);
            return new Map(listed.map((each) => [each.asset, JSON.stringify(plain(each))]));
          };
          const before = await read(reply);
          for (const { name, reply: odd } of withOddAmounts(reply)) {
            const after = await read(odd).catch(nullIfUnreadable);
            // A list without a readable entry has another format.
            if (after === null) continue;
            const changed = [...before.keys()].filter((asset) => after.get(asset) !== before.get(asset));
            expect({ name, changed }).toEqual({ name, changed: changed.slice(0, 1) });
          }
        }),
    })),
};

function nullIfUnreadable(error: unknown): null {
  if (error instanceof ExchangeError && error.kind === 'unavailable') return null;
  throw error;
}

const keyInfo: Rule = {
  id: 'EX-25',
  title: 'key information contains what the exchange reports, and null for the rest',
  checks: (subject) => {
    const { expected, least, route } = subject.contract.keyInfo;
    return [
      {
        name: 'in the documented response',
        run: () =>
          ContractBench.run(subject, async ({ open }) => {
            expect(await (await open()).keyInfo()).toEqual(expected);
          }),
      },
      {
        name: 'in a response with the least that the exchange reports',
        run: () =>
          ContractBench.run(subject, async ({ open, stub }) => {
            stub.answer({ [route]: least.reply });
            expect(await (await open()).keyInfo()).toEqual(least.expected);
          }),
      },
    ];
  },
};

/** The part of a contract about networks. Only rules that need withdrawals call this function. */
function networksOf({ contract }: Subject): NetworksContract {
  if (contract.withdrawals === undefined) throw new Error('the contract has no withdrawals');
  return contract.withdrawals.networks;
}

function asExpected({ asset, id, tokenAddress }: WithdrawalNetwork): ExpectedNetwork {
  return [asset, id, tokenAddress];
}

/** Reads the networks of a list, and the number of its entries that could not be read. */
async function offered(
  subject: Subject,
  entries?: readonly unknown[],
): Promise<{ networks: ExpectedNetwork[]; unreadable: number }> {
  let networks: ExpectedNetwork[] = [];
  let unreadable = 0;
  await ContractBench.run(subject, async ({ open, stub, metrics }) => {
    const session = await open();
    if (entries !== undefined) stub.answer(networksOf(subject).listing(entries));
    networks = ((await session.withdrawals?.networks()) ?? []).map(asExpected);
    const counter = metrics.registry.getSingleMetric(UNREADABLE_ENTRIES);
    const counted = (await counter?.get())?.values ?? [];
    unreadable = counted.reduce((sum, { value }) => sum + value, 0);
  });
  return { networks, unreadable };
}

const networks: Rule = {
  id: 'EX-26',
  title: 'networks are offered as documented, with the token contracts of our table',
  needs: ['withdrawals'],
  checks: (subject) => [
    {
      name: 'those of the documented list',
      run: async () => expect(sorted((await offered(subject)).networks)).toEqual(sorted(networksOf(subject).expected)),
    },
  ],
};

const traps: Rule = {
  id: 'EX-27',
  title: 'a network on which the money may be lost is never offered',
  needs: ['withdrawals'],
  checks: (subject) => {
    const { traps: all, good } = networksOf(subject);
    return Object.entries(all).flatMap(([trap, entries]): Check[] => {
      if (typeof entries === 'string') {
        // The contract states why the exchange has no such entry. The reason is the name of the check.
        return [{ name: `${trap} network: not applicable, ${entries}`, run: async () => expect(entries).not.toBe('') }];
      }
      return entries.map((entry) => ({
        name: `${trap} network: ${JSON.stringify(entry).slice(0, 120)}`,
        run: async () => {
          const onlyGood = await offered(subject, [good]);
          const withTrap = await offered(subject, [entry, good]);
          expect(onlyGood.networks).not.toEqual([]);
          expect(withTrap.networks).toEqual(onlyGood.networks);
        },
      }));
    });
  },
};

const unreadableEntries: Rule = {
  id: 'EX-28',
  title: 'an unreadable entry of a list of networks is left out and counted, and the other entries are kept',
  needs: ['withdrawals'],
  checks: (subject) => {
    const { unreadable, good } = networksOf(subject);
    return [
      ...unreadable.map((entry) => ({
        name: JSON.stringify(entry).slice(0, 120),
        run: async () => {
          const { networks: expected } = await offered(subject, [good]);
          const found = await offered(subject, [entry, good]);
          expect(found).toEqual({ networks: expected, unreadable: 1 });
        },
      })),
      {
        name: 'a list without a readable entry fails',
        run: () =>
          ContractBench.run(subject, async ({ open, stub }) => {
            const session = await open();
            stub.answer(networksOf(subject).listing(unreadable));
            await expect(session.withdrawals?.networks()).rejects.toMatchObject(UNREADABLE);
          }),
      },
    ];
  },
};

function depositsOf({ contract }: Subject): DepositsContract {
  if (contract.deposits === undefined) throw new Error('the contract has no deposits');
  return contract.deposits;
}

const deposits: Rule = {
  id: 'EX-29',
  title: 'deposit methods have the right network or none, and every address fits its network',
  needs: ['deposits'],
  checks: (subject) => {
    const { asset, methods, method: id, addresses, unsafe } = depositsOf(subject);
    const methodOf = (all: readonly DepositMethod[]): DepositMethod => {
      const method = all.find(({ exchangeMethodId }) => exchangeMethodId === id);
      if (method === undefined) throw new Error(`the exchange lists no method ${id}`);
      return method;
    };
    const check = (name: string, run: (bench: ContractBench) => Promise<void>): Check => ({
      name,
      run: () => ContractBench.run(subject, run),
    });
    return [
      check('the methods of the documented response', async ({ open }) => {
        const listed = (await (await open()).deposits?.methods(asset)) ?? [];
        const found = listed.map(({ exchangeMethodId, network }) => ({ exchangeMethodId, network }));
        expect(sorted(found)).toEqual(sorted(methods));
      }),
      check('the addresses of the documented response', async ({ open }) => {
        const session = await open();
        const method = methodOf((await session.deposits?.methods(asset)) ?? []);
        const found = (await session.deposits?.addresses(method)) ?? [];
        expect(found.map(({ address, tag }) => ({ address, tag }))).toEqual(addresses);
      }),
      ...capitalsChecks(subject),
      check('an address of another chain is refused', async ({ open, stub }) => {
        const session = await open();
        const method = methodOf((await session.deposits?.methods(asset)) ?? []);
        stub.answer(unsafe);
        await expect(session.deposits?.addresses(method)).rejects.toMatchObject({
          kind: 'refused',
          code: 'DEPOSIT_ADDRESS_UNAVAILABLE',
          reason: 'unsafe_address',
        });
      }),
      check('a method without a certain network gets no address', async ({ open }) => {
        const session = await open();
        const method = { ...methodOf((await session.deposits?.methods(asset)) ?? []), exchangeMethodId: 'Never seen' };
        await expect(session.deposits?.addresses(method)).rejects.toMatchObject({ kind: 'refused' });
      }),
    ];
  },
};

/** BIP-173: "inside QR codes uppercase SHOULD be used". Its example, which encodes a public key. */
const IN_CAPITALS = 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4';

/** For exchanges whose contract has an address of Bitcoin. */
function capitalsChecks(subject: Subject): Check[] {
  const { asset, methods, method: id, addresses, unsafe } = depositsOf(subject);
  const [documented] = addresses;
  if (methods.find(({ exchangeMethodId }) => exchangeMethodId === id)?.network !== 'bitcoin') return [];
  return [
    {
      name: 'an address in capitals is returned in lower case',
      run: () =>
        ContractBench.run(subject, async ({ open, stub }) => {
          for (const route of Object.keys(unsafe)) {
            const answer = subject.contract.calls[route]?.answer;
            if (answer === undefined || typeof answer === 'function') throw new Error(`${route} has no fixed answer`);
            stub.answer({
              [route]: { ...answer, body: answer.body.replaceAll(documented?.address ?? '', IN_CAPITALS) },
            });
          }
          const session = await open();
          const listed = (await session.deposits?.methods(asset)) ?? [];
          const method = listed.find(({ exchangeMethodId }) => exchangeMethodId === id);
          if (method === undefined) throw new Error(`the exchange lists no method ${id}`);
          const found = (await session.deposits?.addresses(method)) ?? [];
          expect(found.map(({ address }) => address)).toContain(IN_CAPITALS.toLowerCase());
        }),
    },
  ];
}

export const accountRules: readonly Rule[] = [
  balances,
  furtherBalances,
  oddBalances,
  keyInfo,
  networks,
  traps,
  unreadableEntries,
  deposits,
];
