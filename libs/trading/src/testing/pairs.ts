import type { TradedPair } from '#exchange';

/** A pair with rules that tests can break. */
export const BTC_USD: TradedPair = {
  base: 'BTC',
  quote: 'USD',
  exchangeBase: 'XXBT',
  exchangeQuote: 'ZUSD',
  exchangeSymbol: 'XBTUSD',
  status: 'online',
  isTradingEnabled: true,
  isMarginEnabled: false,
  orderTypes: ['market', 'limit'],
  tickSize: '0.1',
  priceDecimals: 1,
  minBaseQty: '0.0001',
  stepSize: '0.00000001',
  quantityDecimals: 8,
  minCost: '0.5',
  feeTiers: [],
};
