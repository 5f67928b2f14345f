import { DAY_MS } from '#platform/clock';
import type { Causeway, Input } from '#client';
import { refusalOf } from '../support/causeway-client.js';
import type { RequestOptions } from '../support/http-client.js';
import type { SandboxAccount } from '../support/sandbox.js';
import { TestApp, type TestProjectWithClient, type TestWallet } from '../support/test-app.js';

interface ErrorBody {
  error: string;
  type: string;
  result?: { fields?: { field: string }[] };
  supportedExchanges?: string[];
}

const CONNECT = '/v0/wallet/kraken/connect';

describe('wallets', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await TestApp.create();
  });
  afterEach(() => app.sandbox.calm());
  afterAll(() => app.close());

  const credentialsOf = ({ apiKey, apiSecret }: SandboxAccount): RequestOptions => ({ body: { apiKey, apiSecret } });
  const connect = ({ causeway }: { causeway: Causeway }, { apiKey, apiSecret }: SandboxAccount) =>
    causeway.connectWallet({ exchange: 'kraken', apiKey, apiSecret });
  const get = ({ causeway }: { causeway: Causeway }) => causeway.getWallet();
  const providerError = { status: 502, code: 'WITHDRAWAL_PROVIDER_ERROR' };

  describe('connecting', () => {
    it('stores a wallet whose credentials the exchange accepts, with its balances', async () => {
      const project = await app.project();
      const account = await app.sandbox.open({ balances: { BTC: '1.5', XRP: '20.25', USD: '7' } });
      const clients = app.clientsOf(project, 'customer:4711');
      const connected = await connect(clients, account);
      expect(connected).toMatchObject({
        id: 'customer:4711',
        walletId: 'customer:4711',
        exchange: 'kraken',
        projectId: project.projectId,
        ipPool: ['203.0.113.10', '203.0.113.11'],
        invalidApi: false,
      });
      expect(connected.balances).toEqual({
        BTC: { free: 1.5, used: 0, total: 1.5 },
        XRP: { free: 20.25, used: 0, total: 20.25 },
        USD: { free: 7, used: 0, total: 7 },
      });
      expect(await get(clients)).toEqual(connected);
    });

    it('replaces the credentials and keeps the wallet when the wallet id is already connected', async () => {
      const project = await app.project();
      const wallet = await app.wallet(project);
      const before = await get(wallet);
      await app.sandbox.revoke(wallet.account);
      const other = await app.sandbox.open({ balances: { ETH: '3' } });
      const again = await wallet.http.post<{ balances: object }>(CONNECT, credentialsOf(other));
      expect(again.status).toBe(200);
      expect(again.body).toMatchObject({ id: before.id, createdAt: before.createdAt, invalidApi: false });
      expect(Object.keys(again.body.balances)).toEqual(['ETH']);
      expect((await wallet.causeway.pingWallet()).status).toBe('SUCCESS');
    });

    it('stores nothing when the exchange rejects the credentials', async () => {
      const project = await app.project();
      const account = await app.sandbox.open();
      const clients = app.clientsOf(project, 'w');
      const unknownKey = await app.sandbox.open();
      await app.sandbox.revoke(unknownKey);
      const refusal = await refusalOf(connect(clients, unknownKey));
      expect(refusal).toMatchObject({ status: 400, code: 'WALLET_INVALID_CREDENTIALS' });
      expect(refusal.message).toMatch(/invalid .*credentials/i);
      expect((await refusalOf(get(clients))).code).toBe('WALLET_NOT_FOUND');
      expect((await clients.http.post(CONNECT, credentialsOf(account))).status).toBe(201);
    });

    it.each(['service_unavailable', 'error_before', 'http_429', 'malformed_before', 'request_lost', 'hang_before'])(
      'stores nothing and does not report the credentials as invalid when the exchange fails: %s',
      async (fault) => {
        const project = await app.project();
        const account = await app.sandbox.open();
        await app.sandbox.arm({ endpoint: '*', fault, count: null, apiKey: account.apiKey });
        const clients = app.clientsOf(project, 'w');
        expect(await refusalOf(connect(clients, account))).toMatchObject(providerError);
        expect((await refusalOf(get(clients))).code).toBe('WALLET_NOT_FOUND');
      },
    );

    it('names the missing credentials', async () => {
      const { http } = await app.project();
      const answer = await http.post<ErrorBody>(CONNECT, { headers: { 'x-svc-wallet-id': 'w' }, body: {} });
      expect(answer.body.type).toBe('GENERIC_VALIDATION_ERROR');
      expect(answer.body.result?.fields?.map(({ field }) => field)).toEqual(['apiKey', 'apiSecret']);
    });

    it('lists the supported exchanges when the requested exchange is unknown', async () => {
      const { http } = await app.project();
      const account = await app.sandbox.open();
      const answer = await http.post<ErrorBody>('/v0/wallet/mtgox/connect', {
        ...credentialsOf(account),
        headers: { 'x-svc-wallet-id': 'w' },
      });
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({
        type: 'GENERIC_INVALID_REQUEST',
        supportedExchanges: [
          ...['kraken', 'coinbase', 'bitstamp', 'gemini', 'binance', 'okx', 'bybit', 'kucoin', 'gate', 'bitget'],
          'sandbox',
        ],
      });
    });

    it('keeps the API secret out of the log and the database', async () => {
      const { account } = await app.wallet(await app.project());
      expect(app.logLines.length).toBeGreaterThan(0);
      expect(app.logLines.filter((line) => line.includes(account.apiSecret))).toEqual([]);
      const rows = await app.db.query<{ sealed: string }>('select sealed::text as sealed from wallet_credentials');
      expect(rows.length).toBeGreaterThan(0);
      expect(rows.filter(({ sealed }) => sealed.includes(account.apiSecret))).toEqual([]);
    });
  });

  describe('projects', () => {
    it('may use the same wallet id, and never see each other’s wallet', async () => {
      const [mine, other] = [await app.project(), await app.project()];
      const [ours, theirs] = [app.clientsOf(mine, 'same'), app.clientsOf(other, 'same')];
      await connect(ours, await app.sandbox.open({ balances: { BTC: '1' } }));
      expect((await refusalOf(get(theirs))).status).toBe(404);

      await connect(theirs, await app.sandbox.open({ balances: { ETH: '2' } }));
      expect(Object.keys((await get(ours)).balances)).toEqual(['BTC']);
      expect(Object.keys((await get(theirs)).balances)).toEqual(['ETH']);
      expect((await other.causeway.listWallets()).pagination.totalCount).toBe(1);
      await theirs.causeway.deleteWallet();
      expect((await get(ours)).walletId).toBe('same');
    });

    it('get the same response for a wallet of another project and for an unknown wallet', async () => {
      const owner = await app.wallet(await app.project());
      const { http } = await app.project();
      const before = await app.sandbox.countCalls(owner.account);
      const request = { asset: 'BTC', amount: '0.1', address: 'bc1q5r7pezjvsdku62zap44ryk6ssfnrqre58gqvvq' };
      const calls = [
        (headers: Record<string, string>) => http.get('/v0/wallet', { headers }),
        (headers: Record<string, string>) => http.delete('/v0/wallet', { headers }),
        (headers: Record<string, string>) => http.get('/v0/wallet/ping', { headers }),
        (headers: Record<string, string>) => http.get('/v0/wallet/withdraw/balance', { headers }),
        (headers: Record<string, string>) => http.get('/v0/wallet/info/fee?asset=BTC', { headers }),
        (headers: Record<string, string>) => http.post('/v0/wallet/withdraw/quote', { headers, body: request }),
        (headers: Record<string, string>) =>
          http.put('/v0/wallet/withdraw/01890000-0000-7000-8000-000000000000/execute', { headers, body: {} }),
      ];
      for (const call of calls) {
        const [foreign, absent] = await Promise.all(
          [owner.walletId, 'absent'].map((id) => call({ 'x-svc-wallet-id': id })),
        );
        expect(foreign?.status).toBe(404);
        expect({ ...foreign?.body, requestId: '' }).toEqual({ ...absent?.body, requestId: '' });
      }
      expect(await app.sandbox.countCalls(owner.account)).toBe(before);
      expect((await get(owner)).walletId).toBe(owner.walletId);
    });
  });

  describe('listing', () => {
    let project: TestProjectWithClient;
    let wallets: TestWallet[];

    beforeAll(async () => {
      project = await app.project();
      wallets = [];
      for (let count = 0; count < 3; count += 1) wallets.push(await app.wallet(project, { balances: { BTC: '2' } }));
      const [, second] = wallets;
      if (second === undefined) throw new Error('three wallets were connected');
      await app.sandbox.revoke(second.account);
      await second.causeway.pingWallet();
    });

    type Query = Input<'listWallets'>;
    const list = (query: Query = {}) => project.causeway.listWallets(query);
    const ids = async (query: Query): Promise<string[]> => (await list(query)).wallets.map(({ id }) => id);
    const newestFirst = (): string[] => wallets.map(({ walletId }) => walletId).reverse();

    it('shows all wallets of the project, newest first, with their totals', async () => {
      const { wallets: entries, pagination } = await list();
      expect(entries.map(({ id }) => id)).toEqual(newestFirst());
      expect(entries[0]).toMatchObject({ exchange: 'kraken', projectId: project.projectId, balances: { BTC: 2 } });
      expect(pagination).toEqual({ totalCount: 3, page: 0, limit: 10, pageCount: 1 });
    });

    it('returns pages without gaps and repetitions', async () => {
      const pages = [
        await list({ limit: 2, page: 0 }),
        await list({ limit: 2, page: 1 }),
        await list({ limit: 2, page: 2 }),
      ];
      expect(pages.flatMap(({ wallets: entries }) => entries.map(({ id }) => id))).toEqual(newestFirst());
      expect(pages.map(({ pagination }) => pagination)).toEqual(
        [0, 1, 2].map((page) => ({ totalCount: 3, page, limit: 2, pageCount: 2 })),
      );
    });

    it('filters by validity of the credentials', async () => {
      const [first, second, third] = wallets.map(({ walletId }) => walletId);
      expect(await ids({ invalidApi: 'true' })).toEqual([second]);
      expect(await ids({ invalidApi: 'false' })).toEqual([third, first]);
      expect(await ids({ invalidApi: 'null' })).toEqual(newestFirst());
    });

    it('filters by exchange; null shows the wallets of all exchanges', async () => {
      const mixed = await app.project();
      const kraken = await app.wallet(mixed);
      const coinbase = app.clientsOf(mixed, 'wallet-at-coinbase');
      const { apiKey, apiSecret } = await app.sandbox.openCoinbase();
      await coinbase.causeway.connectWallet({ exchange: 'coinbase', apiKey, apiSecret });
      const idsAt = async (exchange: string): Promise<string[]> =>
        (await mixed.causeway.listWallets({ exchange })).wallets.map(({ id }) => id);
      expect(await idsAt('kraken')).toEqual([kraken.walletId]);
      expect(await idsAt('coinbase')).toEqual([coinbase.walletId]);
      expect(await idsAt('okx')).toEqual([]);
      expect(await idsAt('null')).toEqual([coinbase.walletId, kraken.walletId]);
    });

    it('filters by times: since is inclusive, before is exclusive', async () => {
      const [, second] = wallets;
      const { createdAt, lastSyncAt } = await project.causeway.getWallet({ walletId: second?.walletId ?? '' });
      if (lastSyncAt === null) throw new Error('the wallet was read at connecting');
      const [newest, middle, oldest] = newestFirst();
      expect(await ids({ createdSince: createdAt })).toEqual([newest, middle]);
      expect(await ids({ createdBefore: createdAt })).toEqual([oldest]);
      expect(await ids({ lastSyncSince: lastSyncAt })).toEqual([newest, middle]);
      expect(await ids({ lastSyncBefore: lastSyncAt })).toEqual([oldest]);
      expect(await ids({ createdSince: new Date(Date.now() + DAY_MS).toISOString() })).toEqual([]);
    });

    it('returns the requested fields, and always the identifiers', async () => {
      const { wallets: entries } = await list({ fields: 'exchange,invalidApi', limit: 1 });
      const [id] = newestFirst();
      expect(entries).toEqual([{ id, walletId: id, exchange: 'kraken', invalidApi: false }]);
    });

    it.each(['fields=exchange,secret', 'createdSince=yesterday', 'createdBefore=2026-02-30', 'invalidApi=maybe'])(
      'refuses %s, and the error names the parameter',
      async (query) => {
        const answer = await project.http.get<ErrorBody>(`/v0/wallet/list?${query}`);
        expect(answer.status).toBe(400);
        expect(answer.body.type).toBe('GENERIC_VALIDATION_ERROR');
        expect(answer.body.result?.fields?.map(({ field }) => field)).toEqual([query.split('=')[0]]);
      },
    );
  });

  describe('a ping', () => {
    const ping = ({ causeway }: TestWallet) => causeway.pingWallet();

    it('returns what the exchange reports about valid credentials', async () => {
      const wallet = await app.wallet(await app.project(), { ipAllowlist: ['127.0.0.1'] });
      const report = await ping(wallet);
      expect(report).toMatchObject({ id: wallet.walletId, exchange: 'kraken', status: 'SUCCESS', success: true });
      expect(report).toMatchObject({ ipAllowlist: ['127.0.0.1'] });
      expect(report.permissions).not.toHaveLength(0);
    });

    it('reports invalid credentials and flags the wallet until they are valid again', async () => {
      const wallet = await app.wallet(await app.project());
      await app.sandbox.revoke(wallet.account);
      const invalid = { status: 'INVALID_API_CREDENTIALS', success: false, permissions: [], validUntil: null };
      expect(await ping(wallet)).toMatchObject(invalid);
      expect((await get(wallet)).invalidApi).toBe(true);
      await app.sandbox.restore(wallet.account);
      expect((await ping(wallet)).status).toBe('SUCCESS');
      expect((await get(wallet)).invalidApi).toBe(false);
    });

    it.each(['service_unavailable', 'error_before', 'wrong_nonce', 'hang_before', 'http_429'])(
      'does not flag the wallet when the exchange fails: %s',
      async (fault) => {
        const wallet = await app.wallet(await app.project());
        await app.sandbox.arm({ endpoint: '*', fault, count: null, apiKey: wallet.account.apiKey });
        expect(await refusalOf(ping(wallet))).toMatchObject(providerError);
        expect((await get(wallet)).invalidApi).toBe(false);
      },
    );
  });

  describe('deleting', () => {
    it('hides the wallet at once and erases its credentials and balances', async () => {
      const project = await app.project();
      const wallet = await app.wallet(project);
      expect((await wallet.causeway.deleteWallet()).success).toBe(true);
      expect((await refusalOf(get(wallet))).code).toBe('WALLET_NOT_FOUND');
      expect((await refusalOf(wallet.causeway.deleteWallet())).code).toBe('WALLET_NOT_FOUND');
      expect((await project.causeway.listWallets()).wallets).toEqual([]);
      const left = await app.db.query(
        `select w.id from wallets w where w.external_id = $1
           and (exists (select from wallet_credentials c where c.wallet_id = w.id)
             or exists (select from wallet_balances b where b.wallet_id = w.id))`,
        [wallet.walletId],
      );
      expect(left).toEqual([]);
    });

    it('leaves the wallet id free for another account', async () => {
      const wallet = await app.wallet(await app.project());
      await wallet.causeway.deleteWallet();
      const other = await app.sandbox.open({ balances: { ETH: '1' } });
      const again = await wallet.http.post<{ balances: object }>(CONNECT, credentialsOf(other));
      expect(again.status).toBe(201);
      expect(Object.keys(again.body.balances)).toEqual(['ETH']);
    });
  });

  describe('automatic deletion', () => {
    const refusedBalance = ({ causeway }: TestWallet, query: Input<'getWithdrawalBalance'> = {}) =>
      refusalOf(causeway.getWithdrawalBalance(query));

    it('happens when the exchange rejects the key twice', async () => {
      const wallet = await app.wallet(await app.project());
      await app.sandbox.revoke(wallet.account);
      expect(await refusedBalance(wallet)).toMatchObject({
        status: 400,
        code: 'WALLET_INVALID_CREDENTIALS',
        result: { walletDeleted: true },
      });
      expect((await refusalOf(get(wallet))).status).toBe(404);
    });

    it('does not happen when the caller declines it', async () => {
      const wallet = await app.wallet(await app.project());
      await app.sandbox.revoke(wallet.account);
      const refusal = await refusedBalance(wallet, { autoDeleteIfInvalid: false });
      expect(refusal).toMatchObject({ code: 'WALLET_INVALID_CREDENTIALS', result: { walletDeleted: false } });
      expect((await get(wallet)).invalidApi).toBe(true);
    });

    it('does not happen when only one of two calls is rejected', async () => {
      const wallet = await app.wallet(await app.project());
      await app.sandbox.arm({ endpoint: '*', fault: 'revoked_key', count: 1, apiKey: wallet.account.apiKey });
      expect((await refusedBalance(wallet)).code).toBe('WITHDRAWAL_PROVIDER_ERROR');
      expect((await get(wallet)).invalidApi).toBe(false);
    });

    it.each(['service_unavailable', 'error_before', 'wrong_nonce', 'rate_limit', 'http_429', 'malformed_before'])(
      'does not happen when the exchange fails: %s',
      async (fault) => {
        const wallet = await app.wallet(await app.project());
        await app.sandbox.arm({ endpoint: '*', fault, count: null, apiKey: wallet.account.apiKey });
        expect(await refusedBalance(wallet)).toMatchObject(providerError);
        expect((await get(wallet)).invalidApi).toBe(false);
      },
    );
  });
});
