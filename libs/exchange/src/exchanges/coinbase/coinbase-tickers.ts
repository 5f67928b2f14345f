import { z } from 'zod';
import { price, readEntries, type TickerListing } from '../../declaration/ticker-source.js';

const response = z.object({ products: z.array(z.unknown()) });

const product = z.object({
  product_id: z.string(),
  product_type: z.string(),
  base_currency_id: z.string(),
  quote_currency_id: z.string(),
  is_disabled: z.boolean().optional(),
  price,
});

/**
 * Coinbase. Only spot products count: futures and perpetuals are also quoted in US dollars, but are other assets. A
 * disabled product is left out, because its price may be old.
 * docs.cdp.coinbase.com/api-reference/advanced-trade-api/rest-api/public/list-public-products
 */
export const coinbaseTickers: TickerListing = {
  path: '/api/v3/brokerage/market/products?product_type=SPOT',
  read: (body) =>
    readEntries(response.parse(body).products, product)
      .filter((one) => one.product_type === 'SPOT' && one.quote_currency_id === 'USD' && one.is_disabled !== true)
      .map((one) => ({ pair: one.product_id, asset: one.base_currency_id, price: one.price })),
};
