import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Amount } from '#money';
import { projectRoot } from '#platform/testing';
import { TestSandbox } from '../../test/sandbox.js';

interface Product {
  product_id: string;
  product_type: string;
  price: string;
  base_currency_id: string;
  quote_currency_id: string;
  alias: string;
  alias_to: string[];
  status: string;
  is_disabled: boolean;
}
type Row = Record<string, string>;

const COINBASE = '/api/v3/brokerage/market/products';
const BITSTAMP = '/api/v2/ticker/';
const GEMINI = '/v1/pricefeed';
const KRAKEN = '/0/public/Ticker';

const table = readFileSync(path.join(projectRoot, 'docs/sandbox.md'), 'utf8')
  .split('\n')
  .map((line) => line.split('|').map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)))
  .flatMap(([, , [path = ''] = [], endpoints = []]) =>
    /^\/(0|api|v1|v5|partner)\//.test(path) ? [{ path, endpoints }] : [],
  );

describe('the public tickers', () => {
  let sandbox: TestSandbox;
  beforeEach(async () => {
    sandbox = await TestSandbox.start();
  });
  afterEach(() => sandbox.close());

  const ask = async <Body>(path: string): Promise<{ status: number; body: Body }> => {
    const response = await fetch(sandbox.url + path);
    return { status: response.status, body: (await response.json()) as Body };
  };
  const products = async (query = ''): Promise<Product[]> => {
    const { body } = await ask<{ products: Product[]; num_products: number }>(COINBASE + query);
    expect(body.num_products).toBe(body.products.length);
    return body.products;
  };
  const rows = async (path: string): Promise<Row[]> => (await ask<Row[]>(path)).body;
  const krakenTickers = async (): Promise<Record<string, { c?: string[]; b?: string[]; o?: string }>> =>
    (await ask<{ result: Record<string, object> }>(KRAKEN)).body.result;

  it('have the paths and the fault endpoints in the table of docs/sandbox.md', async () => {
    expect(table.map(({ path }) => path)).toEqual([
      ...[KRAKEN, COINBASE, BITSTAMP, GEMINI],
      ...['/0/public/AssetPairs', '/api/v2/markets/', '/v1/symbols/details/all'],
      ...[
        '/api/v5/public/instruments',
        '/v5/market/instruments-info',
        '/api/v2/symbols',
        '/api/v3/exchangeInfo',
        '/api/v2/spot/public/symbols',
        '/api/v4/spot/currency_pairs',
        '/partner/v1/markets',
      ],
    ]);
    for (const { path, endpoints } of table) {
      expect((await ask(path)).status).toBe(200);
      for (const endpoint of endpoints) await sandbox.arm(endpoint, 'error_before');
      expect((await fetch(sandbox.url + path)).status).toBe(502);
    }
  });

  it('of Coinbase are its list of products, with names, statuses and aliases', async () => {
    const list = await products();
    const find = (id: string) => list.find(({ product_id }) => product_id === id);
    expect(new Set(list.map(({ product_id }) => product_id)).size).toBe(list.length);
    expect(find('BTC-USD')).toMatchObject({
      price: '100000',
      base_currency_id: 'BTC',
      quote_currency_id: 'USD',
      product_type: 'SPOT',
      status: 'online',
      is_disabled: false,
      trading_disabled: false,
      alias: '',
      alias_to: ['BTC-USDC'],
      base_increment: '0.00000001',
      price_increment: '0.1',
      quote_min_size: '0.5',
      mid_market_price: '',
    });
    expect(find('BTC-USDC')).toMatchObject({ price: '100000', alias: 'BTC-USD', quote_display_symbol: 'USD' });
    expect(find('DOGE-EUR')).toMatchObject({ price: '0.16', quote_currency_id: 'EUR' });
    expect(find('WLUNA-USD')).toMatchObject({ price: '', status: 'delisted', is_disabled: true });
    expect(find('XMR-USD')).toBeUndefined();
  });

  it('of Coinbase include futures without a base asset, and can be limited to a page or to some products', async () => {
    const futures = await products('?product_type=FUTURE');
    expect(futures.map(({ product_id }) => product_id)).toEqual(['BIT-25DEC26-CDE', 'ETH-PERP-INTX']);
    expect(futures.every(({ base_currency_id }) => base_currency_id === '')).toBe(true);
    const all = await products();
    const spot = await products('?product_type=SPOT');
    expect(spot).toHaveLength(all.length - futures.length);
    expect(await products('?limit=3&offset=2')).toEqual(all.slice(2, 5));
    expect(await products('?product_ids=ETH-USD&product_ids=BTC-USD')).toHaveLength(2);
    expect((await ask(`${COINBASE}?limit=many`)).status).toBe(400);
  });

  it('of Bitstamp are a list with bid and ask, at the path with or without a trailing slash', async () => {
    const list = await rows(BITSTAMP);
    expect(list.find(({ pair }) => pair === 'BTC/USD')).toEqual({
      pair: 'BTC/USD',
      market_type: 'SPOT',
      last: '100000',
      bid: '99999.9',
      ask: '100000.1',
      side: '0',
      open: '98500',
      open_24: '98500',
      percent_change_24: '1.52',
      high: '100000.1',
      low: '97000',
      vwap: '99000',
      timestamp: '1795176000',
      volume: expect.stringMatching(/^\d+(\.\d+)?$/) as string,
    });
    expect(list.filter(({ market_type }) => market_type === 'PERPETUAL').map(({ pair }) => pair)).toEqual([
      'BTC/USD-PERP',
      'ETH/USD-PERP',
    ]);
    expect(await rows('/api/v2/ticker')).toEqual(list);
  });

  it('of Gemini have names without a separator, and include Gemini’s own dollar and futures', async () => {
    const list = await rows(GEMINI);
    expect(list).toContainEqual({ pair: 'BTCUSD', price: '100000', percentChange24h: '0.0152' });
    const names = list.map(({ pair }) => pair);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining(['GUSDUSD', 'USDTGUSD', 'BTCGUSD', 'BTCGUSDPERP', 'USDCUSD']));
  });

  it('all show a price that the control API has set', async () => {
    await sandbox.control('POST', 'prices', { pair: 'XDGUSD', price: '0.1234567' });
    const prices = [
      (await products()).find(({ product_id }) => product_id === 'DOGE-USD')?.price,
      (await products()).find(({ product_id }) => product_id === 'DOGE-USDC')?.price,
      (await rows(BITSTAMP)).find(({ pair }) => pair === 'DOGE/USD')?.['last'],
      (await rows(GEMINI)).find(({ pair }) => pair === 'DOGEUSD')?.['price'],
      (await krakenTickers())['XDGUSD']?.c?.[0],
    ];
    expect(prices).toEqual(prices.map(() => '0.1234567'));
  });

  it('of all exchanges have dollar prices for the same large assets, and for different small assets', async () => {
    const bases = [
      (await products('?product_type=SPOT'))
        .filter(({ quote_currency_id: quote, price }) => quote === 'USD' && price !== '')
        .map(({ base_currency_id }) => base_currency_id),
      (await rows(BITSTAMP)).map(({ pair = '' }) => pair.split('/')).flatMap(([b, q]) => (q === 'USD' ? [b] : [])),
      (await rows(GEMINI)).flatMap(({ pair = '' }) => /^([A-Z]+?)USD$/.exec(pair)?.[1] ?? []),
    ];
    for (const list of bases) {
      expect(list).toEqual(expect.arrayContaining(['BTC', 'ETH', 'SOL', 'XRP', 'DOGE', 'LTC', 'USDC', 'USDT']));
    }
    expect(new Set(bases.map((list) => [...list].sort().join()))).toHaveProperty('size', 3);
  });

  it.each([
    ['coinbase.products', COINBASE, 429, { error: 'too many requests', code: 8 }],
    ['bitstamp.ticker', BITSTAMP, 400, { status: 'error', code: '400.002' }],
    ['gemini.pricefeed', GEMINI, 429, { result: 'error', reason: 'RateLimit' }],
    ['Ticker', KRAKEN, 200, { error: ['EAPI:Rate limit exceeded'] }],
  ])('at %s give the error responses of the exchange', async (endpoint, path, status, body) => {
    await sandbox.arm(endpoint, 'rate_limit');
    expect(await ask(path)).toMatchObject({ status, body });
    await sandbox.arm(endpoint, 'service_unavailable');
    expect((await ask(path)).status).toBe(endpoint === 'Ticker' ? 200 : 503);
    const outcomes = (await sandbox.control('GET', `requests?endpoint=${endpoint}`)).body as {
      requests: { outcome: string }[];
    };
    expect(outcomes.requests.map(({ outcome }) => outcome)).not.toContain('ok');
    expect((await ask(path)).status).toBe(200);
  });

  it.each([
    ['coinbase.products', COINBASE],
    ['bitstamp.ticker', BITSTAMP],
    ['gemini.pricefeed', GEMINI],
    ['Ticker', KRAKEN],
  ])('at %s support the faults of every call', async (endpoint, path) => {
    await sandbox.arm(endpoint, 'malformed_after');
    expect(await (await fetch(sandbox.url + path)).text()).toContain('<html>');
    await sandbox.arm(endpoint, 'error_before');
    expect((await fetch(sandbox.url + path)).status).toBe(502);
    await sandbox.arm(endpoint, 'request_lost');
    await expect(fetch(sandbox.url + path)).rejects.toThrow();
    await sandbox.arm(endpoint, 'hang_before');
    const hanging = fetch(sandbox.url + path);
    await sandbox.control('DELETE', 'faults');
    await expect(hanging).rejects.toThrow();
  });

  const pricesOf = async (): Promise<(string | undefined)[][]> => [
    (await products()).map(({ price }) => price),
    (await rows(BITSTAMP)).flatMap(({ last, bid, ask: offer }) => [last, bid, offer]),
    (await rows(GEMINI)).map(({ price }) => price),
    Object.values(await krakenTickers()).flatMap(({ c, b, o }) => [c?.[0], b?.[0], o]),
  ];

  it('are all zero while the fault zero_prices is armed', async () => {
    for (const endpoint of ['coinbase.products', 'bitstamp.ticker', 'gemini.pricefeed', 'Ticker']) {
      await sandbox.arm(endpoint, 'zero_prices');
    }
    expect(new Set((await pricesOf()).flat())).toEqual(new Set(['0']));
    const [[first = ''] = []] = await pricesOf();
    expect(Amount.of(first).isPositive()).toBe(true);
  });

  it('lack the price in about half of the entries of every exchange while the fault missing_fields is armed', async () => {
    await sandbox.arm('*', 'missing_fields', { count: 4 });
    await sandbox.errorsOf({ apiKey: 'none', apiSecret: '' }, 'Balance', { nonce: '1' });
    for (const prices of await pricesOf()) {
      const missing = prices.filter((price) => price === undefined).length;
      expect(missing).toBeGreaterThan(prices.length / 2 - 3);
      expect(missing).toBeLessThan(prices.length / 2 + 3);
    }
    expect((await pricesOf()).flat()).not.toContain(undefined);
  });

  it.each([
    ['coinbase.products', 'wrong_nonce'],
    ['bitstamp.ticker', 'history_lags'],
    ['Balance', 'zero_prices'],
    ['gemini.trades', 'slow'],
  ])('at %s refuse the fault %s', async (endpoint, fault) => {
    expect((await sandbox.control('POST', 'faults', { endpoint, fault })).status).toBe(422);
  });
});
