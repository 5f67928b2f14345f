import type { Answer } from '../support/documented-responses.js';
import { documentedRoutes } from '../support/documented-routes.js';
import type { HttpClient } from '../support/http-client.js';
import { ADMIN_TOKEN, TestApp, type TestProjectWithClient, type TestWallet } from '../support/test-app.js';
import type { ErrorBody } from '../support/withdrawal-client.js';

const BALANCE = '/v0/wallet/withdraw/balance';
const ADDRESS = '/v0/wallet/deposit/address?asset=BTC&network=bitcoin';
const HOUR_MS = 3_600_000;

interface Operation {
  'x-keeps-cache'?: string;
  'x-required-scopes'?: string[];
  security?: unknown[];
}

interface BalanceBody extends ErrorBody {
  lastSyncAt: string;
  balances: { asset: string; amount: number; networks: unknown[] }[];
}

const type = ({ status, body }: Answer): string => `${status} ${String(body['type'])}`;

describe('cache directives', () => {
  let app: TestApp;
  let project: TestProjectWithClient;
  let wallet: TestWallet;

  beforeAll(async () => {
    app = await TestApp.create({ env: { BALANCE_CACHE_SECONDS: String(HOUR_MS / 1_000) } });
    project = await app.project();
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    wallet = await app.wallet(project);
  });

  const get = <Body = Record<string, unknown>>(path: string, directives: string): Promise<Answer<Body>> =>
    wallet.http.get(path, { headers: { 'cache-control': directives } });

  describe('at endpoints without a cache', () => {
    const send = (http: HttpClient, method: string, path: string, headers: Record<string, string>): Promise<Answer> => {
      if (method === 'post' || method === 'put') return http[method](path, { headers, body: {} });
      return method === 'delete' ? http.delete(path, { headers }) : http.get(path, { headers });
    };
    const others = (): [string, string, Operation][] =>
      Object.entries(documentedRoutes(app.document)).flatMap(([template, operations]) =>
        Object.entries(operations as Record<string, Operation>)
          .filter(([, operation]) => operation['x-keeps-cache'] === undefined)
          .map(([method, operation]): [string, string, Operation] => [
            method,
            template.replaceAll(/\{[^}]+\}/g, '-'),
            operation,
          ]),
      );

    it('only-if-cached is refused on every route, before the parameters are checked', async () => {
      const headers = { 'cache-control': 'max-age=5, Only-If-Cached', authorization: `Bearer ${ADMIN_TOKEN}` };
      const answers = await Promise.all(
        others().map(async ([method, path]) => [path, type(await send(project.http, method, path, headers))]),
      );
      expect(answers).toEqual(answers.map(([path]) => [path, '400 CACHE_INVALID_PATH']));
      expect(answers.length).toBeGreaterThan(20);
    });

    it('credentials and scopes are checked before only-if-cached', async () => {
      const { http } = await app.project({ scopes: ['kyc'] });
      const headers = { 'cache-control': 'only-if-cached' };
      for (const [method, path, operation] of others()) {
        if (operation.security?.length === 0) continue;
        expect([path, type(await send(app.http, method, path, headers))]).toEqual([path, '401 GENERIC_UNAUTHORIZED']);
        if ((operation['x-required-scopes'] ?? []).length === 0) continue;
        const refused = type(await send(http, method, path, headers));
        expect([path, refused]).toEqual([path, '403 APIKEY_INSUFFICIENT_PERMISSIONS']);
      }
    });

    it('a request refused for only-if-cached changes nothing, and its Idempotency-Key can be used again', async () => {
      const body = { apiKey: wallet.account.apiKey, apiSecret: wallet.account.apiSecret };
      const headers = { 'idempotency-key': 'cached', 'x-svc-wallet-id': 'not-yet' };
      const connect = (more: Record<string, string>) =>
        project.http.post('/v0/wallet/kraken/connect', { body, headers: { ...headers, ...more } });
      expect(type(await connect({ 'cache-control': 'only-if-cached' }))).toBe('400 CACHE_INVALID_PATH');
      expect((await connect({})).status).toBe(201);
    });

    it('other directives have no effect', async () => {
      for (const directives of ['no-cache', 'max-age=0', 'no-store, only-if-cached-not', 'x="only-if-cached"']) {
        expect((await get('/v0/wallet', directives)).status).toBe(200);
      }
    });
  });

  it('data of a project is never stored by caches between client and API', async () => {
    for (const path of ['/v0/wallet', '/v0/wallet/list', '/v0/organization/api-key', BALANCE, ADDRESS]) {
      const { status, headers } = await wallet.http.get(path);
      expect([path, status, headers['cache-control']]).toEqual([path, 200, 'no-store']);
    }
  });

  it('tickers, which never cause a call to an exchange, accept every directive', async () => {
    const { status, body } = await get('/v0/market/kraken/tickers', 'only-if-cached, max-age=0');
    expect([status, body['type']]).toEqual([404, 'GENERIC_NOT_FOUND']);
  });

  describe('of withdrawal balances', () => {
    const calls = (): Promise<number> => app.sandbox.countCalls(wallet.account);

    it('only-if-cached returns the stored balances with their age, and never calls the exchange', async () => {
      const before = await calls();
      expect(type(await get(BALANCE, 'only-if-cached'))).toBe('504 CACHE_MISS');
      expect(await calls()).toBe(before);
      const asked = await wallet.http.get<BalanceBody>(BALANCE);
      expect(asked.headers['age']).toBeUndefined();
      const after = await calls();
      app.clock.advance(HOUR_MS - 30_000);
      const stored = await get<BalanceBody>(BALANCE, 'only-if-cached');
      expect(stored.body).toEqual(asked.body);
      expect(Number(stored.headers['age'])).toBeGreaterThanOrEqual(HOUR_MS / 1_000 - 31);
      app.clock.advance(30_000);
      expect(type(await get(BALANCE, 'only-if-cached'))).toBe('504 CACHE_EXPIRED');
      expect((await get(BALANCE, `only-if-cached, max-age=${2 * HOUR_MS}`)).status).toBe(200);
      expect(await calls()).toBe(after);
    });

    it('max-age narrows the refresh threshold, and no-cache sets it to zero', async () => {
      await wallet.http.get(BALANCE);
      const before = await calls();
      app.clock.advance(60_000);
      const stored = await get(`${BALANCE}?balanceRefreshThreshold=10`, 'max-age="300"');
      expect([stored.status, await calls()]).toEqual([200, before]);
      expect(Number(stored.headers['age'])).toBeGreaterThanOrEqual(60);
      expect(type(await get(`${BALANCE}?balanceRefreshThreshold=1`, 'max-age=300, only-if-cached'))).toBe(
        '504 CACHE_EXPIRED',
      );
      for (const [query, directives] of [
        ['?balanceRefreshThreshold=10', 'no-cache, max-age=300'],
        ['?balanceRefreshThreshold=10', 'max-age=30'],
        ['?balanceRefreshThreshold=10', 'max-age=soon'],
        // Some proxies add this directive to requests that have none. It must not make the API return older data.
        ['', 'max-age=259200'],
      ] as const) {
        app.clock.advance(60_000);
        const known = await calls();
        const asked = await get(`${BALANCE}${query}`, directives);
        expect([asked.status, asked.headers['age']]).toEqual([200, undefined]);
        expect(await calls()).toBeGreaterThan(known);
      }
    });

    it('the balances of an account are not returned after the wallet was connected to another account', async () => {
      await wallet.http.get(BALANCE);
      app.clock.advance(1_000);
      const { apiKey, apiSecret } = await app.sandbox.open({ balances: { DOGE: '7' } });
      await wallet.http.post('/v0/wallet/kraken/connect', { body: { apiKey, apiSecret } });
      expect(type(await get(BALANCE, 'only-if-cached'))).toBe('504 CACHE_MISS');
      const { body } = await get<BalanceBody>(BALANCE, 'max-age=300');
      expect(body.balances.map(({ asset, amount }) => [asset, amount])).toEqual([['DOGE', 7]]);
    });
  });

  describe('of deposit addresses', () => {
    it('only-if-cached returns the stored address with its age, and never calls the exchange', async () => {
      const calls = (): Promise<number> => app.sandbox.countCalls(wallet.account);
      const before = await calls();
      expect(type(await get(ADDRESS, 'only-if-cached'))).toBe('504 CACHE_MISS');
      expect(await calls()).toBe(before);
      const asked = await wallet.http.get(ADDRESS);
      const after = await calls();
      app.clock.advance(60_000);
      const stored = await get(ADDRESS, 'only-if-cached');
      expect(stored.body).toEqual({ ...asked.body, cached: true });
      expect(Number(stored.headers['age'])).toBeGreaterThanOrEqual(60);
      for (const directives of [
        'max-age=59, only-if-cached',
        'no-cache, only-if-cached',
        'only-if-cached, max-age=-1',
      ]) {
        expect(type(await get(ADDRESS, directives))).toBe('504 CACHE_EXPIRED');
      }
      expect(type(await get(`${ADDRESS}&reusePolicy=create_new`, 'only-if-cached'))).toBe('504 CACHE_MISS');
      expect(await calls()).toBe(after);
      expect((await get(ADDRESS, 'max-age=59')).body).toMatchObject({ cached: false });
      expect(await calls()).toBeGreaterThan(after);
    });

    it('parameters and wallet are checked before only-if-cached', async () => {
      expect(type(await get('/v0/wallet/deposit/address', 'only-if-cached'))).toBe('400 DEPOSIT_ASSET_REQUIRED');
      wallet = { ...wallet, http: project.http.with({ 'x-svc-wallet-id': 'nobody' }) };
      expect(type(await get(ADDRESS, 'only-if-cached'))).toBe('404 WALLET_NOT_FOUND');
    });
  });
});
