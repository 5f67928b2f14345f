import { Amount } from '#money';
import type { HistoryKind, HistoryPage } from '../../port/exchange.port.js';
import { ContractBench } from '../../testing/contract/contract-bench.js';
import { json } from '../../testing/contract/exchange-contract.js';
import { coinbaseContract } from './coinbase-contract.js';
import { coinbase } from './coinbase.js';

const WALLET = '2bbf394c-193b-5b2a-9155-3b4732659ede';
const AT = new Date('2024-11-03T13:50:09Z');
const listed = (...data: object[]) => json({ pagination: { next_uri: null }, data });

/** Reads the history of a wallet in euros that has one transaction. */
async function pageWith(type: string, amount: string, kind: HistoryKind): Promise<HistoryPage | undefined> {
  const transaction = {
    ...{ id: '4117f7d6-5694-5b36-bc8f-847509850ea4', type, status: 'completed', amount: { amount, currency: 'EUR' } },
    ...{ created_at: '2024-11-03T13:50:09Z', native_amount: { amount, currency: 'EUR' }, resource: 'transaction' },
  };
  let page: HistoryPage | undefined;
  await ContractBench.run({ declaration: coinbase, contract: coinbaseContract }, async ({ open, stub }) => {
    stub.answer({
      'GET /v2/accounts': listed({ id: WALLET }),
      [`GET /v2/accounts/${WALLET}/transactions`]: listed(transaction),
    });
    page = await (await open()).history?.page(kind, { since: AT, until: AT }, null);
  });
  return page;
}

describe('the history of an account at Coinbase', () => {
  /** Coinbase's page track-apis/transactions: "Deposit funds into a fiat account from a financial institution" */
  it.each([
    ['fiat_deposit', '114.02', 'deposit'],
    ['fiat_withdrawal', '-114.02', 'withdrawal'],
  ] as const)('contains a %s', async (type, amount, kind) => {
    expect(await pageWith(type, amount, kind)).toMatchObject({
      records: [{ kind, asset: 'EUR', amount: Amount.of('114.02'), status: 'ok', network: null, address: null }],
      unreadable: 0,
    });
  });

  it.each([
    ['a fiat_deposit with a negative amount', 'fiat_deposit', '-114.02'],
    ['a fiat_withdrawal with a positive amount', 'fiat_withdrawal', '114.02'],
  ])('does not contain %s', async (_what, type, amount) => {
    for (const kind of ['deposit', 'withdrawal'] as const)
      expect(await pageWith(type, amount, kind)).toMatchObject({ records: [], unreadable: 0 });
  });
});
