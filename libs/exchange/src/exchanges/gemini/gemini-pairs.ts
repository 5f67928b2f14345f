import { z } from 'zod';
import { LIMIT_ONLY, NONE, decimal, name, type PairSource } from '../../declaration/pair-source.js';

const response = z.array(z.unknown());

const form = z.object({
  symbol: name,
  base_currency: name,
  quote_currency: name,
  /** The step of the volume, despite its name. */
  tick_size: decimal,
  /** The step of the price. */
  quote_increment: decimal,
  min_order_size: decimal,
  status: name,
  product_type: z.string(),
});

const OPEN = ['open', 'limit_only'];

/**
 * Gemini. Spot orders are limit orders. The documentation shows the details of one symbol; with `all` instead of a
 * symbol the call returns those of all symbols.
 * docs.gemini.com/rest/market-data (Get Symbol Details)
 */
export const geminiPairs: PairSource = {
  id: 'gemini',
  ccxtId: 'gemini',
  liveUrl: 'https://api.gemini.com',
  hasSandbox: true,
  path: '/v1/symbols/details/all',
  list: (body) => response.parse(body),
  pair: form.transform((one) =>
    one.product_type === 'spot'
      ? {
          base: one.base_currency,
          quote: one.quote_currency,
          symbol: one.symbol,
          status: one.status,
          orderTypes: OPEN.includes(one.status) ? LIMIT_ONLY : NONE,
          margin: false,
          tickSize: one.quote_increment,
          stepSize: one.tick_size,
          minBaseQty: one.min_order_size,
          minCost: null,
          feeTiers: [],
        }
      : null,
  ),
};
