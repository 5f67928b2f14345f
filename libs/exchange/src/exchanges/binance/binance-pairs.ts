import { z } from 'zod';
import { NONE, decimal, name, type PairListing } from '../../declaration/pair-source.js';

const response = z.object({ symbols: z.array(z.unknown()) });

const filter = z.discriminatedUnion('filterType', [
  z.object({ filterType: z.literal('PRICE_FILTER'), tickSize: decimal }),
  z.object({ filterType: z.literal('LOT_SIZE'), minQty: decimal, stepSize: decimal }),
  z.object({ filterType: z.literal('NOTIONAL'), minNotional: decimal }),
  z.object({ filterType: z.literal('MIN_NOTIONAL'), minNotional: decimal }),
]);
const FILTERS: readonly unknown[] = ['PRICE_FILTER', 'LOT_SIZE', 'NOTIONAL', 'MIN_NOTIONAL'];

const form = z.object({
  symbol: name,
  baseAsset: name,
  quoteAsset: name,
  status: name,
  orderTypes: z.array(z.string()),
  isSpotTradingAllowed: z.boolean(),
  isMarginTradingAllowed: z.boolean(),
  /** Only the filters in FILTERS are kept: the rules of a route contain nothing of the others. */
  filters: z
    .array(z.looseObject({ filterType: z.string() }))
    .transform((all) => all.filter(({ filterType }) => FILTERS.includes(filterType)))
    .pipe(z.array(filter)),
});

type Filter = z.infer<typeof filter>;

function find<T extends Filter['filterType']>(filters: Filter[], type: T): Extract<Filter, { filterType: T }> | null {
  return filters.find((one): one is Extract<Filter, { filterType: T }> => one.filterType === type) ?? null;
}

/** Without a rule for prices or volumes the step is zero, which makes the entry unusable. */
function rulesOf(filters: Filter[]) {
  const lot = find(filters, 'LOT_SIZE');
  const cost = find(filters, 'NOTIONAL') ?? find(filters, 'MIN_NOTIONAL');
  return {
    tickSize: find(filters, 'PRICE_FILTER')?.tickSize ?? '0',
    stepSize: lot?.stepSize ?? '0',
    minBaseQty: lot?.minQty ?? null,
    minCost: cost?.minNotional ?? null,
  };
}

/**
 * Binance. Only trading symbols are requested, because the full list exceeds the size limit of a response. Fees depend
 * on the account, so the list contains none.
 * developers.binance.com/docs/binance-spot-api-docs/rest-api/general-endpoints (Exchange information), …/filters
 */
export const binancePairs: PairListing = {
  path: '/api/v3/exchangeInfo?symbolStatus=TRADING&showPermissionSets=false',
  list: (body) => response.parse(body).symbols,
  pair: form.transform((one) => {
    if (!one.isSpotTradingAllowed) return null;
    const types = (['market', 'limit'] as const).filter((type) => one.orderTypes.includes(type.toUpperCase()));
    return {
      base: one.baseAsset,
      quote: one.quoteAsset,
      symbol: one.symbol,
      status: one.status,
      orderTypes: one.status === 'TRADING' ? types : NONE,
      margin: one.isMarginTradingAllowed,
      ...rulesOf(one.filters),
      feeTiers: [],
    };
  }),
};
