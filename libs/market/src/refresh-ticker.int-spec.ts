import pg from 'pg';
import { Tickers } from '#exchange';
import { StubExchange } from '#exchange/testing';
import { Metrics } from '#platform/metrics';
import { CurrentTickers } from './current-tickers.js';
import { FollowTickers } from './follow-tickers.js';
import { RefreshTicker } from './refresh-ticker.js';
import { eventually, MarketBed, type MarketProcess } from './testing/index.js';
import { WatchTickers } from './watch-tickers.js';

const FEED = 'GET /v1/pricefeed';
const feed = (price: string): object => [{ pair: 'BTCUSD', price, percentChange24h: '5.23' }];

describe('a refresh of tickers', () => {
  let stub: StubExchange;
  let bed: MarketBed;

  beforeEach(async () => {
    stub = await StubExchange.start();
    bed = await MarketBed.create();
  });
  afterEach(async () => {
    await bed.close();
    await stub.close();
  });

  const start = (env: Record<string, string> = {}): Promise<MarketProcess> =>
    bed.start(
      {
        TICKERS_FROM_SANDBOX: 'true',
        SANDBOX_URL: stub.url,
        EXCHANGE_TIMEOUT_MS: '200',
        TICKERS_REFRESH_SECONDS: '1',
        TICKERS_STALE_SECONDS: '60',
        ...env,
      },
      [FollowTickers, Tickers, RefreshTicker, WatchTickers],
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

  it('stores what the exchange says, and is counted', async () => {
    stub.on(FEED, () => feed('9500.00'));
    const worker = await start();
    await refresh(worker);
    await eventually(() => expect(price(worker)).toBe('9500'));
    expect(await countOf(worker, 'ok')).toBe(1);
  });

  it('that brings nothing keeps the last prices, is counted, and makes one line for a row of failures', async () => {
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
    expect(linesOf(worker, 'tickers not refreshed').map(({ level }) => level)).toEqual([40, 20, 20]);
    stub.on(FEED, () => feed('9501'));
    await refresh(worker);
    await eventually(() => expect(price(worker)).toBe('9501'));
    expect(linesOf(worker, 'refreshed again').length).toBe(1);
  });

  it('of two workers at once leaves the newer answer', async () => {
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
    // The later answer is the newer one, whoever asked first.
    await eventually(() => expect([price(slow), price(quick)]).toEqual(['2', '2']));
    expect([await countOf(slow, 'ok'), await countOf(quick, 'ok')]).toEqual([1, 1]);
  });

  it('that is stored after a newer one changes nothing', async () => {
    stub.on(FEED, () => feed('1'));
    const worker = await start();
    await bed.save(worker, 'gemini', { BTC: '2' }, -30_000);
    await refresh(worker);
    await eventually(() => expect(price(worker)).toBe('2'));
    expect(await countOf(worker, 'superseded')).toBe(1);
  });

  it('of an exchange that nobody knows any more does nothing', async () => {
    const worker = await start();
    await refresh(worker, 'mtgox');
    expect(stub.calls).toEqual([]);
  });

  it('fails as a job when the database does, and is counted', async () => {
    stub.on(FEED, () => feed('1'));
    const worker = await start();
    const owner = new pg.Client(bed.database.ownerUrl);
    await owner.connect();
    await owner.query('alter table ticker_snapshots rename to elsewhere');
    await owner.end();
    await expect(refresh(worker)).rejects.toThrow('ticker_snapshots');
    expect(await countOf(worker, 'failed')).toBe(1);
  });

  it('that does not come for too long is one error in the log, and one line when it comes again', async () => {
    stub.on(FEED, () => feed('1'));
    const worker = await start();
    await refresh(worker);
    await eventually(() => expect(price(worker)).toBe('1'));
    bed.clock.advance(61_000);
    await eventually(() => expect(linesOf(worker, '"gemini"').filter(({ level }) => level === 50).length).toBe(1));
    const seen = linesOf(worker, 'tickers are stale');
    expect(price(worker)).toBeUndefined();
    await refresh(worker);
    await eventually(() => expect(linesOf(worker, 'tickers are fresh again').length).toBe(1));
    expect(linesOf(worker, 'tickers are stale').filter(({ exchange }) => exchange === 'gemini').length).toBe(1);
    // The other three have never come.
    expect(seen.map(({ exchange = '' }) => exchange).sort()).toEqual(['bitstamp', 'coinbase', 'gemini', 'kraken']);
  });
});
