import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Metrics } from '#platform/metrics';
import { until } from '#platform/testing';
import { BuiltProcess, processEnv } from '../support/built-process.js';
import { sendRaw, type RawAnswer } from '../support/raw-http.js';
import { TestApp } from '../support/test-app.js';
import type { ErrorBody } from '../support/withdrawal-client.js';

interface TickersBody extends ErrorBody {
  success: boolean;
  exchange: string;
  currency: string;
  updatedAt: string;
  prices: Record<string, number>;
  supportedExchanges?: string[];
}

const EXCHANGES = ['kraken', 'coinbase', 'bitstamp', 'gemini'];
const STALE_MS = 60_000;
const pathOf = (exchange: string): string => `/v0/market/${exchange}/tickers`;

describe('market tickers', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await TestApp.create({
      worker: true,
      env: {
        TICKERS_REFRESH_SECONDS: '1',
        TICKERS_STALE_SECONDS: String(STALE_MS / 1_000),
        TICKERS_RATE_PER_MINUTE: '1000000',
        EXCHANGE_TIMEOUT_MS: '1000',
      },
    });
    for (const exchange of EXCHANGES) await until(exchange, async () => (await read(exchange)).status === 200);
  });
  afterEach(() => app.sandbox.calm());
  afterAll(() => app.close());

  const read = (exchange: string, query: Record<string, string | string[]> = {}) =>
    app.http.get<TickersBody>(pathOf(exchange), { query });
  const raw = (exchange: string, headers: Record<string, string> = {}, method?: string): Promise<RawAnswer> =>
    sendRaw(`${app.url}${pathOf(exchange)}`, headers, method);

  /** Returns the number of refreshes of an exchange with this outcome. */
  async function refreshes(exchange: string, outcome: string): Promise<number> {
    const { registry } = app.worker.get(Metrics, { strict: false });
    const text = await registry.getSingleMetricAsString('causeway_ticker_refreshes_total');
    return Number(new RegExp(`exchange="${exchange}",outcome="${outcome}"\\} (\\d+)`).exec(text)?.[1] ?? 0);
  }

  async function afterRefreshes(exchange: string, outcome: string): Promise<void> {
    const before = await refreshes(exchange, outcome);
    await until(`${exchange} ${outcome}`, async () => (await refreshes(exchange, outcome)) > before);
  }

  async function movePrice(pair: string, price: string): Promise<void> {
    const body = JSON.stringify({ pair, price });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${app.sandbox.url}/control/prices`, { method: 'POST', headers, body });
    if (!answer.ok) throw new Error(await answer.text());
  }

  it('are the US dollar prices of each exchange, under common symbols, without credentials', async () => {
    for (const exchange of EXCHANGES) {
      const { status, body } = await read(exchange);
      expect(status).toBe(200);
      expect(body).toMatchObject({ success: true, exchange, currency: 'USD' });
      expect(Math.abs(app.clock.now().getTime() - Date.parse(body.updatedAt))).toBeLessThan(STALE_MS);
      expect(body.prices['BTC']).toBeGreaterThan(0);
      expect(Object.keys(body.prices).length).toBeGreaterThan(10);
      for (const strange of ['XBT', 'XXBT', 'XDG', 'ZUSD', 'USD', 'BTCG', 'USDTG']) {
        expect(body.prices).not.toHaveProperty([strange]);
      }
    }
    expect((await read('kraken')).body.prices).toHaveProperty('DOGE');
    expect((await read('gemini')).body.prices).toHaveProperty('GUSD', 1);
  });

  it('follow the prices of the exchange', async () => {
    await movePrice('XBTUSD', '91234.5');
    for (const exchange of EXCHANGES) {
      await until(exchange, async () => (await read(exchange)).body.prices['BTC'] === 91_234.5);
    }
  });

  it('are limited to the requested coins, in upper or lower case, without unknown coins', async () => {
    const coins = async (text: string): Promise<string[]> =>
      Object.keys((await read('kraken', { coins: text })).body.prices);
    expect(await coins('btc, Eth ,DOGE')).toEqual(['BTC', 'DOGE', 'ETH']);
    expect(await coins('btc,nope,BTC,,xbt')).toEqual(['BTC']);
    expect(await coins('nope')).toEqual([]);
    expect(await coins('')).toEqual([]);
    expect(await coins('constructor,__proto__')).toEqual([]);
  });

  it('are refused for an invalid filter with GENERIC_VALIDATION_ERROR', async () => {
    for (const coins of ['A,'.repeat(1_001), ['BTC', 'ETH']]) {
      const { status, body } = await read('kraken', { coins });
      expect([status, body.type, body.result?.fields?.[0]?.field]).toEqual([400, 'GENERIC_VALIDATION_ERROR', 'coins']);
    }
  });

  it.each(['binance', 'KRAKEN', 'sandbox', 'constructor'])('of %s are not supported', async (exchange) => {
    const { status, body, headers } = await read(exchange);
    expect([status, body.type]).toEqual([400, 'GENERIC_INVALID_REQUEST']);
    expect(body.supportedExchanges).toEqual(EXCHANGES);
    expect(headers['cache-control']).toBe('no-store');
  });

  it('come from memory, even while the table is locked', async () => {
    const table = await app.holdTable('ticker_snapshots');
    try {
      for (const exchange of EXCHANGES) expect((await read(exchange)).status).toBe(200);
    } finally {
      await table.release();
    }
  });

  describe('while the exchange', () => {
    it.each([
      ['is down', 'gemini', 'gemini.pricefeed', 'request_lost'],
      ['is slow', 'coinbase', 'coinbase.products', 'hang_before'],
      ['returns an HTML page', 'kraken', 'Ticker', 'malformed_after'],
      ['returns nothing', 'bitstamp', 'bitstamp.ticker', 'empty_after'],
      ['is under maintenance', 'kraken', 'Ticker', 'service_unavailable'],
      ['limits us', 'gemini', 'gemini.pricefeed', 'http_429'],
      ['returns prices of zero', 'coinbase', 'coinbase.products', 'zero_prices'],
    ])('%s, stay unchanged: %s', async (_what, exchange, endpoint, fault) => {
      await app.sandbox.arm({ endpoint, fault, count: null });
      await afterRefreshes(exchange, 'failed');
      const before = await read(exchange);
      await Promise.all(EXCHANGES.map((id) => afterRefreshes(id, id === exchange ? 'failed' : 'ok')));
      expect((await read(exchange)).body).toEqual(before.body);
      await app.sandbox.calm();
      await until('news', async () => (await read(exchange)).body.updatedAt > before.body.updatedAt);
    });

    it('leaves out prices, contain only the remaining prices', async () => {
      const whole = (await read('kraken')).body.prices;
      await app.sandbox.arm({ endpoint: 'Ticker', fault: 'missing_fields', count: null });
      await until(
        'fewer',
        async () => Object.keys((await read('kraken')).body.prices).length < Object.keys(whole).length,
      );
      const { prices } = (await read('kraken')).body;
      expect(Object.keys(prices).length).toBeGreaterThan(0);
      expect({ ...whole, ...prices }).toEqual(whole);
    });

    it('is unavailable for too long, are removed, and return when the exchange responds again', async () => {
      const lines = (text: string): number =>
        app.logLines.filter((line) => line.includes(text) && line.includes('"gemini"')).length;
      const [alarms, ends] = [lines('tickers are stale'), lines('tickers are fresh again')];
      await app.sandbox.arm({ endpoint: 'gemini.pricefeed', fault: 'service_unavailable', count: null });
      await afterRefreshes('gemini', 'failed');
      app.clock.advance(STALE_MS + 1_000);
      const { status, body } = await read('gemini');
      expect([status, body.type, body.error]).toEqual([404, 'GENERIC_NOT_FOUND', 'Prices of gemini not found']);
      await until('kraken', async () => (await read('kraken')).status === 200);
      await until('the alarm', () => Promise.resolve(lines('tickers are stale') > alarms));
      await app.sandbox.calm();
      await until('back', async () => (await read('gemini')).status === 200);
      await until('the line', () => Promise.resolve(lines('tickers are fresh again') > ends));
      expect(lines('tickers are stale')).toBe(alarms + 1);
      expect(lines('tickers are fresh again')).toBe(ends + 1);
    });
  });

  describe('over HTTP', () => {
    /** Calls `ask` twice without a refresh of the prices in between, and returns both results. */
    async function pair<T>(ask: () => Promise<T>, tagOf: (answer: T) => string): Promise<[T, T]> {
      for (;;) {
        const before = (await raw('kraken')).headers.etag;
        const both: [T, T] = [await ask(), await ask()];
        const after = (await raw('kraken')).headers.etag;
        if (before === after && tagOf(both[0]) === tagOf(both[1])) return both;
      }
    }

    it('have the same content in every encoding, and a different ETag in each encoding', async () => {
      await app.sandbox.arm({ endpoint: 'Ticker', fault: 'http_429', count: null });
      await afterRefreshes('kraken', 'failed');
      const plain = await raw('kraken');
      const gzip = await raw('kraken', { 'accept-encoding': 'gzip' });
      const br = await raw('kraken', { 'accept-encoding': 'gzip, deflate, br' });
      expect([plain, gzip, br].map(({ headers }) => headers['content-encoding'])).toEqual([undefined, 'gzip', 'br']);
      expect(gunzipSync(gzip.body)).toEqual(plain.body);
      expect(brotliDecompressSync(br.body)).toEqual(plain.body);
      expect(new Set([plain, gzip, br].map(({ headers }) => headers.etag)).size).toBe(3);
      for (const { headers, body } of [plain, gzip, br]) {
        expect(headers.etag).toMatch(/^"[^"]+"$/);
        expect(headers.vary).toBe('accept-encoding');
        expect(headers['content-length']).toBe(String(body.length));
        expect(headers['content-type']).toBe('application/json; charset=utf-8');
      }
    });

    it('are answered with 304 and no body while they are unchanged, and with 200 after a change', async () => {
      await app.sandbox.arm({ endpoint: 'Ticker', fault: 'http_429', count: null });
      await afterRefreshes('kraken', 'failed');
      const { headers } = await raw('kraken', { 'accept-encoding': 'br' });
      const etag = headers.etag ?? '';
      const again = (known: string, accepted = 'br') =>
        raw('kraken', { 'accept-encoding': accepted, 'if-none-match': known });
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const answer = await again(known);
        expect([answer.status, answer.body.length]).toEqual([304, 0]);
        expect(answer.headers).toMatchObject({ etag, vary: 'accept-encoding', 'access-control-allow-origin': '*' });
        expect(answer.headers['cache-control']).toMatch(/^public, max-age=\d+$/);
      }
      expect((await again('"other"')).status).toBe(200);
      // The etag belongs to the encoding `br`, so the response in `gzip` counts as changed.
      expect((await again(etag, 'gzip')).status).toBe(200);
      await app.sandbox.calm();
      await until('news', async () => (await again(etag)).status === 200);
    });

    it('may be cached by anyone until the next refresh', async () => {
      const { headers } = await raw('kraken');
      expect(headers['cache-control']).toBe('public, max-age=1');
    });

    it('have a different ETag for each filter', async () => {
      const tag = async (query: string): Promise<string | undefined> =>
        (await sendRaw(`${app.url}${pathOf('kraken')}${query}`)).headers.etag;
      const [one, same] = await pair(
        async () => [await tag('?coins=BTC,ETH'), await tag('?coins=eth,nope,btc'), await tag('?coins=BTC')],
        ([first = '']) => first,
      );
      expect(one).toEqual(same);
      expect(one[0]).toBe(one[1]);
      expect(one[0]).not.toBe(one[2]);
    });

    it('have the same headers for HEAD, without a body', async () => {
      const [got] = await pair(
        async () => ({ get: await raw('kraken'), head: await raw('kraken', {}, 'HEAD') }),
        ({ get }) => get.headers.etag ?? '',
      );
      expect([got.head.status, got.head.body.length]).toEqual([200, 0]);
      for (const name of ['etag', 'content-length', 'content-type', 'vary']) {
        expect(got.head.headers[name]).toBe(got.get.headers[name]);
      }
    });

    it('can be read by pages of every origin, and so can refusals', async () => {
      const origin = { origin: 'https://example.org' };
      for (const exchange of ['kraken', 'binance']) {
        const { headers } = await raw(exchange, origin);
        expect(headers['access-control-allow-origin']).toBe('*');
        expect(headers['access-control-allow-credentials']).toBeUndefined();
        expect(headers['cross-origin-resource-policy']).toBe('cross-origin');
      }
    });

    it('accept the preflight requests of browsers', async () => {
      const { status, headers, body } = await raw(
        'kraken',
        {
          origin: 'https://example.org',
          'access-control-request-method': 'GET',
          'access-control-request-headers': 'if-none-match',
        },
        'OPTIONS',
      );
      expect([status, body.length]).toEqual([204, 0]);
      expect(headers).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET, HEAD',
        'access-control-allow-headers': '*, authorization',
        'access-control-max-age': '86400',
      });
    });
  });

  it('determine the value of withdrawals in US dollars', async () => {
    await movePrice('XBTUSD', '90000');
    await until('kraken', async () => (await read('kraken')).body.prices['BTC'] === 90_000);
    const wallet = await app.wallet(await app.project(), { balances: { BTC: '2', EUR: '10' } });
    const { body: balance } = await wallet.http.get<{ balances: { asset: string; amountInFiat?: number }[] }>(
      '/v0/wallet/withdraw/balance',
    );
    expect(balance.balances.find(({ asset }) => asset === 'BTC')?.amountInFiat).toBe(180_000);
    const [to] = wallet.account.withdrawalAddresses.filter(({ asset }) => asset === 'BTC');
    const { body: quote } = await wallet.http.post<Record<string, unknown>>('/v0/wallet/withdraw/quote', {
      body: { asset: 'BTC', amount: '0.5', address: to?.address, network: 'bitcoin' },
    });
    expect(quote.amountNoFeeInFiat).toBe(45_000);
    expect(Number(quote.amountWithFeeInFiat)).toBeCloseTo(45_000 + Number(quote.estimatedFeeInFiat), 8);
    expect(quote.feeDetails).toMatchObject([{ amountInFiat: quote.estimatedFeeInFiat, fiatCurrency: 'USD' }]);
    const { body: executed } = await wallet.http.put<{ result: { transactionId: string } }>(
      `/v0/wallet/withdraw/${String(quote.id)}/execute`,
      { body: {} },
    );
    const { body: transaction } = await wallet.http.get(`/v0/wallet/transaction/${executed.result.transactionId}`);
    expect(transaction).toMatchObject({
      amountInFiat: 45_000,
      feeInFiat: quote.estimatedFeeInFiat,
      fiatCurrency: 'USD',
    });
  });

  describe('of several processes', () => {
    const env = (): Record<string, string> => ({
      ...processEnv(app.env['DATABASE_URL'] ?? ''),
      TICKERS_REFRESH_SECONDS: '1',
      TICKERS_STALE_SECONDS: '86400',
    });

    it('are available in an API that starts while no exchange can be reached', async () => {
      const before = (await read('kraken')).body.updatedAt;
      // SANDBOX_URL of `processEnv` points to a closed port, so the prices can only be the stored ones.
      const api = BuiltProcess.start('api', env());
      try {
        const { status, body } = await app.http.at(await api.address()).get<TickersBody>(pathOf('kraken'));
        expect(status).toBe(200);
        expect(body.prices['BTC']).toBeGreaterThan(0);
        // This API process also returns the prices that the test's worker stores from now on.
        const later = app.http.at(await api.address());
        await until('news', async () => (await later.get<TickersBody>(pathOf('kraken'))).body.updatedAt > before);
      } finally {
        api.child.kill('SIGTERM');
        await api.exitCode();
      }
    });

    it('are requested once in a refresh period, however many workers run', async () => {
      const worker = BuiltProcess.start('worker', { ...env(), SANDBOX_URL: app.env['SANDBOX_URL'] ?? '' });
      try {
        await worker.address();
        const calls = async (): Promise<number> => {
          const list = await fetch(`${app.sandbox.url}/control/requests?endpoint=bitstamp.ticker`);
          return ((await list.json()) as { requests: unknown[] }).requests.length;
        };
        const [begun, before] = [Date.now(), await calls()];
        await until('refreshes', async () => (await calls()) >= before + 4);
        // With one refresh a second, the fourth comes at least three seconds after the first; 0.5 s are tolerance.
        expect(Date.now() - begun).toBeGreaterThan(2_500);
      } finally {
        worker.child.kill('SIGTERM');
        expect(await worker.exitCode()).toBe(0);
      }
    });
  });
});

describe('market tickers without a worker', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await TestApp.create({ env: { TICKERS_RATE_PER_MINUTE: '3' } });
  });
  afterAll(() => app.close());

  it('are not found before the first refresh, and requests above the limit are refused', async () => {
    const answers = [];
    for (let count = 0; count < 4; count++) answers.push(await app.http.get<ErrorBody>(pathOf('kraken')));
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 429]);
    expect(answers[0]?.body).toMatchObject({ type: 'GENERIC_NOT_FOUND', error: 'Prices of kraken not found' });
    expect(answers[0]?.headers['ratelimit-policy']).toBe('"tickers";q=3;w=60');
    expect(answers[3]?.body.type).toBe('GENERIC_RATE_LIMIT_EXCEEDED');
    expect(Number(answers[3]?.headers['retry-after'])).toBeGreaterThan(0);
    expect(answers[3]?.headers['access-control-allow-origin']).toBe('*');
  });
});
