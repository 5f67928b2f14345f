import { Amount } from '#money';
import type { ExchangeWithdrawal, HistoryKind, HistoryPage } from '../../port/exchange.port.js';
import { ContractBench } from '../../testing/contract/contract-bench.js';
import { json } from '../../testing/contract/exchange-contract.js';
import { coinbaseContract } from './coinbase-contract.js';
import { coinbase } from './coinbase.js';

const WALLET = '2bbf394c-193b-5b2a-9155-3b4732659ede';
const AT = new Date('2024-11-03T13:50:09Z');
const listed = (...data: object[]) => json({ pagination: { next_uri: null }, data });

/** Reads the history of a wallet in euros that has one transaction. */
async function pageWith(
  type: string,
  amount: string,
  kind: HistoryKind,
  period = { since: AT, until: AT },
): Promise<HistoryPage | undefined> {
  const transaction = {
    id: '4117f7d6-5694-5b36-bc8f-847509850ea4',
    type,
    status: 'completed',
    amount: { amount, currency: 'EUR' },
    created_at: '2024-11-03T13:50:09Z',
    native_amount: { amount, currency: 'EUR' },
    resource: 'transaction',
  };
  let page: HistoryPage | undefined;
  await ContractBench.run({ declaration: coinbase, contract: coinbaseContract }, async ({ open, stub }) => {
    stub.answer({
      'GET /v2/accounts': listed({ id: WALLET }),
      [`GET /v2/accounts/${WALLET}/transactions`]: listed(transaction),
    });
    page = await (await open()).history?.page(kind, period, null);
  });
  return page;
}

describe('the history of an account at Coinbase', () => {
  /**
   * Coinbase's page track-apis/transactions: "Deposit funds into a fiat account from a financial institution". A send
   * with a positive amount is received from another user.
   */
  it.each([
    ['fiat_deposit', '114.02', 'deposit'],
    ['receive', '114.02', 'deposit'],
    ['send', '114.02', 'deposit'],
    ['fiat_withdrawal', '-114.02', 'withdrawal'],
    ['send', '-114.02', 'withdrawal'],
  ] as const)('contains a %s of %s EUR', async (type, amount, kind) => {
    expect(await pageWith(type, amount, kind)).toMatchObject({
      records: [{ kind, asset: 'EUR', amount: Amount.of('114.02'), status: 'ok', network: null, address: null }],
      unreadable: 0,
    });
  });

  // In the samples of Coinbase's page track-apis/transactions, times have no fraction of a second.
  it.each([
    ['contains a transaction of the second in which the period begins', 999, 1],
    ['does not contain a transaction of the second before', 1_000, 0],
  ])('%s', async (_what, laterByMs, count) => {
    const since = new Date(AT.getTime() + laterByMs);
    const page = await pageWith('send', '-114.02', 'withdrawal', { since, until: new Date(since.getTime() + 1_000) });
    expect(page?.records).toHaveLength(count);
  });

  it.each([
    ['a fiat_deposit with a negative amount', 'fiat_deposit', '-114.02'],
    ['a fiat_withdrawal with a positive amount', 'fiat_withdrawal', '114.02'],
  ])('does not contain %s', async (_what, type, amount) => {
    for (const kind of ['deposit', 'withdrawal'] as const)
      expect(await pageWith(type, amount, kind)).toMatchObject({ records: [], unreadable: 0 });
  });
});

function contractOfSends() {
  const { withdrawals, history } = coinbaseContract;
  if (withdrawals === undefined || history === undefined) throw new Error('the contract has no withdrawals');
  return { instruction: withdrawals.instruction, history };
}

describe('the search for a send from Coinbase with an unknown outcome', () => {
  const { instruction, history } = contractOfSends();
  const OURS = '0192f1c0-a1b2-4c3d-8e4f-5a6b7c8d9e0f';
  const OTHER = 'da0a2f14-a2af-4c5a-a37e-d4484caf582b';

  /** Searches a history that has one send of the same amount to the same address for each `idem`. */
  async function find(idems: readonly string[], rest: { net?: Amount } = {}): Promise<ExchangeWithdrawal[]> {
    const entries = idems.map((idem) => {
      const record = { ...instruction, id: idem, at: AT, net: instruction.amountNoFee, state: 'completed' as const };
      const entry = history.entry('withdrawal', { ...record, ...rest }) as object;
      return { id: idem, at: AT, entry: { ...entry, idem } };
    });
    let found: ExchangeWithdrawal[] = [];
    await ContractBench.run({ declaration: coinbase, contract: coinbaseContract }, async ({ open, stub }) => {
      stub.answer(history.listing('withdrawal', entries));
      const { withdrawals } = await open();
      if (withdrawals === undefined) throw new Error('no withdrawals');
      const { request, clientRef } = await withdrawals.prepare(instruction);
      const { asset, network } = instruction;
      found = await withdrawals.find({ asset, network, request, clientRef, exchangeId: null, notBefore: AT });
    });
    return found;
  }

  // ccxt (js/src/coinbase.js) quotes a send by an application whose `idem` is a UUID with `send` appended.
  it.each([OURS, `${OURS}send`])('finds the send with certainty by our idem %s', async (idem) => {
    const found = await find([OTHER, `${OTHER}send`, idem]);
    expect(found.map(({ exchangeId, isCertain }) => [exchangeId, isCertain])).toEqual([[idem, true]]);
  });

  it.each([OTHER, `${OTHER}send`, 'another-form-of-our-idem'])(
    'finds only a possible match for the other idem %s with the same address and amount',
    async (idem) => {
      expect(await find([idem])).toMatchObject([{ exchangeId: idem, isCertain: false, isOnlyAlike: true }]);
    },
  );

  it('does not find a send of another amount with another idem', async () => {
    expect(await find([OTHER], { net: instruction.amountNoFee.times(Amount.of('2')) })).toEqual([]);
  });
});
