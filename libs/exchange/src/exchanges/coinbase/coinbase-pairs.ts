import { z } from 'zod';
import { BOTH, LIMIT_ONLY, NONE, decimal, name, type PairSource } from '../../declaration/pair-source.js';

const response = z.object({ products: z.array(z.unknown()) });

/** A product that is not a spot pair, such as a future. It may lack the increments of a spot pair. */
const other = z.object({ product_type: z.string().refine((type) => type !== 'SPOT') }).transform(() => null);

/** A delisted pair stays in the list, sometimes without rules. */
const delisted = z.object({ status: z.literal('delisted') }).transform(() => null);

const spot = z.object({
  product_id: name,
  product_type: z.literal('SPOT'),
  base_currency_id: name,
  quote_currency_id: name,
  base_increment: decimal,
  price_increment: decimal,
  base_min_size: decimal,
  quote_min_size: decimal,
  status: name,
  is_disabled: z.boolean(),
  trading_disabled: z.boolean(),
  cancel_only: z.boolean(),
  limit_only: z.boolean(),
  post_only: z.boolean(),
  view_only: z.boolean(),
  auction_mode: z.boolean(),
});

function orderTypesOf(one: z.infer<typeof spot>): typeof BOTH {
  const { is_disabled, trading_disabled, cancel_only, view_only, post_only, auction_mode } = one;
  const isOpen = one.status === 'online' && !is_disabled && !trading_disabled && !cancel_only && !view_only;
  // In an auction or in post-only mode, an order does not trade when it is placed.
  if (!isOpen || post_only || auction_mode) return NONE;
  return one.limit_only ? LIMIT_ONLY : BOTH;
}

/**
 * Coinbase. Fees depend on the account, so the list contains none.
 * docs.cdp.coinbase.com/api-reference/advanced-trade-api/rest-api/public/list-public-products
 */
export const coinbasePairs: PairSource = {
  id: 'coinbase',
  ccxtId: 'coinbase',
  liveUrl: 'https://api.coinbase.com',
  hasSandbox: true,
  path: '/api/v3/brokerage/market/products?product_type=SPOT',
  list: (body) => response.parse(body).products,
  pair: z.union([
    other,
    spot.transform((one) => ({
      base: one.base_currency_id,
      quote: one.quote_currency_id,
      symbol: one.product_id,
      status: one.status,
      orderTypes: orderTypesOf(one),
      margin: false,
      tickSize: one.price_increment,
      stepSize: one.base_increment,
      minBaseQty: one.base_min_size,
      minCost: one.quote_min_size,
      feeTiers: [],
    })),
    delisted,
  ]),
};
