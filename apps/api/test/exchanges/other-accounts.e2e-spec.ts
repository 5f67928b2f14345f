import type { Input } from '#client';
import type { AccountOptions, SandboxAccount } from '../support/sandbox.js';
import { TestApp, type TestProjectWithClient } from '../support/test-app.js';

type ExchangeId = Input<'connectWallet'>['exchange'];

const HOUR_MS = 3_600_000;

describe('the accounts of an owner that pay no withdrawals', () => {
  let app: TestApp;
  let project: TestProjectWithClient;
  let count = 0;

  beforeAll(async () => {
    app = await TestApp.create({ env: { EXCHANGE_TIMEOUT_MS: '10000' } });
    project = await app.project();
  });
  afterEach(() => app.sandbox.calm());
  afterAll(() => app.close());

  async function connected(exchange: ExchangeId, options: AccountOptions) {
    const account: SandboxAccount = await app.sandbox.open({ balances: { BTC: '5' }, ...options });
    const { causeway } = app.clientsOf(project, `${exchange}-${++count}`);
    const { apiKey, apiSecret } = account;
    const passphrase = ['kucoin', 'okx', 'bitget'].includes(exchange) ? { apiPassphrase: 'sandbox' } : {};
    await causeway.connectWallet({ exchange, apiKey, apiSecret, ...passphrase });
    const read = async () => {
      const { balances, unread } = await causeway.getWithdrawalBalance({});
      const { amount, elsewhere } = balances.find(({ asset }) => asset === 'BTC') ?? {};
      return { amount, elsewhere, unread };
    };
    return { causeway, account, read };
  }

  it('are read in a unified account of Gate, whose money no withdrawal can draw on', async () => {
    const { causeway, read } = await connected('gate', { isUnified: true });
    expect(await read()).toEqual({
      amount: 0,
      unread: undefined,
      elsewhere: [{ account: 'unified', kind: 'free', amount: '5' }],
    });
    expect((await causeway.getWallet()).balances['BTC']).toMatchObject({ free: 5, total: 5 });
  });

  it('are read in a unified account of KuCoin, and in its sub-accounts with their names', async () => {
    const otherAccounts = { unified: { BTC: '2' }, earn: { BTC: '0.5' }, 'sub-account trader': { BTC: '0.25' } };
    const { causeway, read } = await connected('kucoin', { isUnified: true, otherAccounts });
    expect(await read()).toEqual({
      amount: 5,
      elsewhere: [
        { account: 'earn', kind: 'earning', amount: '0.5' },
        { account: 'sub-account trader', kind: 'sub_account', amount: '0.25' },
        { account: 'unified', kind: 'free', amount: '2' },
      ],
      unread: [
        { account: 'futures, earn and unified accounts of sub-accounts', reason: 'not_served' },
        { account: 'trading bots', reason: 'not_served' },
      ],
    });
    expect((await causeway.getWallet()).balances['BTC']).toMatchObject({ total: 7.5 });
  });

  it('are none for a classic account of KuCoin that has opened none', async () => {
    const { read } = await connected('kucoin', {});
    expect(await read()).toMatchObject({ amount: 5, unread: [{ account: 'trading bots', reason: 'not_served' }] });
  });

  it('are read at Bybit, where a withdrawal draws on the funding account only', async () => {
    const otherAccounts = { Earn: { BTC: '1.5' }, TradingBot: { BTC: '0.5' } };
    const { read } = await connected('bybit', { otherAccounts });
    expect(await read()).toEqual({
      amount: 5,
      elsewhere: [
        { account: 'Earn', kind: 'earning', amount: '1.5' },
        { account: 'TradingBot', kind: 'locked', amount: '0.5' },
      ],
      unread: [{ account: 'fund custodial sub-accounts', reason: 'not_served' }],
    });
  });

  it('are named when Gate shows only their sum, or when they cannot be read; their last amounts are kept', async () => {
    const otherAccounts = { margin: { BTC: '2' }, quant: { BTC: '1' }, 'sub-account 10003': { BTC: '3' } };
    const { causeway, read } = await connected('gate', { otherAccounts });
    const elsewhere = [
      { account: 'margin', kind: 'free', amount: '2' },
      { account: 'sub-account 10003', kind: 'sub_account', amount: '3' },
    ];
    const named = ['earn and unified accounts of sub-accounts', 'quant'].map((account) => ({
      account,
      reason: 'not_served' as const,
    }));
    expect(await read()).toEqual({ amount: 5, elsewhere, unread: named });
    await app.sandbox.arm({ endpoint: 'gate.margin.balances', fault: 'ip_refused' });
    app.clock.advance(HOUR_MS);
    const unread = [{ account: 'margin', reason: 'permission_missing' }, ...named];
    expect(await read()).toEqual({ amount: 5, elsewhere, unread });
    expect(await causeway.getWallet()).toMatchObject({ balances: { BTC: { total: 7 } }, unread });
  });

  it.each<[ExchangeId, AccountOptions]>([
    ['binance', {}],
    ['okx', {}],
    ['bybit', {}],
    ['bitget', {}],
    ['bitget', { isUnified: true }],
    ['gate', {}],
    ['kucoin', {}],
  ])('are sub-accounts at %s %j, which no sum contains and no withdrawal can draw on', async (exchange, options) => {
    const otherAccounts = { 'sub-account trader': { BTC: '2' }, 'sub-account saver': { BTC: '3' } };
    const { causeway, read } = await connected(exchange, { ...options, otherAccounts });
    const { amount, elsewhere } = await read();
    expect([amount, elsewhere?.filter(({ kind }) => kind === 'sub_account')]).toEqual([
      5,
      [
        { account: 'sub-account saver', kind: 'sub_account', amount: '3' },
        { account: 'sub-account trader', kind: 'sub_account', amount: '2' },
      ],
    ]);
    expect((await causeway.getWallet()).balances['BTC']).toMatchObject({ free: 5, used: 0, total: 5 });
  });

  it('are sub-accounts that a key without the permission cannot read, which costs nothing else', async () => {
    const otherAccounts = { Earn: { BTC: '1.5' }, 'sub-account trader': { BTC: '2' } };
    const { read } = await connected('bybit', { otherAccounts, permissions: ['query-funds', 'modify-trades'] });
    expect(await read()).toEqual({
      amount: 5,
      elsewhere: [{ account: 'Earn', kind: 'earning', amount: '1.5' }],
      unread: [
        { account: 'sub-accounts', reason: 'permission_missing' },
        { account: 'fund custodial sub-accounts', reason: 'not_served' },
      ],
    });
  });

  it('are at most ten sub-accounts of OKX in one reading; the further ones are named', async () => {
    const names = Array.from({ length: 12 }, (_, index) => [`sub-account s${index}`, { BTC: '1' }] as const);
    const { read } = await connected('okx', { otherAccounts: Object.fromEntries(names) });
    const { elsewhere, unread } = await read();
    expect(elsewhere).toHaveLength(10);
    expect(unread).toContainEqual({ account: 'further sub-accounts', reason: 'not_served' });
  });
});
