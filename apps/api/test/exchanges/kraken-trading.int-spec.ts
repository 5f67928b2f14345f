import { Amount } from '#money';
import {
  type Exchanges,
  type OrderInstruction,
  type OrderOutcome,
  type PreparedOrder,
  type TradingCapability,
} from '#exchange';
import { createExchanges } from '#exchange/testing';
import { loadConfig } from '#platform/config';
import { Secret } from '#platform/crypto';
import { RunningClock, until } from '#platform/testing';
import { startSandboxExchange, type SandboxExchange } from '../../../sandbox-exchange/src/sandbox-exchange.js';
import { Sandbox, type SandboxAccount } from '../support/sandbox.js';

/** The pause of the connector after a refusal because of the rate limit. */
const RATE_LIMIT_MS = 5_000;

interface Trader extends SandboxAccount {
  trading: TradingCapability;
}

describe('orders of the Kraken connector at the sandbox exchange', () => {
  const clock = new RunningClock();
  const notBefore = new Date(Date.now() - 60_000);
  let exchange: SandboxExchange;
  let exchanges: Exchanges;
  let sandbox: Sandbox;
  let opened = 0;

  beforeAll(async () => {
    exchange = await startSandboxExchange({ port: 0, now: () => clock.now() });
    sandbox = new Sandbox(exchange.url);
    const limits = { EXCHANGE_CALLS_PER_SECOND: '1000', EXCHANGE_CALLS_BURST: '1000' };
    const waits = { EXCHANGE_TIMEOUT_MS: '2000', EXCHANGE_SUBMIT_TIMEOUT_MS: '500' };
    exchanges = createExchanges(loadConfig({ SANDBOX_URL: exchange.url, ...limits, ...waits }), { clock });
  });
  afterAll(async () => {
    await exchanges.onApplicationShutdown();
    await exchange.close();
  });
  afterEach(() => sandbox.calm());

  async function open(balances: Record<string, string> = { BTC: '1', USD: '50000' }): Promise<Trader> {
    const account = await sandbox.open({ balances });
    const { trading } = await exchanges.open({
      exchange: 'kraken',
      mode: 'test',
      credentialId: `credential ${++opened}`,
      credentials: { apiKey: new Secret(account.apiKey), apiSecret: new Secret(account.apiSecret) },
    });
    if (trading === undefined) throw new Error('no trading');
    return { ...account, trading };
  }

  /** Prepares a limit order far below the market, so that it stays open; `rest` replaces fields. */
  const prepare = ({ trading }: Trader, rest: Partial<OrderInstruction> = {}): PreparedOrder =>
    trading.prepare({
      exchangeSymbol: 'XBTUSD',
      side: 'buy',
      type: 'limit',
      volume: Amount.of('0.0125'),
      price: Amount.of('20000.5'),
      clientOrderId: trading.newClientOrderId(),
      submissionDeadline: new Date(clock.now().getTime() + 30_000),
      ...rest,
    });
  const place = ({ trading }: Trader, prepared: PreparedOrder): Promise<OrderOutcome> =>
    trading.place(prepared, { beforeSend: () => undefined });
  const clientIdOf = ({ request }: PreparedOrder): string => request['cl_ord_id'] ?? '';
  const find = ({ trading }: Trader, prepared: PreparedOrder) =>
    trading.find({ clientOrderId: clientIdOf(prepared), request: prepared.request, notBefore });

  it('with a limit far below the market stay open, and are returned by Kraken’s id and by our id', async () => {
    const trader = await open();
    const prepared = prepare(trader);
    const outcome = await place(trader, prepared);
    expect(outcome).toMatchObject({ kind: 'accepted', description: 'buy 0.01250000 XBTUSD @ limit 20000.5' });
    const [made] = await sandbox.orders(trader);
    expect(made).toMatchObject({ clientOrderId: clientIdOf(prepared), volume: '0.0125', limitPrice: '20000.5' });

    const order = await trader.trading.read({ exchangeId: made?.id ?? '', request: prepared.request, notBefore });
    expect(order).toMatchObject({
      exchangeId: made?.id,
      clientOrderId: clientIdOf(prepared),
      status: 'open',
      volume: Amount.of('0.0125'),
      executedVolume: Amount.zero,
      closedAt: null,
      description: { pair: 'XBTUSD', side: 'buy', type: 'limit' },
    });
    expect(await find(trader, prepared)).toEqual(order);
  });

  it('of the type market are filled at once, and are found among the closed orders', async () => {
    const trader = await open();
    const volume = Amount.of('0.01');
    const prepared = prepare(trader, { side: 'sell', type: 'market', volume, price: null });
    expect(await place(trader, prepared)).toMatchObject({ kind: 'accepted' });
    const order = await find(trader, prepared);
    expect(order).toMatchObject({ status: 'filled', rawStatus: 'closed', executedVolume: volume });
    expect(order?.cost).toEqual(order?.averagePrice.times(volume));
    expect(order?.fees?.[0]?.amount.isPositive()).toBe(true);
    expect(order?.closedAt).toEqual(expect.any(Date));
  });

  it('are read with the states that the exchange reports: pending, partly filled, expired', async () => {
    const trader = await open();
    const prepared = prepare(trader);
    await place(trader, prepared);
    const [{ id = '' } = {}] = await sandbox.orders(trader);
    await sandbox.moveOrder(id, 'pend');
    expect(await find(trader, prepared)).toMatchObject({ exchangeId: id, status: 'open', rawStatus: 'pending' });
    await sandbox.moveOrder(id, 'open');
    await sandbox.fillOrder(id, { volume: '0.005' });
    const partly = { executedVolume: Amount.of('0.005'), cost: Amount.of('100.0025') };
    expect(await trader.trading.read({ exchangeId: id, request: prepared.request, notBefore })).toMatchObject({
      status: 'open',
      averagePrice: Amount.of('20000.5'),
      ...partly,
    });
    await sandbox.moveOrder(id, 'expire');
    expect(await trader.trading.read({ exchangeId: id, request: prepared.request, notBefore })).toMatchObject({
      status: 'expired',
      ...partly,
    });
    expect(await find(trader, prepared)).toMatchObject({ status: 'expired', closedAt: expect.any(Date) as Date });
  });

  it.each([
    ['cancel_only', 'TRADING_ROUTE_UNAVAILABLE'],
    ['post_only', 'TRADING_ROUTE_UNAVAILABLE'],
    ['limit_only', 'TRADING_ORDER_TYPE_NOT_SUPPORTED'],
    ['reduce_only', 'TRADING_ROUTE_UNAVAILABLE'],
  ] as const)('of the type market are rejected when the market is %s, with the code %s', async (status, code) => {
    const trader = await open();
    await sandbox.setPairStatus('XBTUSD', status);
    const outcome = await place(trader, prepare(trader, { side: 'sell', type: 'market', price: null }));
    await sandbox.setPairStatus('XBTUSD', 'online');
    expect(outcome).toMatchObject({ kind: 'rejected', code, reason: status });
    expect(await sandbox.orders(trader)).toHaveLength(0);
  });

  it.each(['slow', 'duplicate_answer'])('are accepted and placed once in spite of the fault %s', async (fault) => {
    const trader = await open();
    await sandbox.arm({ endpoint: 'AddOrder', fault, delayMs: 100 });
    expect(await place(trader, prepare(trader))).toMatchObject({ kind: 'accepted' });
    expect(await sandbox.orders(trader)).toHaveLength(1);
  });

  it.each([
    ...['answer_lost', 'error_after', 'malformed_after', 'empty_after', 'result_null_after', 'hang_after'],
    'delivered_twice',
  ])('have an unknown outcome after the fault %s, and are found when Kraken has placed them', async (fault) => {
    const trader = await open();
    const prepared = prepare(trader);
    await sandbox.arm({ endpoint: 'AddOrder', fault });
    expect(await place(trader, prepared)).toMatchObject({ kind: 'unknown' });
    const made = await sandbox.orders(trader);
    expect(made).toHaveLength(1);
    expect(await find(trader, prepared)).toMatchObject({ exchangeId: made[0]?.id, status: 'open' });
  });

  it.each([
    ...['request_lost', 'error_before', 'malformed_before', 'hang_before', 'http_429', 'service_unavailable'],
    ...['wrong_nonce', 'rate_limit'],
  ])('have an unknown outcome after the fault %s, and are not found when Kraken has not placed them', async (fault) => {
    const trader = await open();
    const prepared = prepare(trader);
    await sandbox.arm({ endpoint: 'AddOrder', fault });
    expect(await place(trader, prepared)).toMatchObject({ kind: 'unknown' });
    clock.advance(RATE_LIMIT_MS);
    expect(await find(trader, prepared)).toBeNull();
    expect(await sandbox.orders(trader)).toHaveLength(0);
  });

  it('that reach the exchange late are found when they are placed before their deadline, and are not placed after it', async () => {
    const trader = await open();
    const within = (seconds: number) => ({ submissionDeadline: new Date(clock.now().getTime() + seconds * 1_000) });
    const [tooLate, late] = [prepare(trader, within(10)), prepare(trader, within(50))];
    await sandbox.arm({ endpoint: 'AddOrder', fault: 'accept_late', delayMs: 200 });
    expect(await place(trader, tooLate)).toMatchObject({ kind: 'unknown' });
    await sandbox.arm({ endpoint: 'AddOrder', fault: 'accept_late', delayMs: 400 });
    expect(await place(trader, late)).toMatchObject({ kind: 'unknown' });
    clock.advance(20_000);

    await until('the late order is listed', async () => (await find(trader, late)) !== null);
    expect(await find(trader, late)).toMatchObject({ status: 'open' });
    expect(await find(trader, tooLate)).toBeNull();
    expect(await sandbox.orders(trader)).toHaveLength(1);
  });

  it.each<[string, Partial<OrderInstruction>, object]>([
    [
      'an unknown pair',
      { exchangeSymbol: 'NOPEUSD' },
      { code: 'TRADING_ROUTE_NOT_FOUND', rawCode: 'EQuery:Unknown asset pair' },
    ],
    [
      'more than the balance',
      { volume: Amount.of('40') },
      { code: 'GENERIC_INVALID_REQUEST', reason: 'insufficient_balance' },
    ],
    [
      'less than the minimum, in plain decimals',
      { volume: Amount.of('1e-7') },
      { code: 'GENERIC_VALIDATION_ERROR', reason: 'below_minimum_volume' },
    ],
    [
      'a price between the ticks',
      { price: Amount.of('20000.55') },
      { code: 'GENERIC_VALIDATION_ERROR', reason: 'invalid_price' },
    ],
    [
      'a volume with more digits than the pair has',
      { volume: Amount.of('0.0125000000000001') },
      { code: 'GENERIC_VALIDATION_ERROR', reason: 'invalid_volume' },
    ],
    [
      'a deadline that is too far in the future',
      { submissionDeadline: new Date(Date.now() + 3_600_000) },
      { code: 'TRADING_PROVIDER_ERROR', reason: 'invalid_arguments' },
    ],
  ])('are rejected: %s', async (_what, rest, expected) => {
    const trader = await open();
    const prepared = prepare(trader, rest);
    expect(await place(trader, prepared)).toMatchObject({ kind: 'rejected', ...expected });
    expect(await sandbox.orders(trader)).toHaveLength(0);
    expect(await find(trader, prepared)).toBeNull();
  });

  it('are not reported as absent when the listing of the open or the closed orders fails', async () => {
    const trader = await open();
    const prepared = prepare(trader);
    await place(trader, prepared);
    for (const endpoint of ['OpenOrders', 'ClosedOrders']) {
      await sandbox.arm({ endpoint, fault: 'history_errors', count: null });
      const another = prepare(trader);
      await expect(find(trader, another)).rejects.toMatchObject({ kind: 'unavailable' });
      await sandbox.calm();
      expect(await find(trader, another)).toBeNull();
    }
    await expect(
      trader.trading.read({ exchangeId: 'OAAAAA-BBBBB-CCCCCC', request: {}, notBefore }),
    ).rejects.toMatchObject({ kind: 'refused', code: 'TRADING_ORDER_NOT_FOUND' });
  });
});
