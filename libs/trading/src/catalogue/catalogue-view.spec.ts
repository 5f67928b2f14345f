import { array, assert, constantFrom, option, property, record, subarray, uniqueArray } from 'fast-check';
import type { TradedPair } from '#exchange';
import { BTC_USD } from '../testing/pairs.js';
import type { Catalogue } from './catalogue.js';
import { chosenBy, EVERYTHING, filterOf, nameOf, viewOf } from './catalogue-view.js';

const CODES = ['BTC', 'ETH', 'USD', 'EUR', 'omni', 'AAPLx'];

const code = constantFrom(...CODES);
const pairs = uniqueArray(
  record({ base: code, quote: code, isTradingEnabled: constantFrom(true, false) }).map((some): TradedPair => ({
    ...BTC_USD,
    ...some,
    exchangeBase: `X${some.base}`,
    exchangeQuote: `Z${some.quote}`,
  })),
  { selector: ({ base, quote }) => `${base}-${quote}` },
);
const catalogue = pairs.map((given): Catalogue => ({
  exchange: 'kraken',
  mode: 'live',
  api: '/pairs',
  pairs: given,
  generatedAt: new Date(0),
  fetchedAt: new Date(1_000),
}));
/** Codes in any case, with spaces around them, and some empty ones. */
const list = array(constantFrom(...CODES, 'btc', ' Eth ', 'OMNI', 'aaplX', 'NOPE', '', 'constructor')).map((codes) =>
  codes.join(','),
);
const filter = record({ sources: option(list), destinations: option(list) }).map(({ sources, destinations }) =>
  filterOf([sources ?? undefined], [destinations ?? undefined]),
);

describe('the response for a catalogue', () => {
  it('contains, without a filter, each pair as a route and each asset once', () => {
    assert(
      property(catalogue, (whole) => {
        const { routes, assets, stats } = viewOf(whole, EVERYTHING);
        expect(routes.map(({ routeId }) => routeId)).toEqual(
          whole.pairs.map(({ base, quote }) => `kraken:spot:${base}-${quote}`),
        );
        expect(assets.map(({ assetId }) => assetId)).toEqual(
          [...new Set(whole.pairs.flatMap(({ base, quote }) => [base, quote]))].sort(),
        );
        expect(stats).toEqual({
          totalAssets: assets.length,
          totalRoutes: routes.length,
          tradableRoutes: routes.filter(({ isTradingEnabled }) => isTradingEnabled).length,
        });
      }),
    );
  });

  it('contains with a filter only the matching routes, unchanged, with their assets and the counts of both', () => {
    assert(
      property(catalogue, filter, (whole, asked) => {
        const some = chosenBy(whole, asked);
        const all = viewOf(whole, EVERYTHING);
        const { routes, assets, stats } = viewOf(whole, some);
        const passes = (asset: string, codes: ReadonlySet<string> | null): boolean =>
          codes === null || codes.has(asset);
        expect(routes).toEqual(
          all.routes.filter(
            ({ baseAsset, quoteAsset }) => passes(baseAsset, some.sources) && passes(quoteAsset, some.destinations),
          ),
        );
        const named = new Set(routes.flatMap(({ baseAsset, quoteAsset }) => [baseAsset, quoteAsset]));
        expect(assets.map(({ assetId }) => assetId)).toEqual([...named].sort());
        for (const { assetId, exchangeSymbols } of assets) {
          const known = all.assets.find((asset) => asset.assetId === assetId)?.exchangeSymbols ?? [];
          expect(known).toEqual(expect.arrayContaining(exchangeSymbols));
          expect(exchangeSymbols.length).toBeGreaterThan(0);
        }
        expect([stats.totalAssets, stats.totalRoutes]).toEqual([assets.length, routes.length]);
      }),
    );
  });

  it('has one cache key for filters with the same known codes, and different keys for different results', () => {
    const withoutTimes = (whole: Catalogue, some: typeof EVERYTHING): string => JSON.stringify(viewOf(whole, some));
    assert(
      property(catalogue, filter, filter, (whole, ...filters) => {
        const [one, other] = filters.map((each) => chosenBy(whole, each)) as [typeof EVERYTHING, typeof EVERYTHING];
        if (nameOf(one) === nameOf(other)) {
          expect(withoutTimes(whole, one)).toBe(withoutTimes(whole, other));
        }
      }),
    );
    const known = catalogue.filter((whole) => whole.pairs.length > 0);
    assert(
      property(known, subarray(CODES, { minLength: 1 }), (whole, codes) => {
        const asked = filterOf([codes.join(',')], []);
        const inDisorder = filterOf([[...codes].reverse().join(' , ').toLowerCase(), 'NOPE'], []);
        expect(nameOf(chosenBy(whole, asked))).toBe(nameOf(chosenBy(whole, inDisorder)));
      }),
    );
  });

  it('is filtered by all codes that are given under either name of a query parameter; an empty list filters nothing', () => {
    expect(filterOf(['BTC', 'eth'], [undefined, 'usd'])).toEqual({
      sources: ['BTC', 'eth'],
      destinations: ['usd'],
    });
    expect(filterOf([undefined, undefined], ['', ' , '])).toEqual(EVERYTHING);
    expect(filterOf(['', 'BTC,'], [])).toEqual({ sources: ['BTC'], destinations: null });
  });

  it('contains a route with all its rules', () => {
    const whole: Catalogue = {
      exchange: 'kraken',
      mode: 'test',
      api: '/0/public/AssetPairs',
      pairs: [{ ...BTC_USD, exchangeBase: 'XXBT', minCost: null }],
      generatedAt: new Date('2026-01-01T12:00:00Z'),
      fetchedAt: new Date('2026-01-01T12:10:00Z'),
    };
    const { routes, assets, ...rest } = viewOf(whole, EVERYTHING);
    expect(rest).toEqual({
      schemaVersion: 1,
      exchange: 'kraken',
      generatedAt: '2026-01-01T12:00:00.000Z',
      source: { api: '/0/public/AssetPairs', fetchedAt: '2026-01-01T12:10:00.000Z' },
      stats: { totalAssets: 2, totalRoutes: 1, tradableRoutes: 1 },
    });
    expect(assets[0]).toEqual({ assetId: 'BTC', symbol: 'BTC', exchangeSymbols: ['XXBT'] });
    expect(routes).toEqual([
      {
        routeId: 'kraken:spot:BTC-USD',
        exchange: 'kraken',
        marketType: 'spot',
        baseAsset: 'BTC',
        quoteAsset: 'USD',
        displaySymbol: 'BTC/USD',
        exchangeSymbol: BTC_USD.exchangeSymbol,
        status: 'online',
        isTradingEnabled: true,
        margin: { isMarginEnabled: BTC_USD.isMarginEnabled },
        orderTypes: BTC_USD.orderTypes,
        tradingRules: {
          price: { tickSize: BTC_USD.tickSize, priceDecimals: BTC_USD.priceDecimals },
          quantity: {
            minBaseQty: BTC_USD.minBaseQty,
            stepSize: BTC_USD.stepSize,
            quantityDecimals: BTC_USD.quantityDecimals,
          },
          cost: { minCost: null },
        },
        fees: { model: 'maker_taker', tiers: BTC_USD.feeTiers },
      },
    ]);
  });
});
