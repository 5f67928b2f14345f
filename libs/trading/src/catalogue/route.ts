import type { TradedPair } from '#exchange';

/** A pair of assets that can be traded at one exchange, with its rules for orders. */
export interface Route {
  /** `<exchange>:spot:<base>-<quote>`, in our asset codes. */
  routeId: string;
  exchange: string;
  pair: TradedPair;
}

/** The rules of a pair for orders, as callers see them. */
export function tradingRulesOf(pair: TradedPair) {
  const { tickSize, priceDecimals, minBaseQty, stepSize, quantityDecimals, minCost } = pair;
  return {
    price: { tickSize, priceDecimals },
    quantity: { minBaseQty, stepSize, quantityDecimals },
    cost: { minCost },
  };
}
