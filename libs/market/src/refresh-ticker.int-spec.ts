import pg from 'pg';
import { StubExchange } from '#exchange/testing';
import { Metrics } from '#platform/metrics';
import { eventually } from '#platform/testing';
import { CurrentTickers } from './current-tickers.js';
import { FollowTickers } from './follow-tickers.js';
import { RefreshTicker } from './refresh-ticker.js';
import { MarketHarness, type MarketProcess } from './testing/index.js';
import { WatchTickers } from './watch-tickers.js';

const FEED = 'GET /v1/pricefeed';
const feed = (price: string): object => [{ pair: 'BTCUSD', price, percentChange24h: '5.23' }];

describe('a refresh of tickers', () => {
  let stub: StubExchange;
  let harness: MarketHarness;

  beforeEach(async () => {
    stub = await StubExchange.start();
    harness = await MarketHarness.create();
  });
  afterEach(async () => {
    await harness.close();
    await stub.close();
  });

  const start = (env: Record<string, string> = {}): Promise<MarketProcess> =>
    harness.start(
      {
        TICKERS_FROM_SANDBOX: 'true',
        SANDBOX_URL: stub.url,
        EXCHANGE_TIMEOUT_MS: '200',
        TICKERS_REFRESH_SECONDS: '1',
        TICKERS_STALE_SECONDS: '60',
        ...env,
      },
      [FollowTickers, RefreshTicker, WatchTickers],
    );
  const refresh = (process: MarketProcess, exchange = 'gemini'): Promise<void> =>
    process.get(RefreshTicker).execute(exchange);
  const price = (process: MarketProcess): string | undefined =>
    process.get(CurrentTickers).findFresh('gemini')?.prices.get('BTC');
  const countOf = async (process: MarketProcess, outcome: string): Promise<number> => {
    const text = await process.get(Metrics).registry.getSingleMetricAsString('causeway_ticker_refreshes_total');
    return Number(new RegExp(`exchange="gemini",outcome="${outcome}"\\} (\\d+)`).exec(text)?.[1] ?? 0);
  };
  const linesOf = (process: MarketProcess, text: string): { level: number; exchange?: string }[] =>
    process.logLines.filter((line) => line.includes(text)).map((line) => JSON.parse(line) as { level: number });

  it('stores the prices of the exchange, and is counted', async () => {
    stub.on(FEED, () => feed('9500.00'));
    const worker = await start();
    await refresh(worker);
    await eventually(() => expect(price(worker)).toBe('9500'));
    expect(await countOf(worker, 'ok')).toBe(1);
  });

  it('that fails keeps the last prices and is counted, and a series of failures causes one warning', async () => {
    stub.on(FEED, () => feed('9500.00'));
    const worker = await start();
    await refresh(worker);
    stub.on(FEED, (_call, response) => void response.end('<html>'));
    await refresh(worker);
    stub.on(FEED, () => []);
    await refresh(worker);
    stub.on(FEED, () => undefined);
    await refresh(worker);
    await eventually(() => expect(price(worker)).toBe('9500'));
    expect(await countOf(worker, 'failed')).toBe(3);
    expect(linesOf(worker, 'the tickers were not refreshed').map(({ level }) => level)).toEqual([40, 20, 20]);
    stub.on(FEED, () => feed('9501'));
    await refresh(worker);
    await eventually(() => expect(price(worker)).toBe('9501'));
    expect(linesOf(worker, 'the tickers were refreshed;').length).toBe(1);
  });

  it('by two workers at once keeps the newer prices', async () => {
    const [slow, quick] = [await start({ EXCHANGE_TIMEOUT_MS: '5000' }), await start()];
    let answerSlow: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => {
      stub.on(FEED, (_call, response) => {
        answerSlow = () => void response.end(JSON.stringify(feed('2')));
        resolve();
      });
    });
    const late = refresh(slow);
    await asked;
    stub.on(FEED, () => feed('1'));
    await refresh(quick);
    answerSlow();
    await late;
    // The later response is the newer one, although its worker asked first.
    await eventually(() => expect([price(slow), price(quick)]).toEqual(['2', '2']));
    expect([await countOf(slow, 'ok'), await countOf(quick, 'ok')]).toEqual([1, 1]);
  });

  it('changes nothing when newer prices are stored', async () => {
    stub.on(FEED, () => feed('1'));
    const worker = await start();
    await harness.save(worker, 'gemini', { BTC: '2' }, -30_000);
    await refresh(worker);
    await eventually(() => expect(price(worker)).toBe('2'));
    expect(await countOf(worker, 'superseded')).toBe(1);
  });

  it('of an exchange that no longer exists does nothing', async () => {
    const worker = await start();
    await refresh(worker, 'mtgox');
    expect(stub.calls).toEqual([]);
  });

  it('fails as a job when the database fails, and is counted', async () => {
    stub.on(FEED, () => feed('1'));
    const worker = await start();
    const owner = new pg.Client(harness.database.ownerUrl);
    await owner.connect();
    await owner.query('alter table ticker_snapshots rename to elsewhere');
    await owner.end();
    await expect(refresh(worker)).rejects.toThrow('ticker_snapshots');
    expect(await countOf(worker, 'failed')).toBe(1);
  });

  it('that is missing causes one error in the log when tickers become stale, and one line when they are fresh again', async () => {
    stub.on(FEED, () => feed('1'));
    const worker = await start();
    await refresh(worker);
    await eventually(() => expect(price(worker)).toBe('1'));
    harness.clock.advance(61_000);
    await eventually(() => expect(linesOf(worker, '"gemini"').filter(({ level }) => level === 50).length).toBe(1));
    const seen = linesOf(worker, 'tickers are stale');
    expect(price(worker)).toBeUndefined();
    await refresh(worker);
    await eventually(() => expect(linesOf(worker, 'tickers are fresh again').length).toBe(1));
    expect(linesOf(worker, 'tickers are stale').filter(({ exchange }) => exchange === 'gemini').length).toBe(1);
    // This test refreshes only gemini, so the tickers of the three other exchanges are stale, too.
    expect(seen.map(({ exchange = '' }) => exchange).sort()).toEqual(['bitstamp', 'coinbase', 'gemini', 'kraken']);
  });
});
