import { z } from 'zod';
import { LIMIT_ONLY, NONE, decimal, digits, flatFees, name, type PairSource } from '../../declaration/pair-source.js';

const response = z.array(z.unknown());

const form = z.object({
  id: name,
  base: name,
  quote: name,
  /** In percent, without discounts of the account. */
  fee: decimal,
  min_base_amount: decimal.optional(),
  min_quote_amount: decimal.optional(),
  amount_precision: digits,
  precision: digits,
  trade_status: name,
});

/**
 * Gate. The states `buyable` and `sellable` allow one direction only. Another list contains the pairs with margin.
 * www.gate.com/docs/developers/apiv4/#query-all-supported-currency-pairs
 */
export const gatePairs: PairSource = {
  id: 'gate',
  ccxtId: 'gate',
  liveUrl: 'https://api.gateio.ws',
  hasSandbox: true,
  path: '/api/v4/spot/currency_pairs',
  list: (body) => response.parse(body),
  pair: form.transform((one) => ({
    base: one.base,
    quote: one.quote,
    symbol: one.id,
    status: one.trade_status,
    // An order to buy at the market states its cost, and ours state volumes: …/apiv4/#create-an-order
    orderTypes: one.trade_status === 'tradable' ? LIMIT_ONLY : NONE,
    margin: false,
    tickSize: one.precision,
    stepSize: one.amount_precision,
    minBaseQty: one.min_base_amount ?? null,
    minCost: one.min_quote_amount ?? null,
    feeTiers: flatFees(one.fee, one.fee),
  })),
};
