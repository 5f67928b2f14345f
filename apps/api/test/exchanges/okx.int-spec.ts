import {
  type Exchanges,
  type ExchangeSession,
  type OrderInstruction,
  type PreparedOrder,
  type PreparedWithdrawal,
  type TradingCapability,
  type WithdrawalCapability,
} from '#exchange';
import { createExchanges } from '#exchange/testing';
import { Amount } from '#money';
import { loadConfig } from '#platform/config';
import { Secret } from '#platform/crypto';
import { RunningClock } from '#platform/testing';
import { startSandboxExchange, type SandboxExchange } from '../../../sandbox-exchange/src/sandbox-exchange.js';
import { Sandbox, type SandboxAccount } from '../support/sandbox.js';

type Page = Awaited<ReturnType<NonNullable<ExchangeSession['history']>['page']>>;

interface Opened extends SandboxAccount {
  session: ExchangeSession;
  withdrawals: WithdrawalCapability;
  trading: TradingCapability;
}

const ADDRESS = 'bc1pjgv68y0p8ln590tkgc6p2wmqxwqun9y79d6sle83cx0kwwwcttcqd3xcrp';
const XRP_ADDRESS = 'r32MzJoSozSZEUQgzXGErQk9uyBhqataFb';
const DURING_OUTAGE = [
  'answer_lost',
  'error_after',
  'malformed_after',
  'empty_after',
  'result_null_after',
  'hang_after',
];
const BEFORE_BOOKING = ['request_lost', 'error_before', 'malformed_before', 'service_unavailable', 'hang_before'];

describe('the connector of OKX at the sandbox exchange', () => {
  const clock = new RunningClock();
  let exchange: SandboxExchange;
  let exchanges: Exchanges;
  let sandbox: Sandbox;
  let opened = 0;

  beforeAll(async () => {
    exchange = await startSandboxExchange({ port: 0, now: () => clock.now() });
    sandbox = new Sandbox(exchange.url);
    const limits = { EXCHANGE_CALLS_PER_SECOND: '1000', EXCHANGE_CALLS_BURST: '1000' };
    const waits = { EXCHANGE_TIMEOUT_MS: '10000', EXCHANGE_SUBMIT_TIMEOUT_MS: '1000' };
    exchanges = createExchanges(loadConfig({ SANDBOX_URL: exchange.url, ...limits, ...waits }), { clock });
  });
  afterAll(async () => {
    await exchanges.onApplicationShutdown();
    await exchange.close();
  });
  afterEach(() => sandbox.calm());

  const sessionOf = (account: SandboxAccount, passphrase = 'sandbox'): Promise<ExchangeSession> =>
    exchanges.open({
      ...{ exchange: 'okx', mode: 'test', credentialId: `credential ${++opened}` },
      credentials: {
        ...{ apiKey: new Secret(account.apiKey), apiSecret: new Secret(account.apiSecret) },
        apiPassphrase: new Secret(passphrase),
      },
    });

  async function open(balances: Record<string, string> = { BTC: '1', USD: '50000', XRP: '100' }): Promise<Opened> {
    const account = await sandbox.open({ balances });
    const session = await sessionOf(account);
    const { withdrawals, trading } = session;
    if (withdrawals === undefined || trading === undefined) throw new Error('OKX has withdrawals and orders');
    return { ...account, session, withdrawals, trading };
  }

  const prepare = ({ withdrawals }: Opened, clientRef = 'abc1'): Promise<PreparedWithdrawal> =>
    withdrawals.prepare({
      ...{ asset: 'BTC', network: 'bitcoin', address: ADDRESS, tag: null, clientRef },
      ...{ amountNoFee: Amount.of('0.01'), fee: Amount.of('0.00015'), amountWithFee: Amount.of('0.01015') },
    });
  const submit = ({ withdrawals }: Opened, prepared: PreparedWithdrawal) =>
    withdrawals.submit(prepared, { beforeSend: () => undefined });
  const find = (
    { withdrawals }: Opened,
    { request, clientRef }: PreparedWithdrawal,
    exchangeId: string | null = null,
  ) => withdrawals.find({ asset: 'BTC', request, clientRef, exchangeId, notBefore: new Date(0) });

  it('reads the permissions of the key and the balances of the funding account', async () => {
    const { session } = await open();
    expect(await session.keyInfo()).toMatchObject({ permissions: ['read_only', 'withdraw', 'trade'], ipAllowlist: [] });
    const balances = await session.balances();
    const held = balances.map(({ asset, free, withdrawable }) => [asset, [String(free), String(withdrawable)]]);
    expect(Object.fromEntries(held)).toEqual({ BTC: ['1', '1'], USD: ['50000', '50000'], XRP: ['100', '100'] });
  });

  it('is refused with another passphrase', async () => {
    const session = await sessionOf(await sandbox.open(), 'another');
    await expect(session.keyInfo()).rejects.toMatchObject({ kind: 'credentials_invalid' });
  });

  it('estimates the fee on top of the amount, and names the saved address as a requirement', async () => {
    const { withdrawals } = await open();
    const [network] = await withdrawals.networks('BTC');
    if (network === undefined) throw new Error('BTC has a network');
    const intent = { asset: 'BTC', network, address: ADDRESS, tag: null, amount: Amount.of('0.01'), includeFee: true };
    expect(await withdrawals.estimate(intent)).toMatchObject({
      ...{ amountNoFee: Amount.of('0.00985'), fee: Amount.of('0.00015'), amountWithFee: Amount.of('0.01') },
      ...{ minWithdrawal: Amount.of('0.00055'), requirements: [{ type: 'address_allowlist' }] },
    });
  });

  it('withdraws what arrives, and finds the record by both ids', async () => {
    const account = await open();
    const prepared = await prepare(account);
    const outcome = await submit(account, prepared);
    const [booked, ...others] = await sandbox.withdrawals(account);
    expect(others).toEqual([]);
    expect(booked).toMatchObject({ amount: '0.01', fee: '0.00015', address: ADDRESS });
    expect(outcome).toMatchObject({ kind: 'accepted', exchangeId: booked?.refid });
    const found = { exchangeId: booked?.refid, status: 'pending', isCertain: true, amountNoFee: Amount.of('0.01') };
    expect(await find(account, prepared)).toMatchObject([found]);
    expect(await find(account, prepared, booked?.refid)).toMatchObject([found]);
    await sandbox.settle(booked?.refid ?? '', 'Success');
    expect(await find(account, prepared)).toMatchObject([{ status: 'completed', hash: expect.any(String) as string }]);
  });

  it('withdraws with a tag, and lists it', async () => {
    const account = await open();
    const prepared = await account.withdrawals.prepare({
      ...{ asset: 'XRP', network: 'ripple', address: XRP_ADDRESS, tag: '1000001', clientRef: 'tagged' },
      ...{ amountNoFee: Amount.of('10'), fee: Amount.of('0.2'), amountWithFee: Amount.of('10.2') },
    });
    expect(await submit(account, prepared)).toMatchObject({ kind: 'accepted' });
    expect(await account.withdrawals.list(new Date(0))).toMatchObject([{ address: XRP_ADDRESS, clientRef: 'tagged' }]);
  });

  it.each<[string, Partial<Parameters<WithdrawalCapability['prepare']>[0]>, string]>([
    [
      'to an address that is not saved',
      { address: 'bc1q30hd07qtnrr3r8p7nm3ve0n6w83preauur5hs6' },
      'WITHDRAWAL_INVALID_ADDRESS',
    ],
    ['below the minimum', { amountNoFee: Amount.of('0.0001') }, 'WITHDRAWAL_AMOUNT_BELOW_MINIMUM'],
  ])('is refused a withdrawal %s', async (_what, more, code) => {
    const account = await open();
    const prepared = await account.withdrawals.prepare({
      ...{ asset: 'BTC', network: 'bitcoin', address: ADDRESS, tag: null, clientRef: 'abc1' },
      ...{ amountNoFee: Amount.of('0.01'), fee: Amount.of('0.00015'), amountWithFee: Amount.of('0.01015'), ...more },
    });
    expect(await submit(account, prepared)).toMatchObject({ kind: 'rejected', code });
  });

  it('leaves the outcome unknown when the money is missing, because an earlier copy may have taken it', async () => {
    const account = await open({ BTC: '0.01' });
    const prepared = await prepare(account);
    expect(await submit(account, prepared)).toMatchObject({ kind: 'unknown', reason: '58229' });
    expect(await find(account, prepared)).toEqual([]);
  });

  it.each(DURING_OUTAGE)('finds the one withdrawal whose outcome is unknown: %s', async (fault) => {
    const account = await open();
    const prepared = await prepare(account);
    await sandbox.arm({ endpoint: 'okx.withdraw', fault });
    expect(await submit(account, prepared)).toMatchObject({ kind: 'unknown' });
    const [booked] = await sandbox.withdrawals(account);
    expect(await find(account, prepared)).toMatchObject([{ exchangeId: booked?.refid, isCertain: true }]);
    expect(await sandbox.countCalls(account, 'okx.withdraw')).toBe(1);
  });

  it.each(BEFORE_BOOKING)('finds nothing where nothing was booked: %s', async (fault) => {
    const account = await open();
    const prepared = await prepare(account);
    await sandbox.arm({ endpoint: 'okx.withdraw', fault });
    expect(await submit(account, prepared)).toMatchObject({ kind: 'unknown' });
    expect(await find(account, prepared)).toEqual([]);
  });

  it('leaves the outcome unknown when the second copy of a request is refused, and both copies book once', async () => {
    const account = await open();
    const prepared = await prepare(account);
    await sandbox.arm({ endpoint: 'okx.withdraw', fault: 'delivered_twice' });
    expect(await submit(account, prepared)).toMatchObject({ kind: 'unknown' });
    expect(await find(account, prepared)).toHaveLength(1);
    expect(await sandbox.withdrawals(account)).toHaveLength(1);
  });

  it('is not refused for good when the exchange calls its timestamp expired', async () => {
    const account = await open();
    await sandbox.arm({ endpoint: 'okx.withdraw', fault: 'clock_jump', delayMs: 31_000 });
    expect(await submit(account, await prepare(account))).toMatchObject({ kind: 'unknown' });
    await sandbox.arm({ endpoint: 'okx.account', fault: 'clock_jump', delayMs: -31_000 });
    await expect(account.session.keyInfo()).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it('reads the history of both kinds on without gaps', async () => {
    const account = await open();
    const to = new Date(clock.now().getTime() - 60_000);
    const from = new Date(to.getTime() - 86_400_000);
    await sandbox.makeHistory(account, { deposits: 230, withdrawals: 120, from, to, asset: 'ETH' });
    for (const [kind, count] of [
      ['deposit', 230],
      ['withdrawal', 120],
    ] as const) {
      const ids = new Set<string>();
      let cursor: string | null = null;
      do {
        const page: Page | undefined = await account.session.history?.page(
          kind,
          { since: from, until: clock.now() },
          cursor,
        );
        for (const { exchangeId, network } of page?.records ?? []) {
          expect(network).not.toBeNull();
          ids.add(exchangeId);
        }
        expect(page?.unreadable).toBe(0);
        cursor = page?.nextCursor ?? null;
      } while (cursor !== null);
      expect([kind, ids.size]).toEqual([kind, count]);
    }
  });

  it('gets deposit addresses with their tags, and none without', async () => {
    const { session } = await open();
    const { deposits } = session;
    const [ripple] = (await deposits?.methods('XRP')) ?? [];
    if (ripple === undefined) throw new Error('XRP has a network');
    expect(await deposits?.addresses(ripple)).toMatchObject([{ tag: expect.stringMatching(/^\d+$/) as string }]);
    await sandbox.arm({ endpoint: 'okx.deposit.addresses', fault: 'tag_missing' });
    await expect(deposits?.addresses(ripple)).rejects.toMatchObject({ reason: 'tag_missing' });
    await sandbox.arm({ endpoint: 'okx.deposit.addresses', fault: 'other_network' });
    await expect(deposits?.addresses(ripple)).rejects.toThrow('funds may be lost');
  });

  describe('orders', () => {
    const orderOf = ({ trading }: Opened, more: Partial<OrderInstruction> = {}): PreparedOrder =>
      trading.prepare({
        ...{ exchangeSymbol: 'BTC-USD', side: 'buy', type: 'limit', volume: Amount.of('0.0125') },
        ...{ price: Amount.of('20000.5'), clientOrderId: trading.newClientOrderId() },
        submissionDeadline: new Date(clock.now().getTime() + 30_000),
        ...more,
      });
    const place = ({ trading }: Opened, prepared: PreparedOrder) =>
      trading.place(prepared, { beforeSend: () => undefined });
    const seek = ({ trading }: Opened, { request }: PreparedOrder) =>
      trading.find({ clientOrderId: request['clOrdId'] ?? '', request, notBefore: clock.now() });

    it('stay open, and are read by both ids', async () => {
      const account = await open();
      const prepared = orderOf(account);
      expect(await place(account, prepared)).toMatchObject({ kind: 'accepted' });
      const [made] = await sandbox.orders(account);
      const found = await seek(account, prepared);
      expect(found).toMatchObject({ exchangeId: made?.id, status: 'open', volume: Amount.of('0.0125') });
      expect(await account.trading.read({ exchangeId: made?.id ?? '', request: prepared.request })).toEqual(found);
    });

    it('at the market are filled, with a fee in the quote asset', async () => {
      const account = await open();
      const prepared = orderOf(account, { type: 'market', price: null });
      expect(await place(account, prepared)).toMatchObject({ kind: 'accepted' });
      const [made] = await sandbox.orders(account);
      const found = await seek(account, prepared);
      expect(found).toMatchObject({ status: 'filled', executedVolume: Amount.of('0.0125'), feeAsset: 'USD' });
      expect(found?.fee).toEqual(Amount.of(made?.fee ?? ''));
      expect(found?.averagePrice).toEqual(Amount.of(made?.averagePrice ?? ''));
    });

    it('are refused in an unknown pair, and are not found without money', async () => {
      const account = await open({ BTC: '1' });
      const unknown = orderOf(account, { exchangeSymbol: 'BTC-XYZ' });
      expect(await place(account, unknown)).toMatchObject({ kind: 'rejected', code: 'TRADING_ROUTE_NOT_FOUND' });
      const prepared = orderOf(account);
      expect(await place(account, prepared)).toMatchObject({ kind: 'unknown', reason: '51008_1000' });
      expect(await seek(account, prepared)).toBeNull();
    });

    it.each([...DURING_OUTAGE, 'delivered_twice'])(
      'are found once when their outcome is unknown: %s',
      async (fault) => {
        const account = await open();
        const prepared = orderOf(account);
        await sandbox.arm({ endpoint: 'okx.order.place', fault });
        expect(await place(account, prepared)).toMatchObject({ kind: 'unknown' });
        expect(await seek(account, prepared)).toMatchObject({ status: 'open' });
        expect(await sandbox.orders(account)).toHaveLength(1);
      },
    );

    it('do not exist after their deadline', async () => {
      const account = await open();
      const prepared = orderOf(account, { submissionDeadline: clock.now() });
      expect(await place(account, prepared)).toMatchObject({ kind: 'unknown' });
      expect(await seek(account, prepared)).toBeNull();
    });
  });
});
