import type { ProjectMode, TradedPair } from '#exchange';

/** One way of trading one asset for another at one exchange, and what it asks of an order. */
export interface Route {
  /** `<exchange>:spot:<base>-<quote>`, in our codes. */
  routeId: string;
  exchange: string;
  pair: TradedPair;
}

/** The routes of all exchanges, of the catalogues that are stored; what is injected where an order names one. */
export abstract class Routes {
  /**
   * @param text a route id, also with `<base>/<quote>` for the pair, or that alone; in any case of letters.
   * @returns null when the exchange has no such route.
   * @throws CatalogueUnavailable when there is no catalogue of the exchange, and none to be had now.
   */
  abstract find(exchange: string, mode: ProjectMode, text: string): Promise<Route | null>;
}

/** What a pair asks of an order, as it is shown to callers. */
export function tradingRulesOf(pair: TradedPair) {
  const { tickSize, priceDecimals, minBaseQty, stepSize, quantityDecimals, minCost } = pair;
  return {
    price: { tickSize, priceDecimals },
    quantity: { minBaseQty, stepSize, quantityDecimals },
    cost: { minCost },
  };
}
