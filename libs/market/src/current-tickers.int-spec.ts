import pg from 'pg';
import { Metrics } from '#platform/metrics';
import { CurrentTickers } from './current-tickers.js';
import { PriceHistory } from './price-history.js';
import { eventually, MarketBed, type MarketProcess } from './testing/index.js';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** So seldom that whatever arrives has been notified. */
const NEVER = { TICKERS_REFRESH_SECONDS: '3599', TICKERS_STALE_SECONDS: '3600' };

let bed: MarketBed;

beforeAll(async () => {
  bed = await MarketBed.create();
});
afterAll(() => bed.close());

const priceIn = (process: MarketProcess, exchange: string, symbol = 'BTC'): string | undefined =>
  process.get(CurrentTickers).find(exchange)?.prices.get(symbol);

describe('the stored snapshot of an exchange', () => {
  let writer: MarketProcess;

  beforeAll(async () => {
    writer = await bed.start(NEVER, []);
  });
  afterAll(() => writer.close());

  const stored = async (exchange: string): Promise<unknown> => {
    const rows = await bed
      .db(writer)
      .query<{ prices: unknown }>('select prices from ticker_snapshots where exchange = $1', [exchange]);
    return rows[0]?.prices;
  };
  const pointsOf = async (exchange: string): Promise<number> => {
    const rows = await bed.db(writer).query('select from price_points where exchange = $1', [exchange]);
    return rows.length;
  };

  it('is replaced by a newer answer alone', async () => {
    expect(await bed.save(writer, 'newer', { BTC: '1' }, 1_000)).toBe(true);
    expect(await bed.save(writer, 'newer', { BTC: '2' }, 2_000)).toBe(false);
    expect(await stored('newer')).toEqual({ BTC: '1' });
    expect(await bed.save(writer, 'newer', { BTC: '3' })).toBe(true);
    expect(await stored('newer')).toEqual({ BTC: '3' });
  });

  it('is the newest of those that are written at once, and what is kept for the history grows no further', async () => {
    const ages = Array.from({ length: 20 }, (_, index) => (index * 7) % 20);
    await Promise.all(ages.map((age) => bed.save(writer, 'many', { BTC: `${100 - age}` }, age * 100)));
    expect(await stored('many')).toEqual({ BTC: '100' });
    const first = await pointsOf('many');
    expect(first).toBeGreaterThan(0);
    await bed.save(writer, 'many', { BTC: '5' });
    expect(await pointsOf('many')).toBe(first);
  });

  it('does not stand until the time has come that a wrong clock has stamped on it', async () => {
    await bed.save(writer, 'future', { BTC: '1' }, -DAY_MS);
    expect(await bed.save(writer, 'future', { BTC: '2' })).toBe(true);
    expect(await stored('future')).toEqual({ BTC: '2' });
  });

  it('is kept for the history every PRICE_HISTORY_STEP_MINUTES', async () => {
    const minutes = [41, 40, 35, 31.5, 31, 20, 1];
    for (const ago of minutes) await bed.save(writer, 'steps', { BTC: `${ago}` }, ago * MINUTE_MS);
    const rows = await bed
      .db(writer)
      .query<{ btc: string }>(`select prices ->> 'BTC' as btc from price_points where exchange = 'steps' order by at`);
    expect(rows.map(({ btc }) => btc)).toEqual(['41', '31', '20', '1']);
  });

  it('is erased from the history after PRICE_HISTORY_DAYS, in batches', async () => {
    const small = await bed.start({ ...NEVER, PRICE_HISTORY_SWEEP_BATCH: '2', PRICE_HISTORY_DAYS: '10' }, []);
    for (const days of [15, 14, 13, 12, 11, 9]) await bed.save(small, 'old', { BTC: '1' }, days * DAY_MS);
    expect(await pointsOf('old')).toBe(6);
    expect(await small.get(PriceHistory).eraseExpired()).toBe(5);
    expect(await pointsOf('old')).toBe(1);
    await small.close();
  });
});

describe('the tickers in memory', () => {
  let writer: MarketProcess;
  let follower: MarketProcess;

  beforeAll(async () => {
    writer = await bed.start(NEVER);
    follower = await bed.start(NEVER);
    await listening(2);
  });
  afterAll(async () => {
    await writer.close();
    await follower.close();
  });

  /** Waits until that many processes listen; they say so as themselves in the list of connections. */
  async function listening(count: number): Promise<void> {
    await eventually(async () => expect((await listeners()).length).toBe(count));
  }

  async function listeners(): Promise<number[]> {
    const rows = await bed
      .db(writer)
      .query<{ pid: number }>(
        `select pid from pg_stat_activity where datname = current_database() and query = 'listen "ticker_snapshots"'`,
      );
    return rows.map(({ pid }) => pid);
  }

  it('are there as soon as a process runs, without an exchange', async () => {
    await bed.save(writer, 'kraken', { BTC: '7' });
    const late = await bed.start(NEVER);
    expect(priceIn(late, 'kraken')).toBe('7');
    await late.close();
    await listening(2);
  });

  it('are read later when the database cannot give them while a process starts', async () => {
    await bed.save(writer, 'kraken', { BTC: '7' });
    const owner = new pg.Client(bed.database.ownerUrl);
    await owner.connect();
    await owner.query('begin; lock table ticker_snapshots in access exclusive mode');
    const starting = await bed.start({ ...NEVER, DATABASE_LOCK_TIMEOUT_MS: '100' });
    expect(priceIn(starting, 'kraken')).toBeUndefined();
    await owner.query('commit');
    await owner.end();
    await bed.save(writer, 'kraken', { BTC: '9' });
    await eventually(() => expect(priceIn(starting, 'kraken')).toBe('9'));
    await starting.close();
    await listening(2);
  });

  it('change in every process when one has written', async () => {
    await bed.save(writer, 'gemini', { BTC: '8', ETH: '1' });
    await eventually(() => {
      expect(priceIn(writer, 'gemini')).toBe('8');
      expect(priceIn(follower, 'gemini')).toBe('8');
    });
  });

  it('keep every digit that was stored', async () => {
    await bed.save(writer, 'bitstamp', { PEPE: '0.000000123456789012345678' });
    await eventually(() => expect(priceIn(follower, 'bitstamp', 'PEPE')).toBe('0.000000123456789012345678'));
  });

  it('catch up with what was said while the connection was lost, and log no error', async () => {
    const owner = new pg.Client(bed.database.ownerUrl);
    await owner.connect();
    for (let round = 1; round <= 3; round++) {
      const before = await listeners();
      for (const pid of before) await owner.query('select pg_terminate_backend($1)', [pid]);
      await bed.save(writer, 'coinbase', { BTC: `${round}` });
      await eventually(() => expect(priceIn(follower, 'coinbase')).toBe(`${round}`));
      await listening(2);
    }
    await owner.end();
    expect(follower.logLines.some((line) => line.includes('"level":50'))).toBe(false);
  });

  it('are looked at once in a refresh period, too, because a pooler may swallow what is said', async () => {
    const seldom = await bed.start({ TICKERS_REFRESH_SECONDS: '1' });
    const owner = new pg.Client(bed.database.ownerUrl);
    await owner.connect();
    await owner.query(
      `insert into ticker_snapshots (exchange, prices, fetched_at) values ('silent', '{"BTC": "9"}', now())`,
    );
    await owner.end();
    await eventually(() => expect(priceIn(seldom, 'silent')).toBe('9'));
    expect(priceIn(follower, 'silent')).toBeUndefined();
    await seldom.close();
  });

  it('show their age as a metric; +Inf where there are none', async () => {
    const metric = (process: MarketProcess) =>
      process.get(Metrics).registry.getSingleMetricAsString('causeway_ticker_age_seconds');
    await bed.save(writer, 'kraken', { BTC: '7' });
    bed.clock.advance(90_000);
    const fresh = await bed.start(NEVER);
    expect(await metric(fresh)).toMatch(/causeway_ticker_age_seconds\{exchange="kraken"\} 9\d/);
    await fresh.close();
    const empty = await MarketBed.create();
    expect(await metric(await empty.start(NEVER))).toContain('{exchange="kraken"} +Inf');
    await empty.close();
  });
});

it('does not start when tickers would be stale before they are refreshed', async () => {
  const start = bed.start({ TICKERS_REFRESH_SECONDS: '30', TICKERS_STALE_SECONDS: '30' });
  await expect(start).rejects.toThrow(/TICKERS_STALE_SECONDS/);
});
