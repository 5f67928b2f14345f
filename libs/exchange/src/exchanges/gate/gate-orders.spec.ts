import { Amount } from '#money';
import type { ExchangeSession } from '../../port/exchange.port.js';
import type { ExchangeOrder, OrderInstruction, SoughtOrder } from '../../port/trading.port.js';
import { ContractBench } from '../../testing/contract/contract-bench.js';
import { json, type Answers } from '../../testing/contract/exchange-contract.js';
import { gateContract } from './gate-contract.js';
import { gate } from './gate.js';

const ORDER = 'GET /api/v4/spot/orders/{order_id}';
const ORDERS = 'GET /api/v4/spot/orders';
const PLACE = 'POST /api/v4/spot/orders';

/** Reads through a session while the exchange returns these responses. */
async function read<T>(
  answers: Answers,
  by: (session: ExchangeSession, bench: ContractBench) => Promise<T> | undefined,
): Promise<T> {
  let result: { value: T } | undefined;
  await ContractBench.run({ declaration: gate, contract: gateContract }, async (bench) => {
    bench.stub.answer(answers);
    const value = await by(await bench.open(), bench);
    if (value !== undefined) result = { value };
  });
  if (result === undefined) throw new Error('nothing was read');
  return result.value;
}

/** Gate's documentation, spot: "Query single order details" */
const DETAILS = {
  id: '1852454420',
  text: 't-abc123',
  create_time_ms: 1710488334073,
  update_time_ms: 1710488334074,
  status: 'closed',
  currency_pair: 'BTC_USDT',
  type: 'limit',
  account: 'spot',
  side: 'buy',
  amount: '0.001',
  price: '65000',
  left: '0',
  filled_amount: '0.001',
  filled_total: '63.4693',
  avg_deal_price: '63469.3',
  fee: '0.00000022',
  fee_currency: 'BTC',
  point_fee: '0',
  gt_fee: '0',
  finish_as: 'filled',
};

describe('an order at Gate', () => {
  const sought: SoughtOrder = {
    clientOrderId: 't-abc123',
    request: { currency_pair: 'BTC_USDT' },
    notBefore: new Date(1710488300_500),
  };
  const find = (answers: Answers, { notBefore }: { notBefore: Date } = sought): Promise<ExchangeOrder | null> =>
    read(answers, ({ trading }) => trading?.find({ ...sought, notBefore }));

  it('has the volumes and the fee of its executions', async () => {
    expect(await find({ [ORDER]: json(DETAILS) })).toMatchObject({
      exchangeId: '1852454420',
      clientOrderId: 't-abc123',
      status: 'filled',
      averagePrice: Amount.of('63469.3'),
      executedVolume: Amount.of('0.001'),
      cost: Amount.of('63.4693'),
      fees: [{ asset: 'BTC', amount: Amount.of('0.00000022') }],
      openedAt: new Date(1710488334073),
      closedAt: new Date(1710488334074),
    });
    const inGt = { ...DETAILS, fee: '0', gt_fee: '0.01' };
    expect(await find({ [ORDER]: json(inGt) })).toMatchObject({ fees: [{ asset: 'GT', amount: Amount.of('0.01') }] });
    const inAll = { ...DETAILS, gt_fee: '0.01', point_fee: '0.2' };
    const all = ['0.00000022', '0.01', '0.2'].map((amount) => ({ amount: Amount.of(amount) }));
    expect(await find({ [ORDER]: json(inAll) })).toMatchObject({ fees: all });
    const { fee: _fee, ...unreported } = DETAILS;
    expect(await find({ [ORDER]: json(unreported) })).toMatchObject({ fees: null });
  });

  it('has an average price computed from its cost when the response has no avg_deal_price', async () => {
    const { avg_deal_price: _price, ...rest } = DETAILS;
    expect(await find({ [ORDER]: json(rest) })).toMatchObject({ averagePrice: Amount.of('63469.3') });
  });

  it.each([
    ['open', 'open', { left: '0.0004', filled_amount: '0.0006' }],
    ['closed', 'filled', {}],
    ['cancelled', 'canceled', {}],
    ['never seen', 'unknown', {}],
  ])('with the status %s is %s', async (status, expected, rest) =>
    expect(await find({ [ORDER]: json({ ...DETAILS, ...rest, status }) })).toMatchObject({ status: expected }),
  );

  it('is unusable when its volumes do not add up', async () => {
    const left = { ...DETAILS, left: '0.0004', status: 'cancelled' };
    await expect(find({ [ORDER]: json(left) })).rejects.toMatchObject({ reason: 'unusable_answer' });
  });

  it('is found by our id in the pages of ended orders after it has ended', () =>
    read(
      {
        [ORDERS]: ({ params }) =>
          json(
            params['page'] === '1' ? Array.from({ length: 100 }, () => ({ ...DETAILS, text: 't-other' })) : [DETAILS],
          ),
      },
      async ({ trading }, { stub }) => {
        expect(await trading?.find(sought)).toMatchObject({ exchangeId: '1852454420' });
        expect(stub.calls()[0]?.target).toBe('/api/v4/spot/orders/t-abc123?currency_pair=BTC_USDT');
        const filter = { currency_pair: 'BTC_USDT', status: 'finished', from: '1710488299', limit: '100' };
        expect(stub.calls(ORDERS).map(({ params }) => params)).toEqual([
          { ...filter, page: '1' },
          { ...filter, page: '2' },
        ]);
        return true;
      },
    ));

  it('is read by the id of Gate also after it has ended', () =>
    read({ [ORDER]: json({ ...DETAILS, status: 'cancelled' }) }, async ({ trading }, { stub }) => {
      const { request, notBefore } = sought;
      const taken = { exchangeId: '1852454420', request, notBefore };
      expect(await trading?.read(taken)).toMatchObject({ exchangeId: '1852454420', status: 'canceled' });
      expect(stub.calls().map(({ target }) => target)).toEqual([
        '/api/v4/spot/orders/1852454420?currency_pair=BTC_USDT',
      ]);
      return true;
    }));

  it('is absent only when it was sent within two days, and neither the open nor the ended orders contain it', async () => {
    expect(await find({}, { notBefore: new Date(Date.now() - 60_000) })).toBeNull();
    await expect(find({})).rejects.toMatchObject({ kind: 'unavailable' });
    const broken = { [ORDERS]: json([{ ...DETAILS, text: 7 }]) };
    await expect(find(broken)).rejects.toMatchObject({ kind: 'unavailable' });
    await expect(find({ [ORDER]: json({ label: 'INTERNAL' }, 500) })).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it('gets a client order id of t- and 28 hex digits, which is the same for the same name', () =>
    read({}, ({ trading }) => {
      const ids = [trading?.newClientOrderId(), trading?.newClientOrderId('a'), trading?.newClientOrderId('a')];
      for (const id of ids) expect(id).toMatch(/^t-[0-9a-f]{28}$/);
      expect(ids[1]).toBe(ids[2]);
      expect(ids[0]).not.toBe(ids[1]);
      return Promise.resolve(true);
    }));

  it('states the time after which Gate rejects it, and must be a limit order', () =>
    read({}, async ({ trading }, { stub }) => {
      const limit: OrderInstruction = {
        exchangeSymbol: 'BTC_USDT',
        side: 'sell',
        type: 'limit',
        volume: Amount.of('1'),
        price: Amount.of('2'),
        clientOrderId: 't-ours',
        submissionDeadline: new Date(1710488334999),
      };
      const prepared = trading?.prepare(limit);
      if (trading === undefined || prepared === undefined) throw new Error('nothing was prepared');
      expect(prepared.submissionDeadline).toEqual(limit.submissionDeadline);
      await trading.place(prepared, { beforeSend: () => undefined });
      const [call] = stub.calls(PLACE);
      expect(call?.headers['x-gate-exptime']).toBe('1710488334999');
      expect(call?.json).toMatchObject({ text: 't-ours', account: 'spot', side: 'sell', amount: '1', price: '2' });
      const market: OrderInstruction = { ...limit, type: 'market', price: null };
      expect(() => trading.prepare(market)).toThrow(expect.objectContaining({ reason: 'limit_only' }));
      return true;
    }));
});
