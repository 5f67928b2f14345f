import { Amount } from '#money';
import type { ExchangeSession, ExchangeWithdrawal, HistoryPage } from '../../port/exchange.port.js';
import type { ExchangeOrder } from '../../port/trading.port.js';
import { ContractBench } from '../../testing/contract/contract-bench.js';
import type { Answers, Reply, SampleRecord } from '../../testing/contract/exchange-contract.js';
import { json } from '../../testing/contract/exchange-contract.js';
import { kucoinContract } from './kucoin-contract.js';
import { kucoin } from './kucoin.js';

const ok = (data: unknown): Reply => json({ code: '200000', data });
const { history, withdrawals } = kucoinContract;
if (history === undefined || withdrawals === undefined) throw new Error('the contract has no withdrawals');
const { instruction } = withdrawals;
const AT = new Date('2026-10-01T12:00:00.000Z');

const run = (check: (bench: ContractBench) => Promise<void>): Promise<void> =>
  ContractBench.run({ declaration: kucoin, contract: kucoinContract }, check);

/** Reads through a session while the exchange returns these responses. */
async function read<T>(answers: Answers, by: (session: ExchangeSession) => Promise<T> | undefined): Promise<T> {
  let result: T | undefined;
  await run(async ({ open, stub }) => {
    stub.answer(answers);
    result = await by(await open());
  });
  if (result === undefined) throw new Error('nothing was read');
  return result;
}

describe('the unified account at KuCoin', () => {
  const UNIFIED = 'GET /api/ua/v1/unified/account/balance';
  const MODE = 'GET /api/ua/v1/account/mode';
  const refusal = json({ code: '400100', msg: 'scripted' }, 400);

  it.each<[what: string, answer: Reply, mode: Reply, isAsked: boolean, isRead: boolean]>([
    ['does not exist for a classic account', refusal, ok({ selfAccountMode: 'CLASSIC' }), true, true],
    ['is unread if the account is a unified one', refusal, ok({ selfAccountMode: 'UNIFIED' }), true, false],
    ['is unread if the mode is unknown', refusal, json({}, 500), true, false],
    ['is unread after a rate limit', json({}, 429), ok({ selfAccountMode: 'CLASSIC' }), false, false],
  ])('%s', async (_what, answer, mode, isAsked, isRead) => {
    const subject = { declaration: kucoin, contract: kucoinContract };
    await ContractBench.runManyCalls(subject, async ({ open, stub }) => {
      stub.answer({ [UNIFIED]: answer, [MODE]: mode });
      const accounts = await (await open()).otherAccounts?.([]);
      const { balances, unread } = accounts?.find(({ name }) => name === 'unified') ?? {};
      expect([balances, unread?.length]).toEqual(isRead ? [[], 0] : [null, 1]);
      expect(stub.calls(MODE)).toHaveLength(isAsked ? 1 : 0);
    });
  });
});

describe('a withdrawal at KuCoin with an unknown outcome', () => {
  const record = (rest: Partial<SampleRecord>): SampleRecord => ({
    ...instruction,
    id: 'first',
    at: AT,
    net: instruction.amountNoFee,
    state: 'completed',
    ...rest,
  });
  const find = (records: SampleRecord[]): Promise<ExchangeWithdrawal[]> => {
    const entries = records.map((one) => ({ id: one.id, at: one.at, entry: history.entry('withdrawal', one) }));
    return read(history.listing('withdrawal', entries), async (session) => {
      const prepared = await session.withdrawals?.prepare(instruction);
      if (prepared === undefined) throw new Error('nothing was prepared');
      const { request, clientRef } = prepared;
      const notBefore = new Date(AT.getTime() - 60_000);
      const { asset, network } = instruction;
      const sought = { asset, network, request, clientRef, exchangeId: null, notBefore };
      return session.withdrawals?.find(sought) ?? [];
    });
  };

  it('is found by its remark among withdrawals to the same address', async () => {
    const found = await find([record({ id: 'second', clientRef: 'other' }), record({}), record({ id: 'third' })]);
    expect(found.map(({ exchangeId, isCertain }) => [exchangeId, isCertain])).toEqual([
      ['first', true],
      ['third', true],
    ]);
  });

  it.each([
    ['the address that was sent', {}],
    ['an address that may be another form of the sent address', { address: '33xW37ZSW4tQvg443Pc7NLCAs167Yc2XUV' }],
  ])('possibly matches a record without a remark if the record has %s', async (_what, rest) => {
    const records = await find([record({ clientRef: null, ...rest })]);
    expect(records).toMatchObject([{ exchangeId: 'first', isCertain: false }]);
  });

  it('possibly matches a record with another remark, because KuCoin may have changed our remark', async () => {
    const records = await find([record({ clientRef: 'other' })]);
    expect(records).toMatchObject([{ exchangeId: 'first', isCertain: false, isOnlyAlike: true }]);
  });

  it.each([null, 'other'])('does not match a record with another address and the remark %s', async (clientRef) => {
    expect(await find([record({ clientRef, address: '1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu' })])).toEqual([]);
  });

  it('is searched in the list of its asset', () =>
    run(async ({ open, stub }) => {
      const { withdrawals: capability } = await open();
      const prepared = await capability?.prepare(instruction);
      await capability?.find({
        asset: 'BTC',
        network: 'bitcoin',
        exchangeId: null,
        notBefore: AT,
        request: {},
        clientRef: null,
        ...prepared,
      });
      expect(stub.calls('GET /api/v1/withdrawals').map(({ params }) => params['currency'])).toEqual(['BTC']);
    }));
});

describe('the history of withdrawals at KuCoin', () => {
  /** The documented sample of account-info/withdrawals/get-withdrawal-history. It has no id. */
  const entry = {
    currency: 'USDT',
    chain: '',
    status: 'SUCCESS',
    address: 'a435*****@gmail.com',
    memo: '',
    isInner: true,
    amount: '1.00000000',
    fee: '0.00000000',
    walletTxId: null,
    createdAt: 1728555875000,
    remark: '',
  };
  const page = (rest: object): Promise<HistoryPage> =>
    read(
      {
        'GET /api/v1/withdrawals': ok({
          currentPage: 1,
          pageSize: 50,
          totalNum: 1,
          totalPage: 1,
          items: [{ ...entry, ...rest }],
        }),
      },
      (session) => session.history?.page('withdrawal', { since: AT, until: AT }, null),
    );

  it('contains transfers to other users, which have no id', async () => {
    const { records } = await page({});
    expect(records).toMatchObject([{ exchangeId: 'USDT a435*****@gmail.com 1 1728555875000', network: null }]);
  });

  it('counts an on-chain withdrawal without an id as unreadable, because we follow withdrawals by their id', async () => {
    expect(await page({ isInner: false })).toMatchObject({ records: [], unreadable: 1 });
  });
});

describe('networks of KuCoin', () => {
  const listed = async (chain: object): Promise<string[]> => {
    const { listing, good } = withdrawals.networks;
    const { chains, ...asset } = good as { chains: object[] };
    const answers = listing([{ ...asset, chains: [{ ...chains[0], ...chain }] }]);
    return (await read(answers, (session) => session.withdrawals?.networks())).map(({ id }) => id);
  };

  it('are offered only if their fee is fixed', async () => {
    expect(await listed({})).toEqual(['bitcoin']);
    for (const withdrawFeeRate of ['0.001', null]) expect(await listed({ withdrawFeeRate })).toEqual([]);
  });
});

describe('deposit addresses at KuCoin', () => {
  const METHOD = { asset: 'BTC', network: 'bitcoin', exchangeMethodId: 'btc', tagType: null };
  const method = { ...METHOD, minimum: null, fee: null, limit: null, canGenerateAddress: true };
  const route = 'GET /api/v3/deposit-addresses';

  it('are an empty list before the first one was created', async () => {
    for (const reply of [ok([]), json({ code: '260220', msg: 'deposit.address.not.exists' })]) {
      expect(await read({ [route]: reply }, (session) => session.deposits?.addresses(method))).toEqual([]);
    }
  });

  it('are created for the main account, from which withdrawals are paid', () =>
    run(async ({ open, stub }) => {
      const created = await (await open()).deposits?.create?.(method);
      expect(created).toMatchObject({ address: '33xW37ZSW4tQvg443Pc7NLCAs167Yc2XUV', tag: null });
      const [call] = stub.calls('POST /api/v3/deposit-address/create');
      expect(call?.json).toEqual({ currency: 'BTC', chain: 'btc', to: 'main' });
    }));
});

/** KuCoin's documentation: spot-trading/orders/get-order-by-clientoid */
const ORDER = {
  id: '6717422bd51c29000775ea03',
  clientOid: '5c52e11203aa677f33e493fb',
  symbol: 'BTC-USDT',
  opType: 'DEAL',
  type: 'limit',
  side: 'buy',
  price: '70000',
  size: '0.00001',
  funds: '0.7',
  dealSize: '0.00001',
  dealFunds: '0.677176',
  remainSize: '0',
  remainFunds: '0.022824',
  cancelledSize: '0',
  cancelledFunds: '0',
  fee: '0.000677176',
  feeCurrency: 'USDT',
  stp: null,
  timeInForce: 'GTC',
  cancelExist: false,
  active: false,
  inOrderBook: false,
  tax: '0',
  createdAt: 1729577515444,
  lastUpdatedAt: 1729577515481,
};
const byClientOid = 'GET /api/v1/hf/orders/client-order/{clientOid}';
const sought = { clientOrderId: ORDER.clientOid, request: { symbol: 'BTC-USDT' }, notBefore: new Date() };

describe('an order at KuCoin', () => {
  const found = (rest: object): Promise<ExchangeOrder | null> =>
    read({ [byClientOid]: ok({ ...ORDER, ...rest }) }, (session) => session.trading?.find(sought));

  it('has the mean price and the fee of its executions', async () => {
    const order = await found({});
    expect(order).toMatchObject({ exchangeId: ORDER.id, clientOrderId: ORDER.clientOid });
    expect([order?.averagePrice, order?.cost].map(String)).toEqual(['67717.6', '0.677176']);
    expect(order?.fees).toEqual([{ asset: 'USDT', amount: Amount.of('0.000677176') }]);
    expect(order?.closedAt).toEqual(new Date(1729577515481));
  });

  it.each([
    ['filled', {}],
    ['open', { active: true, dealSize: '0', dealFunds: '0', fee: '0' }],
    ['canceled', { cancelExist: true, dealSize: '0', dealFunds: '0', fee: '0' }],
    ['filled', { cancelExist: true }],
    ['unknown', { dealSize: '0.000005' }],
  ])('has the status %s when the response has %j', async (status, rest) => {
    expect(await found(rest)).toMatchObject({ status });
  });

  /** www.kucoin.com/docs-new/rest/ua/get-order-details: canceled orders can be read for "2 days", filled ones for 7. */
  it('is absent only if KuCoin reports no such order and it was sent less than two days ago', async () => {
    await run(async ({ open }) => {
      const { trading } = await open();
      expect(await trading?.find(sought)).toBeNull();
      const before = new Date(Date.now() - 2 * 86_400_000);
      await expect(trading?.find({ ...sought, notBefore: before })).rejects.toMatchObject({ kind: 'unavailable' });
    });
    const nothing = { [byClientOid]: ok(null) };
    await expect(read(nothing, (session) => session.trading?.find(sought))).rejects.toMatchObject({
      kind: 'unavailable',
    });
  });

  it('is absent if KuCoin reports so by its other code', async () => {
    const answers = { [byClientOid]: json({ code: '102436', msg: 'Order does not exist' }) };
    const order = await read(answers, async ({ trading }) => ({ found: await trading?.find(sought) }));
    expect(order).toEqual({ found: null });
  });

  it('stays unknown if KuCoin has an order with our id, which an earlier copy of the request may have placed', () =>
    run(async ({ open, stub }) => {
      const { trading } = await open();
      const { instruction: order, route } = kucoinContract.orders ?? {};
      if (trading === undefined || order === undefined || route === undefined) throw new Error('no orders');
      stub.answer({ [route]: json({ code: '102426', msg: 'Duplicate clientOid' }) });
      const prepared = trading.prepare({ ...order, clientOrderId: ORDER.clientOid, submissionDeadline: AT });
      const outcome = await trading.place(prepared, { beforeSend: () => undefined });
      expect(outcome).toMatchObject({ kind: 'unknown' });
    }));

  it('is unusable when it has another client order id', async () => {
    await expect(found({ clientOid: 'other' })).rejects.toMatchObject({ kind: 'unavailable' });
  });
});

/** docs.kucoin.com, "api-permission". The call that describes a key names the permission "Transfer". */
it('the permission to withdraw is named as on KuCoin’s web site, with the setting that it requires', () => {
  const { deposit, withdrawal } = kucoin.spec.keyGuide?.permissions ?? {};
  expect(withdrawal).toEqual(['IP Restriction', 'Withdrawal']);
  expect(deposit).toEqual(['General', 'IP Restriction', 'Withdrawal']);
});

describe('a page of KuCoin’s history', () => {
  const page = { currentPage: 1, pageSize: 500, totalNum: 0, totalPage: 0 };
  const since = new Date(AT.getTime() - 60_000);

  it('is empty when its list is empty or null, and unreadable without a list', async () => {
    const route = 'GET /api/v1/withdrawals';
    for (const items of [[], null]) {
      const listed = await read({ [route]: ok({ ...page, items }) }, (session) => session.withdrawals?.list(since));
      expect(listed).toEqual({ records: [], isComplete: true });
    }
    await expect(read({ [route]: ok(page) }, (session) => session.withdrawals?.list(since))).rejects.toMatchObject({
      kind: 'unavailable',
      reason: 'unusable_answer',
    });
  });
});
