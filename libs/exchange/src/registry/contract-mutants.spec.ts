import { Amount } from '#money';
import type { Secret } from '#platform/crypto';
import { declareExchange } from '../client/declared-connector.js';
import { bybit } from '../exchanges/bybit/bybit.js';
import { bybitContract } from '../exchanges/bybit/bybit-contract.js';
import { gate } from '../exchanges/gate/gate.js';
import { gateContract } from '../exchanges/gate/gate-contract.js';
import { kraken } from '../exchanges/kraken/kraken.js';
import { krakenContract } from '../exchanges/kraken/kraken-contract.js';
import { sandbox } from '../exchanges/sandbox/sandbox.js';
import { sandboxContract } from '../exchanges/sandbox/sandbox-contract.js';
import type { DepositMethod, ReceivingAddress } from '../port/deposit.port.js';
import type { AssetBalance, ExchangeCredentials, OtherAccount } from '../port/exchange.port.js';
import { connectorMutants, type ConnectorMutant } from '../testing/contract/mutants.js';
import { inSession, inTrading, inWithdrawals, over, verdictOf, type Mutation } from '../testing/contract/mutations.js';
import { rules } from '../testing/contract/index.js';
import { checksOf } from '../testing/contract/rule.js';

const subjects = {
  gate: { declaration: gate, contract: gateContract },
  kraken: { declaration: kraken, contract: krakenContract },
  bybit: { declaration: bybit, contract: bybitContract },
  sandbox: { declaration: sandbox, contract: sandboxContract },
};
const { usesNonces: _, ...krakenNoNonces } = kraken;
/** Of the two credentials in Kraken's contract, the one with another API key. */
function otherCredentials(key: Secret): ExchangeCredentials {
  const [first, second] = krakenContract.credentials;
  return first.apiKey.reveal() === key.reveal() ? second : first;
}

const same = (id: string): string => id;
const least = (one: Amount, other: Amount): Amount => (one.lessThan(other) ? one : other);

/** Changes each account on which no withdrawal rests. */
function inOtherAccounts(change: (account: OtherAccount) => Partial<OtherAccount>): Mutation {
  return inSession((session) => ({
    otherAccounts: async (own) =>
      ((await session.otherAccounts?.(own)) ?? []).map((account) => ({ ...account, ...change(account) })),
  }));
}

/** The sums of a balance with what its sub-accounts have. */
function withSubAccounts({ free, total, elsewhere = [] }: AssetBalance): Partial<AssetBalance> {
  const more = Amount.sum(elsewhere.filter(({ kind }) => kind === 'sub_account').map(({ amount }) => amount));
  return { free: free.plus(more), total: total.plus(more) };
}

const mutants: ConnectorMutant[] = [
  ...connectorMutants((errors) => declareExchange({ ...kraken, errors })),
  {
    name: 'swaps the credentials of two sessions',
    of: 'kraken',
    caughtBy: 'EX-23',
    mutate: (declaration) => ({
      ...declaration,
      load: (url, context) => {
        const connector = declaration.load(url, context);
        return { open: ({ apiKey }, id) => connector.open(otherCredentials(apiKey), id) };
      },
    }),
  },
  {
    name: 'declares no nonces although they have to rise',
    of: 'kraken',
    caughtBy: 'EX-44',
    mutate: () => declareExchange(krakenNoNonces),
  },
  {
    name: 'takes the ids of assets in pairs for their names',
    of: 'kraken',
    caughtBy: 'EX-70',
    mutate: ({ pairs, ...rest }) => ({ ...rest, ...(pairs !== undefined && { pairs: { ...pairs, codeOf: same } }) }),
  },
  {
    name: 'takes the ids of assets in prices for their names',
    of: 'kraken',
    caughtBy: 'EX-71',
    mutate: ({ tickers, ...rest }) => ({
      ...rest,
      ...(tickers !== undefined && { tickers: { ...tickers, codeOf: same } }),
    }),
  },
  {
    name: 'has another host',
    of: 'kraken',
    caughtBy: 'EX-72',
    mutate: (declaration) => ({ ...declaration, liveUrl: 'https://api.example.com' }),
  },
  {
    name: 'shows no debts',
    of: 'bybit',
    caughtBy: 'EX-73',
    mutate: inSession((session) => ({
      balances: async () => (await session.balances()).map(({ elsewhere: _debts, ...balance }) => balance),
    })),
  },
  {
    name: 'knows no least withdrawal',
    of: 'bybit',
    caughtBy: 'EX-74',
    mutate: inWithdrawals((withdrawals) => ({
      networks: async (asset) =>
        (await withdrawals.networks(asset)).map((network) => ({ ...network, minWithdrawal: null })),
    })),
  },
  {
    name: 'judges every order that it does not find as not executed',
    of: 'bybit',
    caughtBy: 'EX-75',
    mutate: inTrading(() => ({ judgeMissing: () => Promise.resolve('not_executed') })),
  },
  {
    name: 'reads only the first two pages of a list',
    of: 'gate',
    caughtBy: 'EX-76',
    mutate: inOtherAccounts((account) => ({
      balances: account.balances?.map((one) => ({ ...one, total: least(one.total, Amount.of('200')) })) ?? null,
    })),
  },
  {
    name: 'requests a new deposit address again after a failure',
    of: 'sandbox',
    caughtBy: 'EX-77',
    mutate: inSession(({ deposits }) => {
      const create = async (method: DepositMethod): Promise<ReceivingAddress> => {
        if (deposits?.create === undefined) throw new Error('no addresses can be created');
        return deposits.create(method);
      };
      const twice = (method: DepositMethod) => create(method).catch(() => create(method));
      return deposits === undefined ? {} : { deposits: over(deposits, () => ({ create: twice })) };
    }),
  },
  {
    name: 'counts what a sub-account has as money of the main account',
    of: 'gate',
    caughtBy: 'EX-78',
    mutate: inOtherAccounts((account) => ({
      balances: account.balances?.map((one) => ({ ...one, ...withSubAccounts(one) })) ?? null,
    })),
  },
  {
    name: 'shows sub-accounts without their names',
    of: 'gate',
    caughtBy: 'EX-78',
    mutate: inOtherAccounts((account) => ({
      balances:
        account.balances?.map(({ elsewhere = [], ...one }) => ({
          ...one,
          elsewhere: elsewhere.map((each) => ({ ...each, account: account.name })),
        })) ?? null,
    })),
  },
  {
    name: 'names no sub-account that it does not read',
    of: 'bybit',
    caughtBy: 'EX-78',
    mutate: inOtherAccounts(({ name, unread }) => ({ unread: name === 'sub-accounts' ? [] : unread })),
  },
  {
    name: 'leaves out the wallet when a key cannot list sub-accounts',
    of: 'bybit',
    caughtBy: 'EX-78',
    mutate: inSession((session) => ({
      balances: async () => {
        const balances = await session.balances();
        const others = (await session.otherAccounts?.(balances)) ?? [];
        return others.some(({ name, balances: read }) => name === 'sub-accounts' && read === null) ? [] : balances;
      },
    })),
  },
  {
    name: 'reads only the first entry of a list of balances',
    of: 'bybit',
    caughtBy: 'EX-79',
    mutate: inSession((session) => ({ balances: async () => (await session.balances()).slice(0, 1) })),
  },
  {
    name: 'reads only the first address of a list of addresses that may use a key',
    of: 'bybit',
    caughtBy: 'EX-80',
    mutate: inSession((session) => ({
      keyInfo: async () => {
        const { ipAllowlist, ...facts } = await session.keyInfo();
        return { ...facts, ipAllowlist: ipAllowlist.slice(0, 1) };
      },
    })),
  },
];

/** The contract suite passes with the real connectors (`<id>-contract.spec.ts`), and must fail with each mutant. */
describe('the contract suite', () => {
  it.each(mutants.map((mutant) => [mutant.caughtBy, mutant.of, mutant.name, mutant] as const))(
    'detects with %s a connector of %s that %s',
    async (id, of, _name, { mutate }) => {
      const rule = rules.find((each) => each.id === id);
      const { declaration, contract } = subjects[of];
      expect(await verdictOf(rule?.checks({ declaration: mutate(declaration), contract }) ?? [])).toBe('found');
    },
  );

  it('fails a rule that the contract has no data for', async () => {
    const contract = { ...krakenContract, refusals: [], unlisted: [] };
    const empty = rules.filter(({ id }) => ['EX-04', 'EX-10', 'EX-11', 'EX-14'].includes(id));
    for (const rule of empty) {
      const [check, ...more] = checksOf(rule, { declaration: kraken, contract });
      expect(more).toEqual([]);
      await expect(check?.run()).rejects.toThrow(`${rule.id} cannot be checked`);
    }
  });
});
