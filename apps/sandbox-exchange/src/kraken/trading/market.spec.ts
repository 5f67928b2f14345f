import { pairs } from '../../data/pairs.js';
import { TestSandbox } from '../../../test/sandbox.js';

describe("markets of ccxt's kraken class at the sandbox exchange", () => {
  let sandbox: TestSandbox;
  let client: ReturnType<TestSandbox['ccxt']>;

  beforeEach(async () => {
    sandbox = await TestSandbox.start();
    client = sandbox.ccxt({ apiKey: '', apiSecret: '' });
  });
  afterEach(() => sandbox.close());

  const get = async (path: string) => (await fetch(`${sandbox.url}/0/public/${path}`)).json() as Promise<object>;

  it('have common names, such as BTC/USD, and the rules of orders', async () => {
    const markets = await client.loadMarkets();
    expect(Object.keys(markets)).toHaveLength(pairs.length);
    expect(markets['BTC/USD']).toMatchObject({
      id: 'XXBTZUSD',
      active: true,
      taker: 0.004,
      maker: 0.0025,
      limits: { amount: { min: 0.00005 }, cost: { min: 0.5 } },
      info: { tick_size: '0.1', wsname: 'XBT/USD' },
    });
    expect(markets).toHaveProperty('DOGE/BTC');
    expect(markets['KSM/USD']).toMatchObject({ active: false });
  });

  it('have assets with Kraken’s names and digits', async () => {
    const currencies = await client.fetchCurrencies();
    expect(currencies).toMatchObject({
      BTC: { id: 'XXBT', precision: 1e-10 },
      DOGE: { id: 'XXDG' },
      USD: { id: 'ZUSD' },
    });
  });

  it('have one ticker each', async () => {
    const tickers = await client.fetchTickers();
    expect(Object.keys(tickers)).toHaveLength(pairs.length);
    expect(tickers['BTC/USD']).toMatchObject({ last: 100000, bid: 99999.9, ask: 100000.1 });
    expect(await client.fetchTickers(['ETH/BTC'])).toMatchObject({ 'ETH/BTC': { last: 0.04 } });
  });

  it('have the prices that the control API sets, until the exchange is reset', async () => {
    await sandbox.control('POST', 'prices', { pair: 'XBT/USD', price: '123456.7' });
    expect(await client.fetchTicker('BTC/USD')).toMatchObject({ last: 123456.7, bid: 123456.6, ask: 123456.8 });
    await sandbox.control('POST', 'reset');
    expect(await client.fetchTicker('BTC/USD')).toMatchObject({ last: 100000 });
  });

  it.each([
    [{ pair: 'XBTUSD', price: '0' }],
    [{ pair: 'XBTUSD', price: '1.05' }],
    [{ pair: 'XBTUSD', price: '-1' }],
    [{ pair: 'NOPEUSD', price: '1' }],
    [{ pair: 'XBTUSD' }],
  ])('keep their prices when the control API refuses %j', async (body) => {
    expect((await sandbox.control('POST', 'prices', body)).status).toBe(422);
    expect(await client.fetchTicker('BTC/USD')).toMatchObject({ last: 100000 });
  });

  it('can be requested by name', async () => {
    expect(await get('AssetPairs?pair=XBTUSD,ETH/USD&info=margin')).toEqual({
      error: [],
      result: { XXBTZUSD: { margin_call: 80, margin_stop: 40 }, XETHZUSD: { margin_call: 80, margin_stop: 40 } },
    });
    expect(await get('Assets?asset=XBT,ZUSD')).toMatchObject({ result: { XXBT: { altname: 'XBT' }, ZUSD: {} } });
  });

  it.each([
    ['AssetPairs?pair=NOPE', 'EQuery:Unknown asset pair'],
    ['AssetPairs?info=nope', 'EGeneral:Invalid arguments'],
    ['Ticker?pair=XBTUSD,NOPE', 'EQuery:Unknown asset pair'],
    ['Assets?asset=NOPE', 'EQuery:Unknown asset'],
  ])('respond to %s with %s', async (path, error) => {
    expect(await get(path)).toEqual({ error: [error] });
  });
});
