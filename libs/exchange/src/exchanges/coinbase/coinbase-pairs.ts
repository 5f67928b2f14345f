import { z } from 'zod';
import { fieldOf } from '../../capabilities/entry-fields.js';
import { pairForm } from '../../capabilities/pair-form.js';
import { BOTH, LIMIT_ONLY, NONE, type PairListing } from '../../declaration/pair-source.js';

const response = z.object({ products: z.array(z.unknown()) });

const orderTypes = z
  .object({
    ...{ status: z.string(), is_disabled: z.boolean(), trading_disabled: z.boolean(), cancel_only: z.boolean() },
    ...{ limit_only: z.boolean(), post_only: z.boolean(), view_only: z.boolean(), auction_mode: z.boolean() },
  })
  .transform((one) => {
    const { is_disabled, trading_disabled, cancel_only, view_only, post_only, auction_mode } = one;
    const isOpen = one.status === 'online' && !is_disabled && !trading_disabled && !cancel_only && !view_only;
    // In an auction or in post-only mode, an order does not trade when it is placed.
    if (!isOpen || post_only || auction_mode) return NONE;
    return one.limit_only ? LIMIT_ONLY : BOTH;
  });

const spot = pairForm({
  isSpot: fieldOf('product_type', z.literal('SPOT')).transform(() => true),
  ...{ base: 'base_currency_id', quote: 'quote_currency_id', symbol: 'product_id', status: 'status', orderTypes },
  ...{ tickSize: 'price_increment', stepSize: 'base_increment' },
  ...{ minBaseQty: 'base_min_size', minCost: 'quote_min_size' },
});
/** A product that is not a spot pair, such as a future. It may lack the increments of a spot pair. */
const other = fieldOf(
  'product_type',
  z.string().refine((type) => type !== 'SPOT'),
).transform(() => null);

/** A delisted pair stays in the list, sometimes without rules. */
const delisted = fieldOf('status', z.literal('delisted')).transform(() => null);

/**
 * Coinbase. Fees depend on the account, so the list contains none.
 * docs.cdp.coinbase.com/api-reference/advanced-trade-api/rest-api/public/list-public-products
 */
export const coinbasePairs: PairListing = {
  path: '/api/v3/brokerage/market/products?product_type=SPOT',
  list: (body) => response.parse(body).products,
  pair: z.union([other, spot, delisted]),
};
