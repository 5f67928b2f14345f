import type { PairList, TradedPair } from '#exchange';
import { Metrics } from '#platform/metrics';
import { testOverrides } from '#platform/config';
import { eventually } from '#platform/testing';
import { BTC_USD, CatalogueHarness, type CatalogueProcess } from '../testing/index.js';
import { CatalogueRoutes } from './catalogue-routes.js';
import { CatalogueStore } from './catalogue-store.js';
import type { Catalogue } from './catalogue.js';
import { CurrentCatalogues } from './current-catalogues.js';
import { ReadCatalogue } from './read-catalogue.js';
import { RefreshCatalogue } from './refresh-catalogue.js';

const PAIRS = 'GET /0/public/AssetPairs';
const KEY = { exchange: 'kraken', mode: 'live' } as const;
const HOUR_MS = 3_600_000;
const NO_DIRECTIVES = { onlyIfCached: false, noCache: false, maxAgeMs: null };

/** A pair like the example of docs.kraken.com/api-reference/market-data/get-tradable-asset-pairs. */
const pair = (base: string, changes: object = {}): object => ({
  altname: `${base}USD`,
  wsname: `${base}/USD`,
  aclass_base: 'currency',
  base,
  aclass_quote: 'currency',
  quote: 'ZUSD',
  lot: 'unit',
  cost_decimals: 5,
  pair_decimals: 2,
  lot_decimals: 8,
  lot_multiplier: 1,
  leverage_buy: [2],
  leverage_sell: [2],
  fees: [[0, 0.4]],
  fees_maker: [[0, 0.25]],
  fee_volume_currency: 'ZUSD',
  margin_call: 80,
  margin_stop: 40,
  ordermin: '0.5',
  costmin: '0.5',
  tick_size: '0.25',
  status: 'online',
  ...changes,
});
const answer = (...pairs: object[]): object => ({ error: [], result: { ...pairs } });

describe('catalogues', () => {
  let harness: CatalogueHarness;

  beforeAll(async () => {
    harness = await CatalogueHarness.create();
  });
  beforeEach(async () => {
    await harness.reset();
    harness.kraken.on(PAIRS, () => answer(pair('SOL'), pair('ADA')));
  });
  afterAll(() => harness.close());

  const refresh = (process: CatalogueProcess): Promise<void> => process.get(RefreshCatalogue).execute(KEY);
  const read = (process: CatalogueProcess, cache: object = {}): Promise<Catalogue> =>
    process.get(ReadCatalogue).execute(KEY, { ...NO_DIRECTIVES, ...cache });
  const current = (process: CatalogueProcess): string[] | undefined =>
    process
      .get(CurrentCatalogues)
      .find(KEY)
      ?.pairs.map(({ base }) => base);
  const linesOf = (process: CatalogueProcess, text: string): { level: number; unreadable?: number }[] =>
    process.logLines.filter((line) => line.includes(text)).map((line) => JSON.parse(line) as { level: number });

  describe('that are stored', () => {
    const list = (agoMs: number, pairs: TradedPair[] = [BTC_USD]): PairList => {
      const fetchedAt = new Date(harness.clock.now().getTime() - agoMs);
      return { ...KEY, api: '/pairs', pairs, unreadable: 0, fetchedAt };
    };
    const stored = async (process: CatalogueProcess): Promise<Catalogue | undefined> =>
      (await process.get(CatalogueStore).listOtherThan([]))[0];

    it('are replaced only by newer catalogues, and keep `generatedAt` while the content is the same', async () => {
      const process = await harness.start();
      const store = process.get(CatalogueStore);
      const [oldest, older, newer, newest] = [
        list(4_000),
        list(3_000),
        list(2_000),
        list(1_000, [{ ...BTC_USD, status: 'cancel_only' }]),
      ];
      expect(await store.save(older)).toBe(true);
      expect(await store.save(oldest)).toBe(false);
      expect(await store.save(newer)).toBe(true);
      expect(await stored(process)).toMatchObject({ generatedAt: older.fetchedAt, fetchedAt: newer.fetchedAt });
      expect(await store.save(newest)).toBe(true);
      expect(await stored(process)).toEqual({
        ...KEY,
        api: '/pairs',
        pairs: newest.pairs,
        generatedAt: newest.fetchedAt,
        fetchedAt: newest.fetchedAt,
      });
    });

    it('are the newest catalogues after concurrent writes', async () => {
      const store = (await harness.start()).get(CatalogueStore);
      const lists = Array.from({ length: 20 }, (_, index) => list(((index * 7) % 20) * 100));
      await Promise.all(lists.map((one) => store.save(one)));
      const newest = Math.max(...lists.map(({ fetchedAt }) => fetchedAt.getTime()));
      expect((await store.listOtherThan([]))[0]?.fetchedAt.getTime()).toBe(newest);
    });

    it('are replaced although a wrong clock has stamped them with a later time', async () => {
      const store = (await harness.start()).get(CatalogueStore);
      await store.save(list(-24 * HOUR_MS));
      expect(await store.save(list(0))).toBe(true);
    });

    it('are ignored in the format of another release', async () => {
      const process = await harness.start();
      await process.get(CatalogueStore).save(list(0));
      await harness.asOwner('update trading_catalogues set schema_version = schema_version + 1');
      expect(await stored(process)).toBeUndefined();
    });
  });

  describe('that are refreshed', () => {
    it('are in the memory of every process, also of those that start while no exchange responds', async () => {
      const [worker, api] = [await harness.start(), await harness.start()];
      await refresh(worker);
      await eventually(() =>
        expect([current(worker), current(api)]).toEqual([
          ['ADA', 'SOL'],
          ['ADA', 'SOL'],
        ]),
      );
      harness.kraken.on(PAIRS, () => undefined);
      const late = await harness.start();
      expect(current(late)).toEqual(['ADA', 'SOL']);
      expect(harness.kraken.calls.length).toBe(1);
      expect(await worker.refreshes('ok')).toBe(1);
    });

    it('stay in memory when the exchange fails; each failure is counted, and only the first one is logged as a warning', async () => {
      const worker = await harness.start();
      await refresh(worker);
      harness.kraken.on(PAIRS, (_call, response) => void response.end('<html>'));
      await refresh(worker);
      harness.kraken.on(PAIRS, () => answer());
      await refresh(worker);
      await eventually(() => expect(current(worker)).toEqual(['ADA', 'SOL']));
      expect(await worker.refreshes('failed')).toBe(2);
      expect(linesOf(worker, 'the catalogue was not refreshed').map(({ level }) => level)).toEqual([40, 20]);
      harness.kraken.on(PAIRS, () => answer(pair('DOT')));
      await refresh(worker);
      await eventually(() => expect(current(worker)).toEqual(['DOT']));
      expect(linesOf(worker, 'the catalogue was refreshed;').length).toBe(1);
    });

    it('leave out contradictory entries and log the number of these entries', async () => {
      const worker = await harness.start();
      const lies = [{ tick_size: '0' }, { tick_size: '1e99' }, { lot_decimals: -1 }, { ordermin: 'NaN' }, { base: '' }];
      const sound = ['DOT', 'ETH', 'SOL', 'XLM', 'XTZ'];
      const answerWith = (codes: string[]): object =>
        answer(...codes.map((code) => pair(code)), ...lies.map((lie) => pair('ADA', lie)));
      harness.kraken.on(PAIRS, () => answerWith(sound));
      await refresh(worker);
      await refresh(worker);
      await eventually(() => expect(current(worker)).toEqual(sound));
      // Now more than half of the entries are contradictory, so the last good list stays.
      harness.kraken.on(PAIRS, () => answerWith(sound.slice(1)));
      await refresh(worker);
      expect(await worker.refreshes('failed')).toBe(1);
      await worker.get(CurrentCatalogues).reload();
      expect(current(worker)).toEqual(sound);
      expect(linesOf(worker, 'left out').map(({ unreadable }) => unreadable)).toEqual([lies.length]);
    });

    it('are neither read nor stored for an exchange that CATALOGUE_EXCHANGES does not name', async () => {
      const worker = await harness.start({ CATALOGUE_EXCHANGES: 'none' });
      await refresh(worker);
      await expect(read(worker)).rejects.toMatchObject({ code: 'TRADING_DATA_UNAVAILABLE' });
      expect(harness.kraken.calls).toEqual([]);
      expect(await worker.get(CatalogueStore).listOtherThan([])).toEqual([]);
    });
  });

  describe('that a request needs', () => {
    it('are read once when none is stored, however many requests wait', async () => {
      const api = await harness.start();
      const found = await Promise.all(Array.from({ length: 20 }, () => read(api)));
      expect(new Set(found).size).toBe(1);
      expect(found[0]?.pairs.map(({ tickSize }) => tickSize)).toEqual(['0.25', '0.25']);
      expect(harness.kraken.calls.length).toBe(1);
    });

    it('are unavailable while the exchange fails, and are read again after CATALOGUE_RETRY_SECONDS', async () => {
      const api = await harness.start(testOverrides({ CATALOGUE_RETRY_SECONDS: 7 }));
      harness.kraken.on(PAIRS, (_call, response) => void response.writeHead(503).end());
      const refused = { code: 'TRADING_DATA_UNAVAILABLE', retryAfterSeconds: 7 };
      await expect(read(api)).rejects.toMatchObject(refused);
      harness.kraken.on(PAIRS, () => answer(pair('SOL')));
      await expect(read(api)).rejects.toMatchObject(refused);
      expect(harness.kraken.calls.length).toBe(1);
      harness.clock.advance(7_000);
      expect((await read(api)).pairs.length).toBe(1);
    });

    it('are read again when they are too old, and served at any age when the read fails', async () => {
      const api = await harness.start();
      const first = await read(api);
      harness.clock.advance(HOUR_MS + 1_000);
      harness.kraken.on(PAIRS, () => undefined);
      expect(await read(api)).toBe(first);
      expect(harness.kraken.calls.length).toBe(2);
      harness.clock.advance(60_000);
      await harness.asOwner('alter table trading_catalogues rename to elsewhere');
      harness.kraken.on(PAIRS, () => answer(pair('DOT')));
      expect(await read(api)).toBe(first);
      await harness.asOwner('alter table elsewhere rename to trading_catalogues');
      harness.clock.advance(60_000);
      expect((await read(api)).pairs.map(({ base }) => base)).toEqual(['DOT']);
    });

    it('are never read from the exchange for a request with only-if-cached', async () => {
      const api = await harness.start();
      await expect(read(api, { onlyIfCached: true })).rejects.toMatchObject({ code: 'CACHE_MISS' });
      const first = await read(api);
      harness.clock.advance(60_000);
      expect(await read(api, { onlyIfCached: true })).toBe(first);
      expect(await read(api, { onlyIfCached: true, maxAgeMs: 120_000 })).toBe(first);
      const expired = { code: 'CACHE_EXPIRED' };
      await expect(read(api, { onlyIfCached: true, maxAgeMs: 30_000 })).rejects.toMatchObject(expired);
      await expect(read(api, { onlyIfCached: true, noCache: true })).rejects.toMatchObject(expired);
      harness.clock.advance(HOUR_MS);
      await expect(read(api, { onlyIfCached: true, maxAgeMs: 2 * HOUR_MS })).rejects.toMatchObject(expired);
      expect(harness.kraken.calls.length).toBe(1);
    });

    it('are read again for a caller who asks for a newer catalogue, but at most once a minute', async () => {
      const api = await harness.start();
      await read(api);
      harness.clock.advance(60_000);
      await read(api, { maxAgeMs: 60_000_000 });
      expect(harness.kraken.calls.length).toBe(1);
      await read(api, { maxAgeMs: 30_000 });
      expect(harness.kraken.calls.length).toBe(2);
      for (let times = 0; times < 3; times++) await read(api, { noCache: true });
      expect(harness.kraken.calls.length).toBe(2);
      harness.clock.advance(55_000);
      await read(api, { maxAgeMs: 0 });
      expect(harness.kraken.calls.length).toBe(2);
      harness.clock.advance(5_000);
      await read(api, { noCache: true });
      expect(harness.kraken.calls.length).toBe(3);
    });
  });

  it('find a route by its id and by its pair', async () => {
    harness.kraken.on(PAIRS, () => answer(pair('SOL'), pair('ADA'), pair('AAPLx'), pair('AAPLX')));
    const routes = (await harness.start()).get(CatalogueRoutes);
    const find = async (text: string): Promise<string | undefined> =>
      (await routes.find('kraken', 'live', text))?.pair.exchangeSymbol;
    for (const text of ['kraken:spot:SOL-USD', 'SOL/USD', 'sol/usd', 'KRAKEN:SPOT:SOL-USD', ' SOL/USD']) {
      expect(await find(text)).toBe('SOLUSD');
    }
    // AAPLx and AAPLX differ only in upper and lower case: the exact text names one of them, another text is refused.
    expect(await find('AAPLX/USD')).toBe('AAPLXUSD');
    await expect(find('aaplx/USD')).rejects.toThrow('names several routes');
    for (const text of ['', 'SOL', 'SOL-USD', 'USD/SOL', 'coinbase:spot:SOL-USD', 'constructor']) {
      expect(await find(text)).toBeUndefined();
    }
  });

  it('return routes at once, however old they are, while a newer list is read in parallel', async () => {
    const api = await harness.start({ EXCHANGE_TIMEOUT_MS: '5000' });
    const find = (text: string) => api.get(CatalogueRoutes).find('kraken', 'live', text);
    expect((await find('SOL/USD'))?.routeId).toBe('kraken:spot:SOL-USD');
    harness.clock.advance(24 * HOUR_MS);
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    harness.kraken.on(PAIRS, (_call, response) => {
      void released.then(() => response.end(JSON.stringify(answer(pair('DOT')))));
    });
    expect((await find('SOL/USD'))?.routeId).toBe('kraken:spot:SOL-USD');
    release();
    await eventually(() => expect(current(api)).toEqual(['DOT']));
    expect(await find('SOL/USD')).toBeNull();
    expect(harness.kraken.calls.length).toBe(2);
  });

  it('report their age as a metric; +Inf without a catalogue', async () => {
    const api = await harness.start();
    const age = (): Promise<string> =>
      api.get(Metrics).registry.getSingleMetricAsString('causeway_catalogue_age_seconds');
    expect(await age()).toContain('{exchange="kraken",mode="live"} +Inf');
    await read(api);
    harness.clock.advance(90_000);
    expect(await age()).toMatch(/\{exchange="kraken",mode="live"\} 9\d/);
  });

  it('require a maximum age above the refresh interval', async () => {
    const start = harness.start(testOverrides({ CATALOGUE_REFRESH_SECONDS: 30, CATALOGUE_MAX_AGE_SECONDS: 30 }));
    await expect(start).rejects.toThrow(/CATALOGUE_MAX_AGE_SECONDS/);
  });
});
