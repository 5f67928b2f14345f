import { pino } from 'pino';
import { InvalidConfig, loadConfig, testOverrides } from '#platform/config';
import { Metrics } from '#platform/metrics';
import { CallBudgets } from '../transport/call-budget.js';
import { ExchangeError } from '../port/exchange-error.js';
import { ManualClock } from '../testing/manual-clock.js';
import { StubExchange, type Behaviour } from '../testing/stub-exchange.js';
import { documentedLists } from '../testing/ticker-documentation.js';
import { tickerExchanges, tickerSourceOf } from './ticker-sources.js';
import { Tickers } from './tickers.service.js';

const HOUR_MS = 3_600_000;
const KRAKEN = 'GET /0/public/Ticker';
const PAIRS = 'GET /0/public/AssetPairs';

/** The documented list of an exchange at a path. */
function listAt(exchange: string, path: string): object {
  const lists: Readonly<Record<string, Readonly<Record<string, object>>>> = documentedLists;
  const list = lists[exchange]?.[path];
  if (list === undefined) throw new Error(`no documented list of ${exchange} at ${path}`);
  return list;
}

/** The list, or the envelope of the list, without its entries. */
function withoutEntries(list: object): object {
  if (Array.isArray(list)) return [];
  const members = Object.entries(list).map(([name, value]: [string, unknown]) => {
    if (typeof value !== 'object') return [name, value];
    return [name, Array.isArray(value) ? [] : {}];
  });
  return Object.fromEntries(members) as object;
}

describe('reading the prices of an exchange', () => {
  let stub: StubExchange;
  let clock: ManualClock;
  let tickers: Tickers;

  function start(settings: Record<string, string> = {}): Tickers {
    const given = { TICKERS_FROM_SANDBOX: 'true', SANDBOX_URL: stub.url, EXCHANGE_TIMEOUT_MS: '300', ...settings };
    const config = loadConfig(given);
    return new Tickers(config, clock, new CallBudgets(clock, config), new Metrics(), pino({ level: 'silent' }));
  }

  beforeEach(async () => {
    stub = await StubExchange.start();
    for (const lists of Object.values(documentedLists)) {
      for (const [path, list] of Object.entries(lists)) stub.on(`GET ${path}`, () => list);
    }
    clock = new ManualClock();
    tickers = start();
  });
  afterEach(async () => {
    await tickers.onApplicationShutdown();
    await stub.close();
  });

  it.each(tickerExchanges)('gets the prices of %s, and their time, with one call for prices', async (exchange) => {
    const { prices, fetchedAt } = await tickers.read(exchange);
    expect(prices.get('BTC')?.isPositive()).toBe(true);
    expect(fetchedAt).toEqual(clock.now());
    expect(stub.calls.length).toBe(exchange === 'kraken' ? 2 : 1);
  });

  it('asks Coinbase for spot products only', async () => {
    await tickers.read('coinbase');
    expect(stub.calls[0]?.params).toEqual({ product_type: 'SPOT' });
  });

  it('sends no credentials', async () => {
    await tickers.read('gemini');
    const { headers } = stub.calls[0] ?? { headers: {} };
    expect(Object.keys(headers).sort()).toEqual(['accept', 'accept-encoding', 'connection', 'host', 'user-agent']);
  });

  it('reads the pairs of Kraken once an hour', async () => {
    for (let minute = 0; minute < 3; minute++) await tickers.read('kraken');
    expect(stub.callsOf(PAIRS).length).toBe(1);
    clock.advance(HOUR_MS);
    await tickers.read('kraken');
    expect(stub.callsOf(PAIRS).length).toBe(2);
    expect(stub.callsOf(KRAKEN).length).toBe(4);
  });

  it('uses the pairs of the last successful read when the pairs cannot be read again', async () => {
    const { prices } = await tickers.read('kraken');
    clock.advance(HOUR_MS);
    stub.on(PAIRS, () => ({ error: ['EService:Unavailable'] }));
    expect((await tickers.read('kraken')).prices).toEqual(prices);
  });

  it('fails for Kraken while its pairs were never read', async () => {
    stub.on(PAIRS, () => ({ error: [], result: {} }));
    await expect(tickers.read('kraken')).rejects.toMatchObject({ kind: 'unavailable', exchange: 'kraken' });
    expect(stub.callsOf(KRAKEN)).toEqual([]);
  });

  const answers: [string, Behaviour, object][] = [
    ['a page instead of a list', (_call, response) => void response.end('<html>Maintenance</html>'), {}],
    ['an empty list', () => [], {}],
    ['an empty body', (_call, response) => void response.end(), {}],
    ['prices of zero only', () => [{ pair: 'BTCUSD', price: '0' }], {}],
    ['prices in stablecoins only', () => [{ pair: 'BTCUSDC', price: '9500' }], {}],
    ['half a list', (_call, response) => void response.end('[{"pair":"BTCUSD","price":"95'), {}],
    ['the status 503', (_call, response) => void response.writeHead(503).end('[]'), {}],
    ['a redirection', (_call, response) => void response.writeHead(302, { location: '/v1/pricefeed' }).end(), {}],
    ['a rate limit', (_call, response) => void response.writeHead(429).end(), { kind: 'rate_limited' }],
    ['no response', () => undefined, { message: expect.stringContaining('timeout') }],
    ['a closed connection', (_call, response) => void response.destroy(), {}],
    ['a response that is too large', () => ' '.repeat(70_000), { message: expect.stringContaining('too large') }],
  ];

  it.each(answers)('fails for %s', async (_what, behaviour, expected) => {
    await tickers.onApplicationShutdown();
    tickers = start(testOverrides({ EXCHANGE_RESPONSE_MAX_BYTES: 65_536 }));
    stub.on('GET /v1/pricefeed', behaviour);
    const reading = tickers.read('gemini');
    await expect(reading).rejects.toBeInstanceOf(ExchangeError);
    await expect(reading).rejects.toMatchObject({ kind: 'unavailable', exchange: 'gemini', ...expected });
  });

  it.each(tickerExchanges)('fails when the price list of %s has no entries', async (exchange) => {
    const path = tickerSourceOf(exchange).path.split('?')[0] ?? '';
    stub.on(`GET ${path}`, () => withoutEntries(listAt(exchange, path)));
    await expect(tickers.read(exchange)).rejects.toMatchObject({
      kind: 'unavailable',
      exchange,
      cause: { message: 'the list has no entry in US dollars' },
    });
  });

  it('is refused when our own limit of calls to the exchange is reached', async () => {
    await tickers.onApplicationShutdown();
    tickers = start({ EXCHANGE_CALLS_PER_SECOND: '1', EXCHANGE_CALLS_BURST: '1' });
    const before = clock.now().getTime();
    await tickers.read('gemini');
    await expect(tickers.read('gemini')).rejects.toMatchObject({ kind: 'rate_limited', reason: 'own_limit' });
    clock.advance(1_000);
    await tickers.read('gemini');
    expect(clock.now().getTime() - before).toBe(1_000);
  });

  it('uses the configured address of the exchange, not SANDBOX_URL, when TICKERS_FROM_SANDBOX is false', async () => {
    await tickers.onApplicationShutdown();
    tickers = start({
      TICKERS_FROM_SANDBOX: 'false',
      SANDBOX_URL: 'http://127.0.0.1:9',
      EXCHANGE_GEMINI_URL: `${stub.url}/`,
    });
    expect((await tickers.read('gemini')).prices.get('BTC')?.toString()).toBe('9500');
  });

  it('does not start with TICKERS_FROM_SANDBOX and without SANDBOX_URL', () => {
    const config = loadConfig({ TICKERS_FROM_SANDBOX: 'true' });
    expect(
      () => new Tickers(config, clock, new CallBudgets(clock, config), new Metrics(), pino({ level: 'silent' })),
    ).toThrow(InvalidConfig);
  });
});
