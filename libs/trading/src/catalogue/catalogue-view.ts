import type { TradedPair } from '#exchange';
import { SCHEMA_VERSION, routeIdOf, type Catalogue } from './catalogue.js';
import type { TradableAssetsResponse } from './catalogue.dto.js';
import { tradingRulesOf } from './route.js';

type Route = TradableAssetsResponse['routes'][number];
type Asset = TradableAssetsResponse['assets'][number];

/** Asset codes in upper case; null allows all assets. */
export interface RouteFilter {
  readonly sources: ReadonlySet<string> | null;
  readonly destinations: ReadonlySet<string> | null;
}

export const EVERYTHING: RouteFilter = { sources: null, destinations: null };

/** Returns the content of a response: the routes that pass the filter, and their assets. */
export function viewOf(catalogue: Catalogue, filter: RouteFilter): TradableAssetsResponse {
  const { exchange, api, generatedAt, fetchedAt } = catalogue;
  const pairs = catalogue.pairs.filter((pair) => passes(pair, filter));
  const assets = assetsOf(pairs);
  return {
    schemaVersion: SCHEMA_VERSION,
    exchange,
    generatedAt: generatedAt.toISOString(),
    source: { api, fetchedAt: fetchedAt.toISOString() },
    assets,
    routes: pairs.map((pair) => toRoute(exchange, pair)),
    stats: {
      totalAssets: assets.length,
      totalRoutes: pairs.length,
      tradableRoutes: pairs.filter(({ isTradingEnabled }) => isTradingEnabled).length,
    },
  };
}

/**
 * Returns the filter of a query.
 * @param sources, destinations comma-separated codes in upper or lower case. Undefined and lists without a code do not
 *   filter.
 */
export function filterOf(sources: (string | undefined)[], destinations: (string | undefined)[]): RouteFilter {
  return { sources: codesIn(sources), destinations: codesIn(destinations) };
}

/**
 * Returns the cache key of a filter. The key contains only codes that the catalogue has, in a fixed order. Filters with
 * the same key have the same result.
 */
export function nameOf(catalogue: Catalogue, { sources, destinations }: RouteFilter): string {
  const known = (codes: ReadonlySet<string> | null, side: 'base' | 'quote'): string =>
    codes === null
      ? '*'
      : [...new Set(catalogue.pairs.map((pair) => pair[side].toUpperCase()))].filter((code) => codes.has(code)).join();
  return `${known(sources, 'base')} ${known(destinations, 'quote')}`;
}

function codesIn(lists: (string | undefined)[]): ReadonlySet<string> | null {
  const codes = lists.flatMap((list) => (list ?? '').split(',').map((code) => code.trim().toUpperCase()));
  const named = codes.filter((code) => code !== '');
  return named.length === 0 ? null : new Set(named);
}

function passes({ base, quote }: TradedPair, { sources, destinations }: RouteFilter): boolean {
  return (sources?.has(base.toUpperCase()) ?? true) && (destinations?.has(quote.toUpperCase()) ?? true);
}

function assetsOf(pairs: readonly TradedPair[]): Asset[] {
  const ids = new Map<string, Set<string>>();
  for (const { base, quote, exchangeBase, exchangeQuote } of pairs) {
    ids.set(base, (ids.get(base) ?? new Set()).add(exchangeBase));
    ids.set(quote, (ids.get(quote) ?? new Set()).add(exchangeQuote));
  }
  return [...ids]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, symbols]) => ({ assetId: code, symbol: code, exchangeSymbols: [...symbols].sort() }));
}

function toRoute(exchange: string, pair: TradedPair): Route {
  const { base, quote } = pair;
  return {
    routeId: routeIdOf(exchange, pair),
    exchange,
    marketType: 'spot',
    baseAsset: base,
    quoteAsset: quote,
    displaySymbol: `${base}/${quote}`,
    exchangeSymbol: pair.exchangeSymbol,
    status: pair.status,
    isTradingEnabled: pair.isTradingEnabled,
    margin: { isMarginEnabled: pair.isMarginEnabled },
    orderTypes: pair.orderTypes,
    tradingRules: tradingRulesOf(pair),
    fees: { model: 'maker_taker', tiers: pair.feeTiers },
  };
}
