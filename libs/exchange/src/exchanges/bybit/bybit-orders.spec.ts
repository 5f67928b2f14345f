import { Amount } from '#money';
import type { ExchangeSession } from '../../port/exchange.port.js';
import type { OrderInstruction, SoughtOrder } from '../../port/trading.port.js';
import { ContractBench } from '../../testing/contract/contract-bench.js';
import { json, type Answer, type Reply } from '../../testing/contract/exchange-contract.js';
import { bybitContract } from './bybit-contract.js';
import { bybit } from './bybit.js';

const OPEN = 'GET /v5/order/realtime';
const ENDED = 'GET /v5/order/history';

const ok = (result: object): Reply => json({ retCode: 0, retMsg: 'OK', result });
const subject = { declaration: bybit, contract: bybitContract };

/** Runs a check with these responses in place of some documented ones. */
async function withAnswers(
  answers: Readonly<Record<string, Answer>>,
  check: (session: ExchangeSession, bench: ContractBench) => Promise<void>,
): Promise<void> {
  await ContractBench.run(subject, async (bench) => {
    const session = await bench.open();
    bench.stub.answer(answers);
    await check(session, bench);
  });
}

function dataOf<T>(part: T | undefined): T {
  if (part === undefined) throw new Error('not offered');
  return part;
}

describe('an order at Bybit', () => {
  /** Bybit's documentation: order/open-order */
  const order = {
    orderId: 'fd4300ae',
    orderLinkId: 'ours',
    symbol: 'ETHUSDT',
    price: '1600.00',
    qty: '0.10',
    side: 'Buy',
    orderStatus: 'New',
    avgPrice: '',
    cumExecQty: '0.00',
    cumExecValue: '0',
    orderType: 'Limit',
    createdTime: '1684738540559',
    updatedTime: '1684738540561',
    cumFeeDetail: {},
  };
  const filled = {
    ...order,
    orderStatus: 'Filled',
    cumExecQty: '0.10',
    cumExecValue: '160.1',
    avgPrice: '1601',
    cumFeeDetail: { MNT: '0', ETH: '0.0001' },
  };
  const empty = ok({ list: [] });
  const sought = (rest: Partial<SoughtOrder> = {}): SoughtOrder => ({
    clientOrderId: 'ours',
    request: {},
    notBefore: new Date(),
    ...rest,
  });

  it.each([
    ['New', 'open'],
    ['PartiallyFilled', 'open'],
    ['Filled', 'filled'],
    ['PartiallyFilledCanceled', 'canceled'],
    ['Cancelled', 'canceled'],
    ['Rejected', 'canceled'],
    ['NeverSeen', 'unknown'],
  ])('with the status %s is %s', (orderStatus, status) =>
    withAnswers(
      { [OPEN]: ok({ list: [{ ...(status === 'filled' ? filled : order), orderStatus }] }) },
      async (session) => {
        const found = await dataOf(session.trading).find(sought());
        expect(found).toMatchObject({ exchangeId: 'fd4300ae', clientOrderId: 'ours', status, rawStatus: orderStatus });
        expect(found?.closedAt === null).toBe(status === 'open' || status === 'unknown');
      },
    ),
  );

  it('is found in the history after it has ended, with its executed amounts and its fee', () => {
    return withAnswers({ [OPEN]: empty, [ENDED]: ok({ list: [filled] }) }, async (session) => {
      const found = await dataOf(session.trading).read({ exchangeId: 'fd4300ae', request: {}, notBefore: new Date() });
      expect(found).toMatchObject({
        status: 'filled',
        executedVolume: Amount.of('0.1'),
        cost: Amount.of('160.1'),
        averagePrice: Amount.of('1601'),
        fees: [{ asset: 'ETH', amount: Amount.of('0.0001') }],
        raw: { symbol: 'ETHUSDT' },
      });
    });
  });

  it('has no reported fee when only cumExecFee, which names no coin, has one', () => {
    const { cumFeeDetail: _detail, ...rest } = filled;
    const found = (fees: object) =>
      withAnswers({ [OPEN]: ok({ list: [{ ...rest, ...fees }] }) }, async (session) => {
        const expected = 'cumExecFee' in fees && fees.cumExecFee === '0' ? [] : null;
        expect((await dataOf(session.trading).find(sought()))?.fees).toEqual(expected);
      });
    return Promise.all([found({ cumExecFee: '0.0825' }), found({}), found({ cumExecFee: '0' })]);
  });

  /** Bybit's page order/order-list: `avgPrice` is "" or "0" for orders that were "partilly filled but cancelled" */
  it.each(['', '0'])(
    'has the average price of its executed part when the rest was canceled and avgPrice is "%s"',
    (avgPrice) => {
      const executed = { orderStatus: 'PartiallyFilledCanceled', cumExecQty: '0.04', cumExecValue: '64.04', avgPrice };
      return withAnswers({ [OPEN]: ok({ list: [{ ...order, ...executed }] }) }, async (session) => {
        expect(await dataOf(session.trading).find(sought())).toMatchObject({
          status: 'canceled',
          cost: Amount.of('64.04'),
          averagePrice: Amount.of('1601'),
        });
      });
    },
  );

  /** Bybit's page order/order-list: "startTime and endTime are not passed, return 7 days by default" */
  it.each([
    ['by our id', 'find'],
    ['by Bybit’s id', 'read'],
  ] as const)('is found %s when it was sent more than seven days ago', (_name, way) => {
    const notBefore = new Date(Date.now() - 10 * 86_400_000);
    const list = [{ ...filled, createdTime: String(notBefore.getTime()) }];
    const ended: Answer = ({ params }) => (params['startTime'] === undefined ? empty : ok({ list }));
    return withAnswers({ [OPEN]: empty, [ENDED]: ended }, async (session, { stub }) => {
      const trading = dataOf(session.trading);
      const taken = { exchangeId: 'fd4300ae', request: {}, notBefore };
      const found = way === 'find' ? await trading.find(sought({ notBefore })) : await trading.read(taken);
      expect(found).toMatchObject({ exchangeId: 'fd4300ae', status: 'filled' });
      expect(stub.calls(ENDED).at(-1)?.params).toMatchObject({ startTime: String(notBefore.getTime()) });
    });
  });

  it('is found in a list with other orders, and a list of only other orders is unusable', () => {
    const other = { ...order, orderId: 'another', orderLinkId: 'theirs' };
    return withAnswers({ [OPEN]: ok({ list: [other, order] }) }, async (session, { stub }) => {
      expect(await dataOf(session.trading).find(sought())).toMatchObject({ exchangeId: 'fd4300ae' });
      stub.answer({ [OPEN]: ok({ list: [other] }) });
      await expect(dataOf(session.trading).find(sought())).rejects.toMatchObject({ kind: 'unavailable' });
    });
  });

  it('is absent when neither the open nor the ended orders contain it, unless it was sent over 24 hours ago', () =>
    withAnswers({ [OPEN]: empty, [ENDED]: empty }, async (session) => {
      const trading = dataOf(session.trading);
      expect(await trading.find(sought())).toBeNull();
      const sentBefore = (minutes: number) =>
        trading.find(sought({ notBefore: new Date(Date.now() - minutes * 60_000) }));
      expect(await sentBefore(24 * 60 - 2)).toBeNull();
      // The search takes time, so it proves nothing already in the last minute of the 24 hours.
      for (const minutes of [24 * 60 - 0.5, 25 * 60])
        await expect(sentBefore(minutes)).rejects.toMatchObject({ kind: 'unavailable' });
      await expect(trading.read({ exchangeId: 'fd4300ae', request: {}, notBefore: new Date() })).rejects.toMatchObject({
        kind: 'refused',
        code: 'TRADING_ORDER_NOT_FOUND',
      });
    }));

  it('states its volume in the base asset when it is a market order, and has no deadline', () =>
    withAnswers({}, async (session) => {
      const market: OrderInstruction = {
        exchangeSymbol: 'ETHUSDT',
        side: 'sell',
        type: 'market',
        volume: Amount.of('0.1'),
        price: null,
        clientOrderId: 'ours',
        submissionDeadline: new Date(),
      };
      expect(dataOf(session.trading).prepare(market)).toEqual({
        request: {
          category: 'spot',
          symbol: 'ETHUSDT',
          isLeverage: '0',
          side: 'Sell',
          orderType: 'Market',
          qty: '0.1',
          marketUnit: 'baseCoin',
          orderLinkId: 'ours',
        },
        submissionDeadline: null,
      });
      await Promise.resolve();
    }));
});
