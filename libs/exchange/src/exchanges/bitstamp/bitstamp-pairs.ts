import { z } from 'zod';
import { BOTH, LIMIT_ONLY, NONE, decimal, digits, name, type PairSource } from '../../declaration/pair-source.js';

const response = z.array(z.unknown());

const form = z.object({
  market_symbol: name,
  market_type: z.string(),
  base_currency: name,
  base_decimals: digits,
  counter_currency: name,
  counter_decimals: digits,
  minimum_order_value: decimal,
  minimum_order_amount: decimal.optional(),
  trading: name,
  instant_and_market_orders: z.string(),
});

/**
 * Bitstamp. The list also contains perpetuals. Fees depend on the account, so the list contains none.
 * www.bitstamp.net/api/#tag/Market-info/operation/GetMarkets
 */
export const bitstampPairs: PairSource = {
  id: 'bitstamp',
  ccxtId: 'bitstamp',
  liveUrl: 'https://www.bitstamp.net',
  hasSandbox: true,
  path: '/api/v2/markets/',
  list: (body) => response.parse(body),
  pair: form.transform((one) => {
    if (one.market_type !== 'SPOT') return null;
    const types = one.instant_and_market_orders === 'Enabled' ? BOTH : LIMIT_ONLY;
    return {
      base: one.base_currency,
      quote: one.counter_currency,
      symbol: one.market_symbol,
      status: one.trading,
      orderTypes: one.trading === 'Enabled' ? types : NONE,
      margin: false,
      tickSize: one.counter_decimals,
      stepSize: one.base_decimals,
      minBaseQty: one.minimum_order_amount ?? null,
      minCost: one.minimum_order_value,
      feeTiers: [],
    };
  }),
};
