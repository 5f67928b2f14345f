import type { OrderInstruction, PreparedOrder, TradingCapability } from '#exchange';
import { Amount } from '#money';
import { DURING_OUTAGE, SignedHarness, type OpenedAccount } from '../support/signed-harness.js';
import { tradingExchanges } from '../support/signed-exchanges.js';

type Opened = OpenedAccount & { trading: TradingCapability };

describe.each(tradingExchanges)('orders by the connector of $id', (facts) => {
  const { id, trading: market } = facts;
  let harness: SignedHarness;

  beforeAll(async () => {
    harness = await SignedHarness.start(facts);
  });
  afterAll(() => harness.close());
  afterEach(() => harness.sandbox.calm());

  async function open(balances?: Record<string, string>): Promise<Opened> {
    const account = await harness.open(balances);
    const { trading } = account.session;
    if (trading === undefined) throw new Error('no orders');
    return { ...account, trading };
  }

  const orderOf = ({ trading }: Opened, more: Partial<OrderInstruction> = {}): PreparedOrder =>
    trading.prepare({
      exchangeSymbol: market.symbol,
      side: 'buy',
      type: 'limit',
      volume: Amount.of('0.0125'),
      price: Amount.of('20000.5'),
      clientOrderId: trading.newClientOrderId(),
      submissionDeadline: new Date(harness.clock.now().getTime() + 30_000),
      ...more,
    });
  const place = ({ trading }: Opened, prepared: PreparedOrder) =>
    trading.place(prepared, { beforeSend: () => undefined });
  const seek = ({ trading }: Opened, { request }: PreparedOrder) =>
    trading.find({ clientOrderId: request[market.idField] ?? '', request, notBefore: harness.clock.now() });

  it('stay open, and are read by our id and by the id of the exchange', async () => {
    const account = await open();
    const prepared = orderOf(account);
    expect(await place(account, prepared)).toMatchObject({ kind: 'accepted' });
    const [made] = await harness.sandbox.orders(account);
    const found = await seek(account, prepared);
    expect(found).toMatchObject({ exchangeId: made?.id, status: 'open', volume: Amount.of('0.0125') });
    const taken = { exchangeId: made?.id ?? '', request: prepared.request, notBefore: harness.clock.now() };
    expect(await account.trading.read(taken)).toEqual(found);
  });

  it('of the type market are filled, with a fee in the quote asset', async () => {
    const account = await open();
    const prepared = orderOf(account, { type: 'market', price: null });
    expect(await place(account, prepared)).toMatchObject({ kind: 'accepted' });
    const [made] = await harness.sandbox.orders(account);
    const found = await seek(account, prepared);
    expect(found).toMatchObject({ status: 'filled', executedVolume: Amount.of('0.0125') });
    const { asset, amount } = found?.fees?.[0] ?? {};
    expect([asset ?? market.quote, amount]).toEqual([market.quote, Amount.of(made?.fee ?? '')]);
    expect(found?.averagePrice).toEqual(Amount.of(made?.averagePrice ?? ''));
  });

  it('are rejected for an unknown pair, and have an unknown outcome when the balance is too low', async () => {
    const account = await open({ BTC: '1' });
    const unknown = orderOf(account, { exchangeSymbol: market.unknownPair });
    expect(await place(account, unknown)).toMatchObject({ kind: 'rejected', code: 'TRADING_ROUTE_NOT_FOUND' });
    const prepared = orderOf(account);
    expect(await place(account, prepared)).toMatchObject({ kind: 'unknown', reason: market.noMoney });
    expect(await seek(account, prepared)).toBeNull();
  });

  it.each([...DURING_OUTAGE, 'delivered_twice'])('exist once and are found after the fault %s', async (fault) => {
    const account = await open();
    const prepared = orderOf(account);
    await harness.sandbox.arm({ endpoint: `${id}.order.place`, fault });
    expect(await place(account, prepared)).toMatchObject({ kind: 'unknown' });
    expect(await seek(account, prepared)).toMatchObject({ status: 'open' });
    expect(await harness.sandbox.orders(account)).toHaveLength(1);
  });

  it('are not placed after their deadline, where the exchange takes a deadline', async () => {
    const account = await open();
    const prepared = orderOf(account, { submissionDeadline: harness.clock.now() });
    const kind = market.hasDeadline ? 'unknown' : 'accepted';
    expect(await place(account, prepared)).toMatchObject({ kind });
    expect(prepared.submissionDeadline !== null).toBe(market.hasDeadline);
    expect((await seek(account, prepared)) === null).toBe(market.hasDeadline);
  });
});
