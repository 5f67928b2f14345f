import type { OrderSide, OrderType, TradedPair } from '#exchange';
import { Amount } from '#money';
import { ValidationFailed, type InvalidField } from '#platform/errors';
import { tradingRulesOf, type Route } from '../catalogue/route.js';
import { OrderTypeNotSupported, RouteUnavailable } from '../orders/order.errors.js';

export interface OrderTerms {
  /** null means a limit order when there is a price, else a market order. */
  type: OrderType | null;
  volume: Amount;
  price: Amount | null;
}

/** A request to place an order. */
export interface PlaceOrderInput extends OrderTerms {
  externalWalletId: string;
  routeId: string;
  side: OrderSide;
  idempotencyKey: string | null;
}

/**
 * Checks in this order: the route takes orders, the route takes the type, a limit order has a price and a market order
 * has none, volume and price keep the rules of the pair. Nothing is rounded.
 * @returns the type of the order
 * @throws RouteUnavailable, OrderTypeNotSupported, ValidationFailed
 */
export function checkOrder({ routeId, pair }: Route, terms: OrderTerms): OrderType {
  if (!pair.isTradingEnabled) throw new RouteUnavailable(routeId, pair.status);
  const type = terms.type ?? (terms.price === null ? 'market' : 'limit');
  if (!pair.orderTypes.includes(type)) throw new OrderTypeNotSupported(routeId, type, pair.orderTypes);
  const invalid = priceFitsType(type, terms.price) ?? rulesBroken(pair, terms);
  if (invalid.length > 0) throw new ValidationFailed(invalid, { result: { tradingRules: tradingRulesOf(pair) } });
  return type;
}

function priceFitsType(type: OrderType, price: Amount | null): InvalidField[] | null {
  if (type === 'limit' && price === null) return [{ field: 'price', message: 'price is required for a limit order' }];
  if (type === 'market' && price !== null)
    return [{ field: 'price', message: 'price must be absent for a market order' }];
  return null;
}

/** Lists the rules of the pair that volume or price breaks, each with its field. */
export function rulesBroken(pair: TradedPair, { volume, price }: Pick<OrderTerms, 'volume' | 'price'>): InvalidField[] {
  const { minBaseQty, stepSize, quantityDecimals, tickSize, priceDecimals, minCost, base, quote } = pair;
  const broken: InvalidField[] = [];
  const check = (isKept: boolean, field: string, rule: string): void => {
    if (!isKept) broken.push({ field, message: `${field} must ${rule}` });
  };
  check(!volume.lessThan(Amount.of(minBaseQty)), 'volume', `be at least the minimum of ${minBaseQty} ${base}`);
  check(volume.isMultipleOf(Amount.of(stepSize)), 'volume', `be a multiple of ${stepSize}`);
  check(volume.decimalPlaces() <= quantityDecimals, 'volume', `have at most ${quantityDecimals} decimals`);
  if (price === null) return broken;
  check(price.isMultipleOf(Amount.of(tickSize)), 'price', `be a multiple of ${tickSize}`);
  check(price.decimalPlaces() <= priceDecimals, 'price', `have at most ${priceDecimals} decimals`);
  if (minCost !== null && volume.times(price).lessThan(Amount.of(minCost))) {
    broken.push({ field: 'volume', message: `volume times price must be at least the minimum of ${minCost} ${quote}` });
  }
  return broken;
}
