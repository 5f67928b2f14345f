import type { ProjectMode, TradedPair } from '#exchange';

/** A pair of assets that can be traded at one exchange, with its rules for orders. */
export interface Route {
  /** `<exchange>:spot:<base>-<quote>`, in our asset codes. */
  routeId: string;
  exchange: string;
  pair: TradedPair;
}

/** Finds the route that an order names. */
export abstract class Routes {
  /**
   * @param text a route id, a route id with `<base>/<quote>` as the pair, or the pair alone; in upper or lower case
   * @returns null when the exchange has no such route
   * @throws CatalogueUnavailable when no catalogue is stored and none can be read
   */
  abstract find(exchange: string, mode: ProjectMode, text: string): Promise<Route | null>;
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
