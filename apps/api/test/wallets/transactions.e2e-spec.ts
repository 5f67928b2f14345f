import type { Causeway, Input } from '#client';
import { until } from '#platform/testing';
import { PartnerSandbox } from '../support/partner-sandbox.js';
import { TestApp, type TestProjectWithClient, type TestWallet, type WalletClients } from '../support/test-app.js';
import { btcQuote, settled, type ErrorBody } from '../support/withdrawal-client.js';

type Query = Input<'listTransactions'>;

const PERIOD_MS = 900_000;
const HOUR_MS = 3_600_000;
const SETTLE_STEP_MS = 5_000;

const inOrder = (rows: unknown[]): unknown[] => rows.toSorted((a, b) => String(a).localeCompare(String(b)));

describe('the history of wallets', () => {
  let app: TestApp;
  let project: TestProjectWithClient;

  beforeAll(async () => {
    app = await TestApp.create({
      worker: true,
      env: { TRANSACTION_SYNC_SECONDS: String(PERIOD_MS / 1_000) },
      overrides: { TRANSACTION_SYNC_SWEEP_MS: 50, TRANSACTION_SYNC_PAGE_PAUSE_MS: 0, QUEUE_LEASE_MS: 500 },
    });
  });
  beforeEach(async () => {
    project = await app.project();
  });
  afterEach(() => app.sandbox.calm());
  afterAll(() => app.close());

  const list = (query: Query = {}, { causeway }: { causeway: Causeway } = project) => causeway.listTransactions(query);
  const refusal = async (
    query: object,
    { http }: Pick<WalletClients, 'http'> = project,
  ): Promise<[number, ErrorBody]> => {
    const { status, body } = await http.get<ErrorBody>('/v0/wallet/transactions', { query: { ...query } });
    return [status, body];
  };
  const progress = async ({ causeway }: WalletClients) => (await causeway.getWallet()).syncProgress;
  const isRead = (wallet: WalletClients): Promise<void> =>
    until('read', async () => (await progress(wallet))?.state === 'complete');
  /** Advances the clock by a whole period, so that every history is due. */
  const pass = (): void => app.clock.advance(PERIOD_MS + 1);
  const events = (): Promise<{ type: string; subject: string }[]> =>
    app.db.query(`select type, subject from events where project_id = $1 order by id`, [project.projectId]);

  it('contains every record of the account once, with the values that the exchange lists', async () => {
    const wallet = await app.wallet(project);
    const past = { from: new Date(Date.UTC(2021, 0, 1)), to: new Date(Date.UTC(2025, 0, 1)) };
    const account = await app.sandbox.open();
    await app.sandbox.makeHistory(account, { deposits: 700, withdrawals: 600, ...past });
    const { apiKey, apiSecret } = account;
    const old = app.clientsOf(project, 'old-account');
    await old.causeway.connectWallet({ exchange: 'kraken', apiKey, apiSecret });
    await isRead(old);
    await isRead(wallet);

    const records = await app.sandbox.records(account);
    const expected = [...records.deposits, ...records.withdrawals].map(({ refid, amount }) => [refid, Number(amount)]);
    const pages = [await list({ limit: 1000 }, old), await list({ limit: 1000, page: 1 }, old)];
    const shown = pages.flatMap(({ transactions }) => transactions);
    expect(inOrder(shown.map((one) => [one.exchangeTransactionId, one.amount]))).toEqual(inOrder(expected));
    expect(pages[1]?.pagination).toEqual({
      totalCount: expected.length,
      page: 1,
      limit: 1000,
      pageCount: 2,
      offset: 1000,
    });
    const times = shown.map(({ timestamp }) => timestamp);
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    expect(await progress(old)).toMatchObject({ records: expected.length, fraction: 1, state: 'complete' });
    expect((await list()).pagination.totalCount).toBe((await list({}, wallet)).pagination.totalCount + 1300);
  });

  it('adds a deposit, follows it until it is final, and publishes both changes', async () => {
    const wallet = await app.wallet(project);
    await isRead(wallet);
    const { refid } = await app.sandbox.fund(wallet.account, 'BTC', '0.25', { status: 'Settled' });
    pass();
    const find = async () => (await list({}, wallet)).transactions.find((t) => t.exchangeTransactionId === refid);
    await until('shown', async () => (await find())?.status === 'pending');
    expect(await find()).toMatchObject({ type: 'deposit', direction: 'in', amount: 0.25, currency: 'BTC' });
    await app.sandbox.finishDeposit(refid, 'Success');
    pass();
    await until('settled', async () => (await find())?.status === 'ok');
    const id = (await find())?.id;
    expect((await events()).filter(({ subject }) => subject === id).map(({ type }) => type)).toEqual([
      'transaction.created',
      'transaction.updated',
    ]);
  });

  it('shows our withdrawal and its record in the exchange’s history as one transaction', async () => {
    const wallet = await app.wallet(project);
    await isRead(wallet);
    const ids: string[] = [];
    for (const amount of ['0.1', '0.2']) {
      pass();
      const { id } = await btcQuote(wallet, amount);
      ids.push((await wallet.causeway.executeQuote({ quoteId: id })).result.transactionId);
    }
    for (const id of ids) expect(await settled(app, wallet, id, SETTLE_STEP_MS)).toMatchObject({ status: 'ok' });
    const deposit = await app.sandbox.fund(wallet.account, 'BTC', '0.3');
    pass();
    await until('read again', async () =>
      (await list({}, wallet)).transactions.some((t) => t.exchangeTransactionId === deposit.refid),
    );
    const shown = (await list({ type: 'withdrawal' }, wallet)).transactions;
    const booked = await app.sandbox.withdrawals(wallet.account);
    expect(inOrder(shown.map(({ id }) => id))).toEqual(inOrder(ids));
    expect(inOrder(shown.map((t) => t.exchangeTransactionId))).toEqual(inOrder(booked.map(({ refid }) => refid)));
  });

  it('shows an unsupported network under the exchange’s name, and can be filtered by that name', async () => {
    const wallet = await app.wallet(project, { balances: {} });
    await isRead(wallet);
    // This token arrives on Polygon, and differs from the usual USDC on that network.
    await app.sandbox.fund(wallet.account, 'USDC', '7', { method: 'USDC.e - Polygon (Unified)' });
    await app.sandbox.fund(wallet.account, 'BTC', '1');
    pass();
    await until('shown', async () => (await list({}, wallet)).pagination.totalCount === 2);
    const [variant, ...others] = (await list({ network: 'Kraken:Polygon (USDC.e)' }, wallet)).transactions;
    expect(others).toEqual([]);
    expect(variant).toMatchObject({ currency: 'USDC', amount: 7, network: 'kraken:polygon (usdc.e)' });
    const { network } = await wallet.causeway.getTransaction({ transactionId: variant?.id ?? '' });
    expect(network).toBe('kraken:polygon (usdc.e)');
    expect((await list({ network: 'polygon' }, wallet)).transactions).toEqual([]);
    const told = await app.db.query<{ network: string }>(
      `select data ->> 'network' as network from events where subject = $1`,
      [variant?.id],
    );
    expect(told).toEqual([{ network: 'kraken:polygon (usdc.e)' }]);
  });

  it('shows the amount and fee that the exchange reports, even when they differ from the quote', async () => {
    const wallet = await app.wallet(project);
    await isRead(wallet);
    await app.sandbox.arm({ endpoint: 'WithdrawStatus', fault: 'history_other_fee', count: null });
    const { id } = await btcQuote(wallet, '0.25');
    const { transactionId } = (await wallet.causeway.executeQuote({ quoteId: id })).result;
    const moved = { amount: 0.24985, feeCost: 0.0003 };
    expect(await settled(app, wallet, transactionId, SETTLE_STEP_MS)).toMatchObject({ status: 'ok', ...moved });
    // The next read of the history, which also returns the new deposit, changes neither the amount nor the fee.
    const deposit = await app.sandbox.fund(wallet.account, 'BTC', '0.3');
    pass();
    const listed = async () => (await list({}, wallet)).transactions;
    await until('read again', async () => (await listed()).some((t) => t.exchangeTransactionId === deposit.refid));
    expect((await listed()).find((t) => t.id === transactionId)).toMatchObject(moved);
    const [last] = await app.db.query(`select data from events where subject = $1 order by id desc limit 1`, [
      transactionId,
    ]);
    expect(last).toMatchObject({ data: moved });
    // The quote stays unchanged.
    expect(await wallet.causeway.getWithdrawal({ quoteId: id })).toMatchObject({
      quote: { exact: { amountNoFee: '0.25', estimatedFee: '0.00015' } },
    });
  });

  it('contains the records of the partner API', async () => {
    const wallet = await new PartnerSandbox(app, project).wallet({ mode: 'none', methods: [], relation: 'AND' });
    await isRead(wallet);
    const { refid } = await app.sandbox.fund(wallet.account, 'BTC', '0.25');
    pass();
    await until('shown', async () =>
      (await list({}, wallet)).transactions.some((t) => t.exchangeTransactionId === refid),
    );
    const { id: transactionId } = (await list({}, wallet)).transactions[0] ?? { id: '' };
    expect(await wallet.causeway.getTransaction({ transactionId })).toMatchObject({
      walletId: wallet.walletId,
      status: 'ok',
      amount: 0.25,
    });
  });

  it('is read from the point where the reading stopped, after calls to the exchange have failed', async () => {
    const account = await app.sandbox.open();
    const past = { from: new Date(Date.UTC(2021, 0, 1)), to: new Date(Date.UTC(2025, 0, 1)) };
    await app.sandbox.makeHistory(account, { deposits: 2600, ...past });
    const { apiKey, apiSecret } = account;
    // The worker reads two pages of the deposits, and its next three calls fail.
    await app.sandbox.arm({ endpoint: 'DepositStatus', fault: 'latency', delayMs: 1, count: 2 });
    await app.sandbox.arm({ endpoint: 'DepositStatus', fault: 'error_before', count: 3 });
    const interrupted = app.clientsOf(project, 'interrupted');
    await interrupted.causeway.connectWallet({ exchange: 'kraken', apiKey, apiSecret });
    const failures = `select max(failures) as failures from transaction_syncs`;
    await until('failing', async () => ((await app.db.query<{ failures: number }>(failures))[0]?.failures ?? 0) > 0);
    expect(await progress(interrupted)).toMatchObject({ state: 'reading', records: 1_000 });
    const counts: number[] = [];
    await until('read', async () => {
      app.clock.advance(1_000);
      const { state, records } = (await progress(interrupted)) ?? {};
      counts.push(records ?? 0);
      return state === 'complete';
    });
    const { deposits } = await app.sandbox.records(account);
    expect((await list({}, interrupted)).pagination.totalCount).toBe(deposits.length);
    // The progress counts each record that is read. A reading from the beginning would count records twice, or fall.
    expect(counts).toEqual(counts.toSorted((a, b) => a - b));
    expect([counts[0], counts.at(-1)]).toEqual([1_000, deposits.length]);
  });

  it.each([
    ['walletId', { walletId: 'no/slash' }],
    ['sinceDate', { sinceDate: 'yesterday' }],
    ['beforeDate', { beforeDate: '2026-02-30' }],
    ['asset', { asset: '' }],
    ['type', { type: 'gift' }],
    ['status', { status: 'done' }],
    ['direction', { direction: 'up' }],
    ['network', { network: 'x'.repeat(129) }],
    ['page', { page: 1001 }],
    ['limit', { limit: 0 }],
  ])('is refused for an invalid %s', async (field, query: object) => {
    const [status, body] = await refusal(query);
    expect([status, body.type, body.result?.fields?.map((each) => each.field)]).toEqual([
      ...[400, 'GENERIC_VALIDATION_ERROR', [field]],
    ]);
  });

  describe('is listed', () => {
    let wallet: TestWallet;
    let other: TestWallet;
    let listed: TestProjectWithClient;
    const at = (hours: number): number => Math.floor(app.clock.now().getTime() / 1_000) * 1_000 - hours * HOUR_MS;
    let hour3: number;

    beforeAll(async () => {
      listed = await app.project();
      wallet = await app.wallet(listed, { balances: {} });
      other = await app.wallet(listed, { balances: {} });
      await Promise.all([isRead(wallet), isRead(other)]);
      hour3 = at(3);
      await app.sandbox.fund(wallet.account, 'BTC', '1', { at: hour3 });
      await app.sandbox.fund(wallet.account, 'ETH', '2', { at: at(2) });
      await app.sandbox.fund(other.account, 'BTC', '3', { at: at(1), status: 'Settled' });
      pass();
      await until('shown', async () => (await list({}, listed)).pagination.totalCount === 3);
    });
    const amounts = async (query: Query, clients: { causeway: Causeway } = listed): Promise<number[]> =>
      (await list(query, clients)).transactions.map(({ amount }) => amount);

    it('for the project, or for a wallet by query or header, newest first', async () => {
      expect(await amounts({})).toEqual([3, 2, 1]);
      expect(await amounts({ walletId: wallet.walletId })).toEqual([2, 1]);
      expect(await amounts({}, wallet)).toEqual([2, 1]);
      for (const query of [undefined, { walletId: wallet.walletId }]) {
        const byHeader = await wallet.http.get<{ transactions: object[] }>('/v0/wallet/transactions', { query });
        expect(byHeader.body.transactions).toMatchObject([{ amount: 2 }, { amount: 1 }]);
      }
      const stranger = await app.project();
      expect(await amounts({}, stranger)).toEqual([]);
    });

    it('filtered by time, asset, type, status, direction and network', async () => {
      const iso = (time: number): string => new Date(time).toISOString();
      expect(await amounts({ sinceDate: iso(hour3) })).toEqual([3, 2, 1]);
      expect(await amounts({ sinceDate: iso(hour3 + 1_000) })).toEqual([3, 2]);
      expect(await amounts({ beforeDate: iso(hour3) })).toEqual([]);
      expect(await amounts({ beforeDate: iso(hour3 + 1_000) })).toEqual([1]);
      expect(await amounts({ asset: 'btc' })).toEqual([3, 1]);
      expect(await amounts({ type: 'deposit' })).toEqual([3, 2, 1]);
      expect(await amounts({ type: 'withdrawal' })).toEqual([]);
      expect(await amounts({ status: 'pending' })).toEqual([3]);
      expect(await amounts({ direction: 'in', status: 'ok' })).toEqual([2, 1]);
      expect(await amounts({ direction: 'out' })).toEqual([]);
      expect(await amounts({ network: 'bitcoin' })).toEqual([3, 1]);
      expect(await amounts({ network: 'ERC20' })).toEqual([2]);
      expect(await amounts({ network: 'nowhere' })).toEqual([]);
    });

    it('in pages', async () => {
      const pages = [
        await list({ limit: 2 }, listed),
        await list({ limit: 2, page: 1 }, listed),
        await list({ limit: 2, page: 2 }, listed),
      ];
      expect(pages.map(({ transactions }) => transactions.map(({ amount }) => amount))).toEqual([[3, 2], [1], []]);
      const pagination = { totalCount: 3, limit: 2, pageCount: 2 };
      expect(pages.map((page) => page.pagination)).toEqual([
        { ...pagination, page: 0, offset: 0 },
        { ...pagination, page: 1, offset: 2 },
        { ...pagination, page: 2, offset: 4 },
      ]);
    });

    it('only when query and header name the same wallet, and only for wallets that the project has had', async () => {
      const [status, body] = await refusal({ walletId: other.walletId }, wallet);
      expect([status, body.type, body.result?.fields?.[0]?.field]).toEqual([
        400,
        'GENERIC_VALIDATION_ERROR',
        'walletId',
      ]);
      expect((await refusal({ walletId: 'never-seen' }, listed))[1].type).toBe('WALLET_NOT_FOUND');
      const stranger = await app.project();
      const [code, answer] = await refusal({ walletId: wallet.walletId }, stranger);
      expect([code, answer.type]).toEqual([404, 'WALLET_NOT_FOUND']);
    });

    it('after the wallet was deleted, and with each record once after the wallet is connected again', async () => {
      await wallet.causeway.deleteWallet();
      expect(await amounts({ walletId: wallet.walletId })).toEqual([2, 1]);
      expect(await amounts({})).toEqual([3, 2, 1]);
      const { apiKey, apiSecret } = wallet.account;
      await wallet.causeway.connectWallet({ exchange: 'kraken', apiKey, apiSecret });
      await isRead(wallet);
      expect(await amounts({}, wallet)).toEqual([2, 1]);
    });
  });
});
