import { AssetIndex, type TradedPair } from '#exchange';
import { SCHEMA_VERSION, routeIdOf, type Catalogue } from './catalogue.js';
import type { TradableAssetsResponse } from './catalogue.dto.js';
import { tradingRulesOf } from './route.js';

type Route = TradableAssetsResponse['routes'][number];
type Asset = TradableAssetsResponse['assets'][number];

/** The assets that a caller has named, as written; null allows all assets. */
export interface RouteFilter {
  readonly sources: readonly string[] | null;
  readonly destinations: readonly string[] | null;
}

/** Codes of the catalogue; null allows all assets. */
export interface ChosenAssets {
  readonly sources: ReadonlySet<string> | null;
  readonly destinations: ReadonlySet<string> | null;
}

export const EVERYTHING: ChosenAssets = { sources: null, destinations: null };

/** Returns the content of a response: the routes that pass the filter, and their assets. */
export function viewOf(catalogue: Catalogue, filter: ChosenAssets): TradableAssetsResponse {
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
 * @param sources, destinations comma-separated codes. Undefined and lists without a code do not filter.
 */
export function filterOf(sources: (string | undefined)[], destinations: (string | undefined)[]): RouteFilter {
  return { sources: namesIn(sources), destinations: namesIn(destinations) };
}

function namesIn(lists: (string | undefined)[]): string[] | null {
  const names = lists.flatMap((list) => (list ?? '').split(',').map((name) => name.trim()));
  const named = names.filter((name) => name !== '');
  return named.length === 0 ? null : named;
}

const indexes = new WeakMap<Catalogue, { bases: AssetIndex; quotes: AssetIndex }>();

/** Finds the assets of a filter in the catalogue. @throws ValidationFailed when a name means several assets */
export function chosenBy(catalogue: Catalogue, { sources, destinations }: RouteFilter): ChosenAssets {
  let index = indexes.get(catalogue);
  if (index === undefined) {
    const bases = catalogue.pairs.map(({ base, exchangeBase }) => ({ code: base, aliases: [exchangeBase] }));
    const quotes = catalogue.pairs.map(({ quote, exchangeQuote }) => ({ code: quote, aliases: [exchangeQuote] }));
    index = { bases: new AssetIndex(bases), quotes: new AssetIndex(quotes) };
    indexes.set(catalogue, index);
  }
  return {
    sources: codesOf(sources, index.bases, 'source'),
    destinations: codesOf(destinations, index.quotes, 'destination'),
  };
}

function codesOf(names: readonly string[] | null, index: AssetIndex, field: string): ReadonlySet<string> | null {
  if (names === null) return null;
  const codes = names.map((name) => index.choose(name, field)).filter((code) => code !== null);
  return new Set(codes.sort());
}

/** Returns the cache key of chosen assets. Choices with the same key have the same result. */
export function nameOf({ sources, destinations }: ChosenAssets): string {
  return JSON.stringify([sources, destinations].map((codes) => codes && [...codes]));
}

function passes({ base, quote }: TradedPair, { sources, destinations }: ChosenAssets): boolean {
  return (sources?.has(base) ?? true) && (destinations?.has(quote) ?? true);
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
