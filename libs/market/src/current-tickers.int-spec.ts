import pg from 'pg';
import { Clock, DAY_MS } from '#platform/clock';
import { Config, testOverrides } from '#platform/config';
import { Database } from '#platform/database';
import { PeriodicTasks } from '#platform/lifecycle';
import { Metrics } from '#platform/metrics';
import { eventually } from '#platform/testing';
import { CurrentTickers } from './current-tickers.js';
import { ExpiredPrices } from './expired-prices.js';
import { MarketHarness, type MarketProcess } from './testing/index.js';

const MINUTE_MS = 60_000;
/** A refresh period that never ends in a test, so that every change in memory comes from a notification. */
const NEVER = { TICKERS_REFRESH_SECONDS: '3599', TICKERS_STALE_SECONDS: '3600' };

let harness: MarketHarness;

beforeAll(async () => {
  harness = await MarketHarness.create();
});
afterAll(() => harness.close());

const priceIn = (process: MarketProcess, exchange: string, symbol = 'BTC'): string | undefined =>
  process.get(CurrentTickers).find(exchange)?.prices.get(symbol);

describe('the stored snapshot of an exchange', () => {
  let writer: MarketProcess;

  beforeAll(async () => {
    writer = await harness.start(NEVER, []);
  });
  afterAll(() => writer.close());

  const stored = async (exchange: string): Promise<unknown> => {
    const rows = await harness
      .db(writer)
      .query<{ prices: unknown }>('select prices from ticker_snapshots where exchange = $1', [exchange]);
    return rows[0]?.prices;
  };
  const pointsOf = async (exchange: string): Promise<number> => {
    const rows = await harness.db(writer).query('select from price_points where exchange = $1', [exchange]);
    return rows.length;
  };
  const waitingForLocks = async (): Promise<number> => {
    const rows = await harness
      .db(writer)
      .query(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
    return rows.length;
  };

  it('is replaced by newer prices only', async () => {
    expect(await harness.save(writer, 'newer', { BTC: '1' }, 1_000)).toBe(true);
    expect(await harness.save(writer, 'newer', { BTC: '2' }, 2_000)).toBe(false);
    expect(await stored('newer')).toEqual({ BTC: '1' });
    expect(await harness.save(writer, 'newer', { BTC: '3' })).toBe(true);
    expect(await stored('newer')).toEqual({ BTC: '3' });
  });

  it('is the newest of several concurrent writes, which add one point to the history', async () => {
    const ages = Array.from({ length: 20 }, (_, index) => (index * 7) % 20);
    await Promise.all(ages.map((age) => harness.save(writer, 'many', { BTC: `${100 - age}` }, age * 100)));
    expect(await stored('many')).toEqual({ BTC: '100' });
    expect(await pointsOf('many')).toBe(1);
  });

  it('is added to the history once by two writes that wait for each other', async () => {
    await harness.save(writer, 'waiting', { BTC: '1' }, 20 * MINUTE_MS);
    const owner = new pg.Client(harness.database.ownerUrl);
    await owner.connect();
    await owner.query(`begin; select from ticker_snapshots where exchange = 'waiting' for update`);
    const writes: Promise<boolean>[] = [];
    for (const age of [2_000, 1_000]) {
      writes.push(harness.save(writer, 'waiting', { BTC: `${age}` }, age));
      await eventually(async () => expect(await waitingForLocks()).toBe(writes.length));
    }
    await owner.query('commit');
    await owner.end();
    expect(await Promise.all(writes)).toEqual([true, true]);
    expect(await stored('waiting')).toEqual({ BTC: '1000' });
    expect(await pointsOf('waiting')).toBe(2);
  });

  it('is replaced although a wrong clock dated it in the future', async () => {
    await harness.save(writer, 'future', { BTC: '1' }, -DAY_MS);
    expect(await harness.save(writer, 'future', { BTC: '2' })).toBe(true);
    expect(await stored('future')).toEqual({ BTC: '2' });
  });

  it('is added to the history when the newest point is at least 10 minutes old', async () => {
    const minutes = [41, 40, 35, 31.5, 31, 20, 1];
    for (const ago of minutes) await harness.save(writer, 'steps', { BTC: `${ago}` }, ago * MINUTE_MS);
    const rows = await harness
      .db(writer)
      .query<{ btc: string }>(`select prices ->> 'BTC' as btc from price_points where exchange = 'steps' order by at`);
    expect(rows.map(({ btc }) => btc)).toEqual(['41', '31', '20', '1']);
  });

  it('is erased from the history after PRICE_HISTORY_DAYS, in batches', async () => {
    const settings = { ...NEVER, PRICE_HISTORY_DAYS: '10', ...testOverrides({ RETENTION_BATCH: 2 }) };
    const small = await harness.start(settings, []);
    for (const days of [15, 14, 13, 12, 11, 9]) await harness.save(small, 'old', { BTC: '1' }, days * DAY_MS);
    expect(await pointsOf('old')).toBe(6);
    const parts = [small.get(Database), small.get(Clock), small.get(Config), small.get(PeriodicTasks)] as const;
    expect(await new ExpiredPrices(...parts).delete()).toBe(5);
    expect(await pointsOf('old')).toBe(1);
    await small.close();
  });
});

describe('the tickers in memory', () => {
  let writer: MarketProcess;
  let follower: MarketProcess;

  beforeAll(async () => {
    writer = await harness.start(NEVER);
    follower = await harness.start(NEVER);
    await listening(2);
  });
  afterAll(async () => {
    await writer.close();
    await follower.close();
  });

  /** Waits until `count` connections listen, by the server's list of connections. */
  async function listening(count: number): Promise<void> {
    await eventually(async () => expect((await listeners()).length).toBe(count));
  }

  async function listeners(): Promise<number[]> {
    const rows = await harness
      .db(writer)
      .query<{ pid: number }>(
        `select pid from pg_stat_activity where datname = current_database() and query = 'listen "ticker_snapshots"'`,
      );
    return rows.map(({ pid }) => pid);
  }

  it('are served as soon as a process runs, without asking an exchange', async () => {
    await harness.save(writer, 'kraken', { BTC: '7' });
    const late = await harness.start(NEVER);
    expect(priceIn(late, 'kraken')).toBe('7');
    await late.close();
    await listening(2);
  });

  it('are read later when the database fails while a process starts', async () => {
    await harness.save(writer, 'kraken', { BTC: '7' });
    const owner = new pg.Client(harness.database.ownerUrl);
    await owner.connect();
    await owner.query('begin; lock table ticker_snapshots in access exclusive mode');
    const starting = await harness.start({ ...NEVER, DATABASE_LOCK_TIMEOUT_MS: '100' });
    expect(priceIn(starting, 'kraken')).toBeUndefined();
    await owner.query('commit');
    await owner.end();
    await harness.save(writer, 'kraken', { BTC: '9' });
    await eventually(() => expect(priceIn(starting, 'kraken')).toBe('9'));
    await starting.close();
    await listening(2);
  });

  it('change in every process after one process has stored new tickers', async () => {
    await harness.save(writer, 'gemini', { BTC: '8', ETH: '1' });
    await eventually(() => {
      expect(priceIn(writer, 'gemini')).toBe('8');
      expect(priceIn(follower, 'gemini')).toBe('8');
    });
  });

  it('keep every digit that was stored', async () => {
    await harness.save(writer, 'bitstamp', { PEPE: '0.000000123456789012345678' });
    await eventually(() => expect(priceIn(follower, 'bitstamp', 'PEPE')).toBe('0.000000123456789012345678'));
  });

  it('include changes that were notified while the connection was lost, and the loss is not logged as an error', async () => {
    const owner = new pg.Client(harness.database.ownerUrl);
    await owner.connect();
    for (let round = 1; round <= 3; round++) {
      const before = await listeners();
      for (const pid of before) await owner.query('select pg_terminate_backend($1)', [pid]);
      await harness.save(writer, 'coinbase', { BTC: `${round}` });
      await eventually(() => expect(priceIn(follower, 'coinbase')).toBe(`${round}`));
      await listening(2);
    }
    await owner.end();
    expect(follower.logLines.some((line) => line.includes('"level":50'))).toBe(false);
  });

  it('are read again in every refresh period, because a connection pooler may drop notifications', async () => {
    const seldom = await harness.start({ TICKERS_REFRESH_SECONDS: '1' });
    const owner = new pg.Client(harness.database.ownerUrl);
    await owner.connect();
    await owner.query(
      `insert into ticker_snapshots (exchange, prices, fetched_at) values ('silent', '{"BTC": "9"}', now())`,
    );
    await owner.end();
    await eventually(() => expect(priceIn(seldom, 'silent')).toBe('9'));
    expect(priceIn(follower, 'silent')).toBeUndefined();
    await seldom.close();
  });

  it('export their age as a metric, and +Inf when there are none', async () => {
    const metric = (process: MarketProcess) =>
      process.get(Metrics).registry.getSingleMetricAsString('causeway_ticker_age_seconds');
    await harness.save(writer, 'kraken', { BTC: '7' });
    harness.clock.advance(90_000);
    const fresh = await harness.start(NEVER);
    expect(await metric(fresh)).toMatch(/causeway_ticker_age_seconds\{exchange="kraken"\} 9\d/);
    await fresh.close();
    const empty = await MarketHarness.create();
    expect(await metric(await empty.start(NEVER))).toContain('{exchange="kraken"} +Inf');
    await empty.close();
  });
});

it('a process does not start when tickers would be stale before they are refreshed', async () => {
  const start = harness.start({ TICKERS_REFRESH_SECONDS: '30', TICKERS_STALE_SECONDS: '30' });
  await expect(start).rejects.toThrow(/TICKERS_STALE_SECONDS/);
});
