import { Amount } from '#money';
import type { ExchangeSession, HistoryKind } from '../../port/exchange.port.js';
import type { ExchangeOrder, OrderInstruction } from '../../port/trading.port.js';
import { ContractBench } from '../../testing/contract/contract-bench.js';
import { json, type Answers, type Reply } from '../../testing/contract/exchange-contract.js';
import { OrderTooOld } from '../../transport/failed-read.js';
import { bitgetContract } from './bitget-contract.js';
import { bitget } from './bitget.js';

const RECORDS = 'GET /api/v2/spot/wallet/withdrawal-records';
const ADDRESS = 'GET /api/v2/spot/wallet/deposit-address';
const ORDER_INFO = 'GET /api/v2/spot/trade/orderInfo';
const ENDED_ORDERS = 'GET /api/v2/spot/trade/history-orders';
const DAY_MS = 86_400_000;

const ok = (data: unknown): Reply => json({ code: '00000', msg: 'success', requestTime: 1695808949356, data });

/** Reads through a session while the exchange returns these responses. */
async function read<T>(
  answers: Answers,
  by: (session: ExchangeSession, bench: ContractBench) => Promise<T> | undefined,
): Promise<T> {
  let result: { value: T } | undefined;
  await ContractBench.run({ declaration: bitget, contract: bitgetContract }, async (bench) => {
    bench.stub.answer(answers);
    const value = await by(await bench.open(), bench);
    if (value !== undefined) result = { value };
  });
  if (result === undefined) throw new Error('nothing was read');
  return result.value;
}

/** Bitget's documentation: spot/account/Get-Withdraw-Record */
const RECORD = {
  orderId: '1',
  tradeId: 'aa',
  coin: 'USDT',
  dest: 'on_chain',
  clientOid: '123',
  type: 'withdraw',
  tag: '',
  size: '10.00000000',
  fee: '-1.00000000',
  status: 'success',
  toAddress: '1',
  chain: 'erc20',
  confirm: '100',
  cTime: '1653290769222',
  uTime: '1653290769222',
};
const AT = new Date(1653290769222);

describe('the history of Bitget', () => {
  const record = (rest: object, kind: HistoryKind = 'withdrawal') =>
    read({ [`GET /api/v2/spot/wallet/${kind}-records`]: ok([{ ...RECORD, ...rest }]) }, async ({ history }) => {
      const page = await history?.page(kind, { since: AT, until: AT }, null);
      return page?.records[0];
    });

  it('states a fee only if it is zero or is documented as not contained in the amount', async () => {
    expect(await record({})).toMatchObject({ network: 'ethereum', amount: Amount.of('10'), fee: null, feeAsset: null });
    expect(await record({ fee: '0' })).toMatchObject({ fee: Amount.zero, feeAsset: 'USDT' });
    expect(await record({ coin: 'BTC', chain: 'LIGHTNING' })).toMatchObject({ fee: Amount.of('1'), feeAsset: 'BTC' });
  });

  it('knows the ends of withdrawals that only the API v1 documented', async () => {
    expect(await record({ status: 'cancel' })).toMatchObject({ status: 'canceled' });
    expect(await record({ status: 'reject' })).toMatchObject({ status: 'failed' });
    expect(await record({ status: 'wallet_processing' })).toMatchObject({ status: 'pending' });
  });

  /** Bitget's pages Get-Withdraw-Record and Get-Deposit-Record name different values of `dest`. */
  it.each([
    ['withdrawal', 'internal_transfer'],
    ['deposit', 'internal'],
  ] as const)(
    'has no chain, address or hash for a %s with the dest "%s", which is within Bitget',
    async (kind, dest) => {
      const internal = { dest, toAddress: 'somebody@example.org' };
      expect(await record(internal, kind)).toMatchObject({
        network: null,
        exchangeNetwork: null,
        address: null,
        hash: null,
      });
      expect(await record({}, kind)).toMatchObject({ network: 'ethereum', address: '1', hash: 'aa' });
    },
  );

  /** Bitget's page Get-Withdraw-Record, about `tradeId`: "when dest is on_chain, it's the on chain hash" */
  it('has the address and no hash for a withdrawal to an address of another user of Bitget', async () => {
    const inner = { dest: 'inner_address_transfer' };
    expect(await record(inner)).toMatchObject({ network: 'ethereum', address: '1', hash: null });
  });

  it('ends where Bitget keeps no older data, and fails for other refusals', async () => {
    const page = (code: string) =>
      read({ [RECORDS]: json({ code, msg: 'a text', data: null }, 400) }, ({ history }) =>
        history?.page('withdrawal', { since: AT, until: AT }, null),
      );
    expect(await page('40704')).toMatchObject({ records: [], nextCursor: null });
    await expect(page('40705')).rejects.toMatchObject({ kind: 'unavailable', reason: 'unlisted_error' });
  });
});

describe('the search for a withdrawal at Bitget', () => {
  it.each([
    ['ends 90 days after the withdrawal', 100 * DAY_MS, 90 * DAY_MS - 1000],
    ['never ends in the future, which Bitget refuses', 60_000, 60_000],
  ])('%s', (_name, ageMs, lengthMs) =>
    read({}, async ({ withdrawals }, { stub }) => {
      const notBefore = new Date(Date.now() - ageMs);
      const sought = {
        asset: 'BTC',
        network: 'lightning',
        request: {},
        clientRef: 'ab12',
        exchangeId: null,
        notBefore,
      };
      expect(await withdrawals?.find(sought)).toEqual([]);
      const [{ params } = { params: {} }] = stub.calls(RECORDS);
      expect(params).toMatchObject({ clientOid: 'ab12', startTime: String(notBefore.getTime()) });
      const end = Number((params as Record<string, string>)['endTime']);
      expect(end - notBefore.getTime()).toBeGreaterThanOrEqual(lengthMs);
      expect(end - notBefore.getTime()).toBeLessThan(lengthMs + 10_000);
      return true;
    }),
  );
});

describe('a withdrawal at Bitget', () => {
  it('requires that the address is in the address book', () =>
    read({}, async ({ withdrawals }) => {
      const [network] = (await withdrawals?.networks('BTC')) ?? [];
      if (network === undefined) throw new Error('not offered');
      const amount = Amount.of('0.0025');
      const quoted = { asset: 'BTC', network, address: 'lnbc1', tag: null, amount, includeFee: false };
      const estimate = await withdrawals?.estimate(quoted);
      expect(estimate?.requirements.map(({ type }) => type)).toEqual(['address_allowlist']);
      return true;
    }));

  it('over Lightning is refused when the fee has fallen since the quote, because the invoice states what arrives', () =>
    read({}, async ({ withdrawals }) => {
      const [network] = (await withdrawals?.networks('BTC')) ?? [];
      const listed = network?.fee ?? null;
      if (listed === null) throw new Error('no fixed fee');
      const amountNoFee = Amount.of('0.0025');
      const prepare = (fee: Amount) =>
        withdrawals?.prepare({
          asset: 'BTC',
          network: 'lightning',
          address: 'lnbc1',
          tag: null,
          clientRef: 'ab12',
          amountNoFee,
          fee,
          amountWithFee: amountNoFee.plus(fee),
        });
      await expect(prepare(listed.plus(listed))).rejects.toMatchObject({ kind: 'refused', reason: 'fee_changed' });
      await expect(prepare(listed)).resolves.toBeDefined();
      return true;
    }));

  it('is offered only where Bitget charges no share of the amount as an extra fee', async () => {
    const networks = (extraWithdrawFee: string) => {
      const { listing, good } = bitgetContract.withdrawals?.networks ?? {};
      const { chains, ...coin } = good as { chains: object[] };
      const answers = listing?.([{ ...coin, chains: [{ ...chains[0], extraWithdrawFee }] }]) ?? {};
      return read(answers, (session) => session.withdrawals?.networks());
    };
    expect(await networks('0')).toHaveLength(1);
    expect(await networks('0.1')).toEqual([]);
  });
});

describe('deposits at Bitget', () => {
  it('are offered for BTC although the list has a wrong contract, but not for a wrapped coin', async () => {
    const methods = await read({}, async ({ deposits }) => [
      ...((await deposits?.methods('BTC')) ?? []),
      ...((await deposits?.methods('USDT')) ?? []),
    ]);
    expect(methods.map(({ exchangeMethodId }) => exchangeMethodId)).toEqual(['BTC', 'LIGHTNING', 'ERC20']);
  });

  it('get no address that Bitget lists under another chain', async () => {
    const method = {
      asset: 'USDT',
      network: 'ethereum',
      exchangeMethodId: 'ERC20',
      tagType: null,
      minimum: null,
      fee: null,
      limit: null,
      canGenerateAddress: false,
    };
    const address = '0x551e823a3b36865e8c5dc6e6ac6cc0b00d98533e';
    const addresses = (chain: string) =>
      read({ [ADDRESS]: ok({ address, chain, coin: 'USDT', tag: '' }) }, ({ deposits }) => deposits?.addresses(method));
    expect(await addresses('erc20')).toMatchObject([{ address }]);
    expect(await addresses('bep20')).toEqual([]);
  });
});

/** Bitget's documentation: spot/trade/Get-Order-Info */
const ORDER = {
  userId: '**********',
  symbol: 'BTCUSDT',
  orderId: '1001',
  clientOid: 'ours',
  price: '0',
  orderType: 'limit',
  // In the sample, the size of the market order is its cost (10 USDT).
  size: '0.0007000000000000',
  side: 'buy',
  status: 'filled',
  priceAvg: '13000.0000000000000000',
  baseVolume: '0.0007000000000000',
  quoteVolume: '9.1000000000000000',
  enterPointSource: 'API',
  feeDetail:
    '{"BGB":{"deduction":true,"feeCoinCode":"BGB","totalDeductionFee":-0.0041,"totalFee":-0.0041},' +
    '"newFees":{"c":0,"d":0,"deduction":false,"r":-0.112079256,"t":-0.112079256,"totalDeductionFee":0}}',
  orderSource: 'normal',
  cancelReason: '',
  cTime: '1695865232127',
  uTime: '1695865233051',
};

describe('an order at Bitget', () => {
  const find = (data: unknown): Promise<ExchangeOrder | null> =>
    read({ [ORDER_INFO]: ok(data) }, ({ trading }) =>
      trading?.find({ clientOrderId: 'ours', request: { symbol: 'BTCUSDT' }, notBefore: new Date() }),
    );

  it('has the volumes and the fee of its executions', async () => {
    expect(await find([ORDER])).toMatchObject({
      exchangeId: '1001',
      clientOrderId: 'ours',
      status: 'filled',
      averagePrice: Amount.of('13000'),
      executedVolume: Amount.of('0.0007'),
      cost: Amount.of('9.1'),
      fees: [{ asset: 'BGB', amount: Amount.of('0.0041') }],
      openedAt: new Date(1695865232127),
      closedAt: new Date(1695865233051),
    });
  });

  it('has all digits of a fee in the quote asset, and a fee of zero while nothing is executed', async () => {
    const fee =
      '"USDT":{"deduction":false,"feeCoinCode":"USDT","totalDeductionFee":0,"totalFee":-0.00646998860000000012}';
    const order = await find([{ ...ORDER, feeDetail: `{"newFees":{"t":-0.0064},${fee}}` }]);
    expect(order?.fees).toEqual([{ asset: 'USDT', amount: Amount.of('0.00646998860000000012') }]);
    expect(await find([{ ...ORDER, feeDetail: '' }])).toMatchObject({ fees: null });
    const unstated = fee.replace('-0.00646998860000000012', '""');
    expect(await find([{ ...ORDER, feeDetail: `{${unstated}}` }])).toMatchObject({ fees: null });
    const open = { ...ORDER, status: 'live', baseVolume: '0', quoteVolume: '0', priceAvg: '0', feeDetail: '' };
    expect(await find([open])).toMatchObject({ status: 'open', fees: [], closedAt: null });
  });

  it.each([
    ['live', 'open'],
    ['partially_filled', 'open'],
    ['filled', 'filled'],
    ['cancelled', 'canceled'],
    ['never seen', 'unknown'],
  ])('with the status %s is %s', async (status, expected) =>
    expect(await find([{ ...ORDER, ...(expected === 'open' && { size: '0.0014' }), status }])).toMatchObject({
      status: expected,
      rawStatus: status,
    }),
  );

  it('is absent when Bitget returns no order, and unusable when the returned order has another id', async () => {
    expect(await find([])).toBeNull();
    const found = read({}, ({ trading }) =>
      trading?.find({ clientOrderId: 'ours', request: { symbol: 'BTCUSDT' }, notBefore: new Date() }),
    );
    expect(await found).toBeNull();
    await expect(find([{ ...ORDER, clientOid: 'other' }])).rejects.toMatchObject({ kind: 'unavailable' });
  });

  /** Bitget's page Get-Order-Info: an order is found "through clientOid" only if "the order is in unfilled status". */
  it.each([
    ['reports no order', json({ code: '43001', msg: 'The order does not exist', requestTime: 1, data: null }, 400)],
    ['reports so by its other code', json({ code: '40768', msg: 'Order does not exist', requestTime: 1 }, 400)],
    ['returns an empty list', ok([])],
  ])('is found among the ended orders, on any of their pages, when Bitget %s for our id', async (_what, nothing) => {
    const others = Array.from({ length: 100 }, (_, number) => ({
      ...ORDER,
      orderId: `${2000 - number}`,
      clientOid: '',
    }));
    const pages = (call: { params: Readonly<Record<string, string>> }): Reply =>
      ok(call.params['idLessThan'] === '1901' ? [ORDER] : others);
    const notBefore = new Date(Date.now() - 60_000);
    const order = await read({ [ORDER_INFO]: nothing, [ENDED_ORDERS]: pages }, async ({ trading }, { stub }) => {
      const found = await trading?.find({ clientOrderId: 'ours', request: { symbol: 'BTCUSDT' }, notBefore });
      const [{ params } = { params: {} }] = stub.calls(ENDED_ORDERS);
      expect(params).toMatchObject({ symbol: 'BTCUSDT', startTime: String(notBefore.getTime()), limit: '100' });
      return found;
    });
    expect(order).toMatchObject({ exchangeId: '1001', status: 'filled', executedVolume: Amount.of('0.0007') });
  });

  it('is read by its id among the ended orders when Bitget returns no details for this id', async () => {
    const request = { symbol: 'BTCUSDT', clientOid: 'ours' };
    const order = await read({ [ORDER_INFO]: ok([]), [ENDED_ORDERS]: ok([ORDER]) }, ({ trading }) =>
      trading?.read({ exchangeId: '1001', request, notBefore: new Date(Date.now() - 60_000) }),
    );
    expect(order).toMatchObject({ exchangeId: '1001', status: 'filled' });
  });

  it('is not proven to be absent after 90 days, for which Bitget keeps ended orders', async () => {
    const find = (ageMs: number) =>
      read({}, ({ trading }) =>
        trading?.find({
          clientOrderId: 'ours',
          request: { symbol: 'BTCUSDT' },
          notBefore: new Date(Date.now() - ageMs),
        }),
      );
    expect(await find(89 * DAY_MS)).toBeNull();
    await expect(find(90 * DAY_MS)).rejects.toMatchObject({ kind: 'unavailable' });
  });

  /** Bitget: "Can only check the data of the last three months" (40704). */
  it('that was sent more than 90 days ago and that Bitget no longer lists is missing, and not unreadable', async () => {
    const request = { symbol: 'BTCUSDT', clientOid: 'ours' };
    const notBefore = new Date(Date.now() - 100 * DAY_MS);
    const forgotten = json({ code: '40704', msg: 'a text', requestTime: 1, data: null }, 400);
    const answers = { [ORDER_INFO]: ok([]), [ENDED_ORDERS]: forgotten };
    await expect(
      read(answers, ({ trading }) => trading?.read({ exchangeId: '1001', request, notBefore })),
    ).rejects.toMatchObject({ code: 'TRADING_ORDER_NOT_FOUND' });
    await expect(
      read(answers, ({ trading }) => trading?.find({ clientOrderId: 'ours', request, notBefore })),
    ).rejects.toBeInstanceOf(OrderTooOld);
  });

  it('must be a limit order, because a market order to buy states its cost', () =>
    read({}, async ({ trading }) => {
      const market: OrderInstruction = {
        exchangeSymbol: 'BTCUSDT',
        side: 'buy',
        type: 'market',
        volume: Amount.of('1'),
        price: null,
        clientOrderId: 'ours',
        submissionDeadline: new Date(),
      };
      const code = 'TRADING_ORDER_TYPE_NOT_SUPPORTED';
      expect(() => trading?.prepare(market)).toThrow(expect.objectContaining({ code, reason: 'limit_only' }));
      return Promise.resolve(true);
    }));
});
