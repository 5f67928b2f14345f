import { TestSandbox } from '../../test/sandbox.js';

type Row = Record<string, unknown>;

const lists = {
  coinbase: { path: '/api/v3/brokerage/market/products', symbol: 'product_id', solana: 'SOL-USD' },
  bitstamp: { path: '/api/v2/markets/', symbol: 'market_symbol', solana: 'solusd' },
  gemini: { path: '/v1/symbols/details/all', symbol: 'symbol', solana: 'SOLUSD' },
  partner: { path: '/partner/v1/markets', symbol: 'symbol', solana: 'SOL-USD' },
} as const;
type Name = keyof typeof lists;

describe('the public lists of pairs', () => {
  let sandbox: TestSandbox;
  beforeEach(async () => {
    sandbox = await TestSandbox.start();
  });
  afterEach(() => sandbox.close());

  const read = async (name: Name): Promise<Row[]> => {
    const body = await (await fetch(sandbox.url + lists[name].path)).json();
    if (Array.isArray(body)) return body as Row[];
    return Object.values(body as object)[0] as Row[];
  };
  const solana = async (name: Name) => {
    const { symbol, solana: id } = lists[name];
    return (await read(name)).find((row) => row[symbol] === id);
  };

  it.each(Object.keys(lists) as Name[])('name each pair of %s only once', async (name) => {
    const symbols = (await read(name)).map((row) => row[lists[name].symbol]);
    expect(symbols.length).toBeGreaterThan(50);
    expect(new Set(symbols).size).toBe(symbols.length);
  });

  it('contain the rules of orders, each in its own format', async () => {
    expect(await solana('coinbase')).toMatchObject({
      base_increment: '0.00000001',
      price_increment: '0.01',
      base_min_size: '0.02',
      quote_min_size: '0.5',
      trading_disabled: false,
      is_disabled: false,
      view_only: false,
      auction_mode: false,
      status: 'online',
    });
    expect(await solana('bitstamp')).toEqual({
      name: 'SOL/USD',
      market_symbol: 'solusd',
      base_currency: 'SOL',
      base_decimals: 8,
      counter_currency: 'USD',
      counter_decimals: 2,
      minimum_order_value: '0.5',
      trading: 'Enabled',
      instant_order_counter_decimals: 2,
      instant_and_market_orders: 'Enabled',
      description: 'SOL / USD',
      market_type: 'SPOT',
    });
    expect(await solana('gemini')).toEqual({
      symbol: 'SOLUSD',
      base_currency: 'SOL',
      quote_currency: 'USD',
      tick_size: 1e-8,
      quote_increment: 0.01,
      min_order_size: '0.02',
      status: 'open',
      wrap_enabled: false,
      product_type: 'spot',
      contract_type: 'vanilla',
      contract_price_currency: 'USD',
    });
    expect(await solana('partner')).toEqual({
      symbol: 'SOL-USD',
      base: 'SOL',
      quote: 'USD',
      tickSize: '0.01',
      stepSize: '0.00000001',
      minQuantity: '0.02',
      minNotional: '0.5',
      status: 'online',
      orderTypes: ['market', 'limit'],
      makerFee: '0.25',
      takerFee: '0.4',
    });
  });

  it('of Bitstamp and Gemini contain futures beside the pairs', async () => {
    const bitstamp = (await read('bitstamp')).filter(({ market_type }) => market_type !== 'SPOT');
    expect(bitstamp.map(({ name }) => name)).toEqual(['BTC/USD-PERP', 'ETH/USD-PERP']);
    const gemini = (await read('gemini')).filter(({ product_type }) => product_type !== 'spot');
    expect(gemini.map(({ symbol }) => symbol)).toEqual(['BTCGUSDPERP', 'ETHGUSDPERP']);
  });

  it.each([
    ['cancel_only', { cancel_only: true }, { trading: 'Disabled' }, { status: 'cancel_only' }, { orderTypes: [] }],
    [
      'limit_only',
      { limit_only: true },
      { trading: 'Enabled', instant_and_market_orders: 'Disabled' },
      { status: 'limit_only' },
      { orderTypes: ['limit'] },
    ],
    ['post_only', { post_only: true }, { trading: 'Disabled' }, { status: 'post_only' }, { orderTypes: [] }],
    ['maintenance', { trading_disabled: true }, { trading: 'Disabled' }, { status: 'closed' }, { orderTypes: [] }],
  ])('all show that a pair is %s', async (status, coinbase, bitstamp, gemini, partner) => {
    await sandbox.control('POST', 'pairs', { pair: 'SOLUSD', status });
    expect(await solana('coinbase')).toMatchObject(coinbase);
    expect(await solana('bitstamp')).toMatchObject(bitstamp);
    expect(await solana('gemini')).toMatchObject(gemini);
    expect(await solana('partner')).toMatchObject({ status, ...partner });
  });

  it.each([
    ['bitstamp.markets', 'bitstamp'],
    ['gemini.symbols', 'gemini'],
    ['partner.markets', 'partner'],
  ] as const)(
    'at %s support the faults of every call, and refuse faults of tickers and histories',
    async (endpoint, name) => {
      await sandbox.arm(endpoint, 'rate_limit');
      expect((await fetch(sandbox.url + lists[name].path)).status).toBeGreaterThanOrEqual(400);
      await sandbox.arm(endpoint, 'malformed_after');
      expect(await (await fetch(sandbox.url + lists[name].path)).text()).toContain('<html>');
      expect((await sandbox.control('POST', 'faults', { endpoint, fault: 'zero_prices' })).status).toBe(422);
      expect((await sandbox.control('POST', 'faults', { endpoint, fault: 'history_lags' })).status).toBe(422);
    },
  );
});
