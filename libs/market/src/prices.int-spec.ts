import { array, assert, asyncProperty, constantFrom, integer, record } from 'fast-check';
import { CurrentTickers } from './current-tickers.js';
import { Prices, type PriceQuestion } from './prices.service.js';
import { MarketHarness, type MarketProcess } from './testing/index.js';

const MINUTE_MS = 60_000;
const ENV = { TICKERS_REFRESH_SECONDS: '299', TICKERS_STALE_SECONDS: '300', PRICE_SOURCES: 'coinbase,gemini' };

describe('prices', () => {
  let harness: MarketHarness;
  let market: MarketProcess;

  beforeEach(async () => {
    harness = await MarketHarness.create();
    market = await harness.start(ENV);
  });
  afterEach(() => harness.close());

  const now = (exchange: string, asset: string): string | undefined =>
    market.get(Prices).now(exchange, asset)?.toString();
  const ago = (minutes: number): Date => new Date(harness.clock.now().getTime() - minutes * MINUTE_MS);
  const at = async (...questions: PriceQuestion[]): Promise<(string | undefined)[]> =>
    (await market.get(Prices).at(questions)).map((price) => price?.toString());

  async function publish(exchange: string, prices: Record<string, string>, agoMs = 0): Promise<void> {
    await harness.save(market, exchange, prices, agoMs);
    await market.get(CurrentTickers).reload();
  }

  it('of now come from the exchange itself, else from the first source that has a price', async () => {
    await publish('kraken', { BTC: '1' });
    await publish('gemini', { BTC: '2', ETH: '20', XRP: '200' });
    await publish('coinbase', { BTC: '3', ETH: '30' });
    expect(now('kraken', 'BTC')).toBe('1');
    expect(now('kraken', 'ETH')).toBe('30');
    expect(now('kraken', 'XRP')).toBe('200');
    expect(now('sandbox', 'BTC')).toBe('3');
    expect(now('kraken', 'DOGE')).toBeUndefined();
  });

  it('of an exchange that is not among PRICE_SOURCES are used for its own wallets only', async () => {
    await publish('kraken', { BTC: '1' });
    expect(now('kraken', 'BTC')).toBe('1');
    expect(now('sandbox', 'BTC')).toBeUndefined();
  });

  it('of now come from a source when those of the exchange are stale', async () => {
    await publish('kraken', { BTC: '1' }, 5 * MINUTE_MS + 1);
    expect(now('kraken', 'BTC')).toBeUndefined();
    await publish('coinbase', { BTC: '3' });
    expect(now('kraken', 'BTC')).toBe('3');
    harness.clock.advance(5 * MINUTE_MS + 1_000);
    expect(now('kraken', 'BTC')).toBeUndefined();
  });

  it('of USD are always 1', async () => {
    expect(now('kraken', 'USD')).toBe('1');
    expect(await at({ exchange: 'nowhere', asset: 'USD', at: new Date(0) })).toEqual(['1']);
  });

  it('of the past are the nearest stored prices of the exchange itself, else of the first source that has a price', async () => {
    await publish('kraken', { BTC: '1', ETH: '10' }, 60 * MINUTE_MS);
    await publish('kraken', { BTC: '2' }, 40 * MINUTE_MS);
    await publish('coinbase', { BTC: '3', ETH: '30', XRP: '300' }, 51 * MINUTE_MS);
    await publish('gemini', { XRP: '400', ADA: '4' }, 50 * MINUTE_MS);
    const questions = (asset: string, minutes: number): PriceQuestion => ({
      exchange: 'kraken',
      asset,
      at: ago(minutes),
    });
    expect(
      await at(
        questions('BTC', 51),
        questions('BTC', 49),
        questions('ETH', 49),
        questions('XRP', 49),
        questions('ADA', 49),
        questions('DOGE', 49),
        questions('BTC', 91),
        questions('BTC', 11),
        questions('BTC', 9),
        { exchange: 'sandbox', asset: 'BTC', at: ago(50) },
      ),
    ).toEqual(['1', '2', '10', '300', '4', undefined, undefined, '2', undefined, '3']);
  });

  it('of a time within TICKERS_STALE_SECONDS of now are the current prices', async () => {
    await publish('kraken', { BTC: '1' }, 10 * MINUTE_MS);
    await publish('kraken', { BTC: '2' });
    expect(
      await at(
        { exchange: 'kraken', asset: 'BTC', at: ago(4) },
        { exchange: 'kraken', asset: 'BTC', at: ago(6) },
        { exchange: 'kraken', asset: 'BTC', at: ago(-4) },
      ),
    ).toEqual(['2', '1', '2']);
  });

  it('are an empty list for an empty list of questions', async () => expect(await at()).toEqual([]));

  it('of now are null in a process that does not follow tickers, and prices of the past are read from the database', async () => {
    await publish('kraken', { BTC: '1' });
    const other = await harness.start(ENV, []);
    expect(other.get(Prices).now('kraken', 'BTC')).toBeNull();
    const [price] = await other.get(Prices).at([{ exchange: 'kraken', asset: 'BTC', at: ago(1) }]);
    expect(price?.toString()).toBe('1');
  });

  it('of the past equal those found by a search through every stored point', async () => {
    const exchanges = ['kraken', 'coinbase', 'gemini'] as const;
    const kept = new Map<string, { minute: number; prices: Record<string, string> }[]>();
    const point = record({ exchange: constantFrom(...exchanges), minute: integer({ min: 20, max: 600 }) });
    const asset = constantFrom('A', 'B');
    const question = record({
      exchange: constantFrom(...exchanges, 'sandbox'),
      asset,
      minute: integer({ min: 6, max: 640 }),
    });
    const base = harness.clock.now().getTime();
    let serial = 0;
    const property = asyncProperty(
      array(point, { maxLength: 6 }),
      array(question, { maxLength: 12 }),
      async (points, list) => {
        for (const { exchange, minute } of points) {
          const prices: Record<string, string> = {
            A: `${++serial}`,
            ...(serial % 2 === 0 ? { B: `${serial * 2}` } : {}),
          };
          const inserted = await harness
            .db(market)
            .query(`insert into price_points values ($1, $2, $3) on conflict do nothing returning at`, [
              exchange,
              new Date(base - minute * MINUTE_MS),
              JSON.stringify(prices),
            ]);
          if (inserted.length > 0) kept.set(exchange, [...(kept.get(exchange) ?? []), { minute, prices }]);
        }
        const found = await at(
          ...list.map(({ minute, ...rest }) => ({ ...rest, at: new Date(base - minute * MINUTE_MS) })),
        );
        expect(found).toEqual(list.map((one) => expected(one)));
      },
    );
    const expected = (one: { exchange: string; asset: string; minute: number }): string | undefined => {
      for (const exchange of new Set([one.exchange, 'coinbase', 'gemini'])) {
        const near = (kept.get(exchange) ?? [])
          .filter(({ minute, prices }) => one.asset in prices && Math.abs(minute - one.minute) <= 30)
          .sort((a, b) => Math.abs(a.minute - one.minute) - Math.abs(b.minute - one.minute) || b.minute - a.minute);
        if (near[0] !== undefined) return near[0].prices[one.asset];
      }
      return undefined;
    };
    await assert(property, { numRuns: 40 });
    expect(serial).toBeGreaterThan(20);
  });

  it('of 500 past times are read with two statements for each exchange', async () => {
    // This process has no `FollowTickers`, whose background statements would be counted, too.
    const other = await harness.start(ENV, []);
    const db = harness.db(other);
    const query = db.query.bind(db);
    let statements = 0;
    db.query = (...given) => {
      statements++;
      return query(...given);
    };
    const questions = Array.from({ length: 500 }, (_, index) => ({
      exchange: 'kraken',
      asset: 'BTC',
      at: ago(10 + index),
    }));
    await other.get(Prices).at(questions);
    // Two statements for each of three exchanges, none of which has a price here.
    expect(statements).toBe(6);
  });

  it('cannot come from an exchange without tickers; a process whose PRICE_SOURCES name one does not start', async () => {
    await expect(harness.start({ ...ENV, PRICE_SOURCES: 'kraken,binance' })).rejects.toThrow(/PRICE_SOURCES.*binance/);
  });
});
