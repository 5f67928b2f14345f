import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { StubExchange } from '#exchange/testing';
import { until } from '#platform/testing';
import type { HttpClient } from '../support/http-client.js';
import { sendRaw, type RawAnswer } from '../support/raw-http.js';
import { TestApp, type TestProjectWithClient } from '../support/test-app.js';
import type { ErrorBody } from '../support/withdrawal-client.js';

interface Catalogue extends ErrorBody {
  schemaVersion: number;
  exchange: string;
  generatedAt: string;
  source: { api: string; fetchedAt: string };
  assets: { assetId: string; exchangeSymbols: string[] }[];
  routes: {
    routeId: string;
    baseAsset: string;
    quoteAsset: string;
    exchangeSymbol: string;
    isTradingEnabled: boolean;
    orderTypes: string[];
    tradingRules: { price: { tickSize: string }; quantity: { minBaseQty: string; stepSize: string } };
  }[];
  stats: { totalAssets: number; totalRoutes: number; tradableRoutes: number };
  supportedExchanges?: string[];
}

const PATH = '/v0/wallet/trade/tradable-assets';
const PAIRS = 'GET /0/public/AssetPairs';
const PLAYED = [
  ...['kraken', 'coinbase', 'bitstamp', 'gemini', 'binance', 'okx', 'bybit', 'kucoin', 'gate', 'bitget'],
  'sandbox',
];
const MAX_AGE_MS = 7_200_000;
const RETRY_MS = 5_000;
const FORCED_MS = 60_000;
const REFRESH_SECONDS = 3_600;

/** A pair in the form that docs.kraken.com/api-reference/market-data/get-tradable-asset-pairs documents. */
const livePair = (tick: string): object => ({
  altname: 'XBTUSD',
  wsname: 'XBT/USD',
  aclass_base: 'currency',
  base: 'XXBT',
  aclass_quote: 'currency',
  quote: 'ZUSD',
  lot: 'unit',
  cost_decimals: 5,
  pair_decimals: 1,
  lot_decimals: 8,
  lot_multiplier: 1,
  leverage_buy: [2],
  leverage_sell: [2],
  fees: [[0, 0.4]],
  fees_maker: [[0, 0.25]],
  fee_volume_currency: 'ZUSD',
  margin_call: 80,
  margin_stop: 40,
  ordermin: '0.00005',
  costmin: '0.5',
  tick_size: tick,
  status: 'online',
});

describe('tradable assets', () => {
  let app: TestApp;
  let live: StubExchange;
  let project: TestProjectWithClient;

  beforeAll(async () => {
    live = await StubExchange.start();
    live.on(PAIRS, (_call, response) => void response.writeHead(503).end());
    app = await TestApp.create({
      worker: true,
      env: {
        CATALOGUE_EXCHANGES: 'kraken',
        EXCHANGE_KRAKEN_URL: live.url,
        EXCHANGE_TIMEOUT_MS: '10000',
      },
      overrides: { CATALOGUE_REFRESH_SECONDS: REFRESH_SECONDS, CATALOGUE_MAX_AGE_SECONDS: MAX_AGE_MS / 1_000 },
    });
    project = await app.project();
  });
  afterEach(() => app.sandbox.calm());
  afterAll(async () => {
    await app.close();
    await live.close();
  });

  const read = (query: Record<string, string | string[]>, headers = {}, http: HttpClient = project.http) =>
    http.get<Catalogue>(PATH, { query, headers });
  const raw = (query: string, headers: Record<string, string> = {}): Promise<RawAnswer> =>
    sendRaw(`${app.url}${PATH}?${query}`, { ...project.headers, ...headers });

  it('are stored by the worker for every exchange with a list of pairs, and are read without a call to the exchange', async () => {
    const deadline = Date.now() + 20_000;
    const isStored = async (exchange: string): Promise<boolean> => {
      const { status } = await read({ exchange }, { 'cache-control': 'only-if-cached' });
      if (Date.now() > deadline) throw new Error(`not stored: ${exchange}`);
      return status === 200;
    };
    for (const exchange of PLAYED) {
      await until(`the list of ${exchange}`, () => isStored(exchange));
      const { body, headers } = await read({ exchange });
      expect(body).toMatchObject({ schemaVersion: 1, exchange });
      expect(Number(headers['age'])).toBeLessThan(60);
      expect(body.stats.totalRoutes).toBe(body.routes.length);
      expect(body.stats.totalAssets).toBe(body.assets.length);
      // Some exchanges trade for stablecoins only.
      const ids = ['BTC-USD', 'BTC-USDT'].map((pair) => `${exchange}:spot:${pair}`);
      const bitcoin = body.routes.find(({ routeId }) => ids.includes(routeId));
      expect(bitcoin?.isTradingEnabled).toBe(true);
      expect(Number(bitcoin?.tradingRules.price.tickSize)).toBeGreaterThan(0);
      expect(body.routes.length).toBeGreaterThan(50);
    }
  });

  it('of Kraken have common asset codes, the exchange’s own symbols, and tick sizes that are not powers of ten', async () => {
    const { body } = await read({ exchange: 'kraken' });
    expect(body.source.api).toBe('/0/public/AssetPairs');
    const ticks = body.routes.map(({ tradingRules }) => tradingRules.price.tickSize);
    expect(ticks.some((tick) => /[2-9]/.test(tick))).toBe(true);
    const doge = body.assets.find(({ assetId }) => assetId === 'DOGE');
    expect(doge?.exchangeSymbols).toEqual(['XXDG']);
  });

  it('are those of the wallet’s exchange, even when the query names another exchange', async () => {
    const wallet = await app.wallet(project);
    const walletHeader = { 'x-svc-wallet-id': wallet.walletId };
    for (const exchange of [null, 'gemini', 'mtgox']) {
      expect((await read(exchange === null ? {} : { exchange }, walletHeader)).body).toMatchObject({
        exchange: 'kraken',
      });
    }
    const { status, body } = await read({ exchange: 'kraken' }, { 'x-svc-wallet-id': 'nobody' });
    expect([status, body.type]).toEqual([404, 'WALLET_NOT_FOUND']);
  });

  it('are refused without an exchange, and for an exchange without a list', async () => {
    const neither = await read({});
    expect([neither.status, neither.body.type]).toEqual([400, 'GENERIC_VALIDATION_ERROR']);
    for (const exchange of ['mtgox', 'KRAKEN', 'htx', '', 'constructor']) {
      const { status, body } = await read({ exchange });
      expect([status, body.type, body.supportedExchanges]).toEqual([400, 'GENERIC_VALIDATION_ERROR', PLAYED]);
    }
    const blind = await app.project({ scopes: ['trade'] });
    const { status, body } = await read({ exchange: 'kraken' }, {}, blind.http);
    expect([status, body.type]).toEqual([403, 'APIKEY_INSUFFICIENT_PERMISSIONS']);
  });

  it('can be filtered by source and destination asset, and name only the assets of the matching routes', async () => {
    const routes = async (query: Record<string, string>): Promise<string[]> => {
      const { body } = await read({ exchange: 'kraken', ...query });
      const named = new Set(body.routes.flatMap(({ baseAsset, quoteAsset }) => [baseAsset, quoteAsset]));
      expect(body.assets.map(({ assetId }) => assetId)).toEqual([...named].sort());
      expect(body.stats).toMatchObject({ totalRoutes: body.routes.length, totalAssets: named.size });
      return body.routes.map(({ routeId }) => routeId.slice('kraken:spot:'.length));
    };
    expect(await routes({ source: 'btc, ETH', destination: 'Usd' })).toEqual(['BTC-USD', 'ETH-USD']);
    expect(await routes({ sources: 'BTC', source: 'ETH', destinations: 'USD,nope' })).toEqual(['BTC-USD', 'ETH-USD']);
    expect(await routes({ source: 'ETH', destination: 'BTC' })).toEqual(['ETH-BTC']);
    expect(await routes({ source: 'nope' })).toEqual([]);
    expect((await routes({ source: '', destination: ' , ' })).length).toBeGreaterThan(50);
    for (const source of ['A,'.repeat(1_001), ['BTC', 'ETH']]) {
      const { status, body } = await read({ exchange: 'kraken', source });
      expect([status, body.type]).toEqual([400, 'GENERIC_VALIDATION_ERROR']);
    }
  });

  it('are compressed, private to one caller, and not sent again while they are unchanged (304)', async () => {
    const [plain, gzip, br] = await Promise.all(
      ['identity', 'gzip', 'br'].map((encoding) => raw('exchange=kraken', { 'accept-encoding': encoding })),
    );
    if (plain === undefined || gzip === undefined || br === undefined) throw new Error('no answers');
    expect(gunzipSync(gzip.body).equals(plain.body)).toBe(true);
    expect(brotliDecompressSync(br.body).equals(plain.body)).toBe(true);
    expect(br.body.length).toBeLessThan(plain.body.length / 10);
    for (const { headers } of [plain, gzip, br]) {
      expect(headers['cache-control']).toBe(`private, max-age=${REFRESH_SECONDS}`);
      expect(headers['vary']).toBe('accept-encoding, x-svc-api-key, x-svc-org-id, x-svc-project-id, x-svc-wallet-id');
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
    }
    const etag = br.headers['etag'] ?? '';
    const again = await raw('exchange=kraken', { 'accept-encoding': 'br', 'if-none-match': etag });
    expect([again.status, again.body.length, again.headers['etag']]).toEqual([304, 0, etag]);
    const other = await raw('exchange=kraken&source=BTC', { 'accept-encoding': 'br', 'if-none-match': etag });
    expect(other.status).toBe(200);
  });

  it('change with the exchange’s list, and keep ETag and generatedAt while the list is unchanged', async () => {
    const newly = async (): Promise<{ body: Catalogue; etag: string | undefined }> => {
      app.clock.advance(FORCED_MS);
      const { body, headers } = await read({ exchange: 'kraken' }, { 'cache-control': 'no-cache' });
      return { body, etag: headers['etag'] };
    };
    const before = await newly();
    const same = await newly();
    expect([same.etag, same.body.generatedAt]).toEqual([before.etag, before.body.generatedAt]);
    expect(same.body.source.fetchedAt > before.body.source.fetchedAt).toBe(true);
    await app.sandbox.setPairStatus('SOLUSD', 'cancel_only');
    const after = await newly();
    expect(after.etag).not.toBe(before.etag);
    expect(after.body.generatedAt > before.body.generatedAt).toBe(true);
    const route = after.body.routes.find(({ routeId }) => routeId === 'kraken:spot:SOL-USD');
    expect(route).toMatchObject({ status: 'cancel_only', isTradingEnabled: false, orderTypes: [] });
    expect(after.body.stats.tradableRoutes).toBe(before.body.stats.tradableRoutes - 1);
  });

  it('are returned unchanged while the exchange is down, however old they are', async () => {
    const before = await read({ exchange: 'kraken' });
    await app.sandbox.arm({ endpoint: 'AssetPairs', fault: 'malformed_after', count: null });
    app.clock.advance(MAX_AGE_MS + 1_000);
    const expired = await read({ exchange: 'kraken' }, { 'cache-control': 'only-if-cached' });
    expect([expired.status, expired.body.type]).toEqual([504, 'CACHE_EXPIRED']);
    const stale = await read({ exchange: 'kraken' });
    expect(stale.body).toEqual(before.body);
    expect(Number(stale.headers['age'])).toBeGreaterThan(MAX_AGE_MS / 1_000);
    expect(stale.headers['cache-control']).toBe(`private, max-age=${REFRESH_SECONDS}`);
    await app.sandbox.calm();
    app.clock.advance(FORCED_MS);
    expect(Number((await read({ exchange: 'kraken' })).headers['age'])).toBeLessThan(60);
  });

  it('of a live project are those of the real exchange, and of a test project those of the sandbox', async () => {
    const real = await app.project({ mode: 'live' });
    const ask = (headers = {}) => read({ exchange: 'kraken' }, headers, real.http);
    const none = await ask();
    expect([none.status, none.body.type, none.headers['retry-after']]).toEqual([503, 'TRADING_DATA_UNAVAILABLE', '5']);
    expect((await ask({ 'cache-control': 'only-if-cached' })).body.type).toBe('CACHE_MISS');
    live.on(PAIRS, () => ({ error: [], result: { XXBTZUSD: livePair('0.5'), XETHZUSD: { altname: 'ETHUSD' } } }));
    app.clock.advance(RETRY_MS);
    const { body } = await ask();
    expect(body.routes.map(({ routeId, tradingRules }) => [routeId, tradingRules.price.tickSize])).toEqual([
      ['kraken:spot:BTC-USD', '0.5'],
    ]);
    expect((await read({ exchange: 'kraken' })).body.stats.totalRoutes).toBeGreaterThan(50);
    expect((await read({ exchange: 'gemini' }, {}, real.http)).body.supportedExchanges).toEqual(['kraken']);
  });
});
