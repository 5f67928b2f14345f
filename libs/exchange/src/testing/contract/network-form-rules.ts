import { Amount } from '#money';
import type { DepositMethod } from '../../port/deposit.port.js';
import type { ExchangeSession, WithdrawalNetwork } from '../../port/exchange.port.js';
import { ContractBench } from './contract-bench.js';
import type { Subject } from './contract-subjects.js';
import { documentedNetworks, type DocumentedNetwork } from './documented-networks.js';
import type { WithdrawalsContract } from './exchange-contract.js';
import { nameOf } from './field-rules.js';
import type { Check, Rule } from './rule.js';
import { withFields, type Fields } from './with-fields.js';

const factsOf = ({ displayName, exchangeNetworkId, decimals, ...amounts }: WithdrawalNetwork) => ({
  displayName,
  exchangeNetworkId,
  decimals,
  minWithdrawal: amounts.minWithdrawal?.toString() ?? null,
  maxWithdrawal: amounts.maxWithdrawal?.toString() ?? null,
  fee: amounts.fee?.toString() ?? null,
});

const minimumOf = ({ minimum }: DepositMethod): string | null => minimum?.toString() ?? null;

/** Runs a check with a list of only the entry `good`, in which `fields` have new values. */
const withEntry = (
  subject: Subject,
  { networks }: WithdrawalsContract,
  fields: readonly Fields[],
  check: (session: ExchangeSession) => Promise<void>,
): Promise<void> =>
  ContractBench.run(subject, async ({ open, stub }) => {
    stub.answer(networks.listing([fields.reduce(withFields, networks.good)]));
    await check(await open());
  });

function networkChecks(subject: Subject, withdrawals: WithdrawalsContract, documented: DocumentedNetwork): Check[] {
  const { fields, expected, changes, deposits } = documented;
  const facts = async (session: ExchangeSession) => ((await session.withdrawals?.networks()) ?? []).map(factsOf);
  const named = ({ exchangeNetworkId }: { exchangeNetworkId: string }): boolean =>
    exchangeNetworkId === expected.exchangeNetworkId;
  const minimums = async (session: ExchangeSession) => {
    const asset = (await session.withdrawals?.networks())?.find(named)?.asset ?? '';
    const methods = (await session.deposits?.methods(asset)) ?? [];
    return methods.filter(({ exchangeMethodId }) => exchangeMethodId === expected.exchangeNetworkId).map(minimumOf);
  };
  return [
    {
      name: 'a documented network',
      run: () =>
        withEntry(subject, withdrawals, [fields], async (session) =>
          expect((await facts(session)).find(named)).toEqual(expected),
        ),
    },
    ...changes.map(([change, becomes]) => ({
      name: `a documented network with ${JSON.stringify(change)}`,
      run: () =>
        withEntry(subject, withdrawals, [fields, change], async (session) =>
          expect((await facts(session)).filter(named)).toEqual(becomes === null ? [] : [{ ...expected, ...becomes }]),
        ),
    })),
    ...(deposits === undefined
      ? []
      : [
          {
            name: 'the least deposit on a documented network',
            run: () =>
              withEntry(subject, withdrawals, [fields], async (session) =>
                expect(await minimums(session)).toEqual([deposits.minimum]),
              ),
          },
          {
            name: `no deposits on a documented network with ${JSON.stringify(deposits.closedBy)}`,
            run: () =>
              withEntry(subject, withdrawals, [fields, deposits.closedBy], async (session) =>
                expect(await minimums(session)).toEqual([]),
              ),
          },
        ]),
  ];
}

function tagChecks(subject: Subject, { tagged }: WithdrawalsContract): Check[] {
  if (tagged === null) throw new Error('the contract has no tagged withdrawal');
  const { asset, network: id, address, tag, amountNoFee } = tagged;
  const requires = async (session: ExchangeSession, sent: string | null): Promise<boolean> => {
    const network = (await session.withdrawals?.networks(asset))?.find((one) => one.id === id);
    if (network === undefined) throw new Error('the network of the tagged withdrawal is not offered');
    const quoted = { asset, network, address, tag: sent, amount: amountNoFee.plus(Amount.of('5')), includeFee: false };
    const estimate = await session.withdrawals?.estimate(quoted);
    return estimate?.requirements.some(({ type }) => type === 'tag') === true;
  };
  return [
    {
      name: 'a network that needs a tag requires it, and no other one',
      run: () =>
        ContractBench.run(subject, async ({ open }) => {
          const session = await open();
          expect([await requires(session, null), await requires(session, tag)]).toEqual([true, false]);
        }),
    },
  ];
}

const networkFields: Rule = {
  id: 'EX-74',
  title: 'each field of a documented network is read as the documentation describes it',
  needs: ['withdrawals'],
  checks: (subject) => {
    const { withdrawals } = subject.contract;
    const documented = documentedNetworks[nameOf(subject)];
    if (withdrawals === undefined || documented === undefined)
      throw new Error(`documented-networks.ts has no ${nameOf(subject)}`);
    return [
      ...networkChecks(subject, withdrawals, documented),
      ...(documented.needsTag ? tagChecks(subject, withdrawals) : []),
    ];
  },
};

export const networkFormRules: readonly Rule[] = [networkFields];
