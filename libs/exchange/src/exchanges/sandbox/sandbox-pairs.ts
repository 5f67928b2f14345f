import { z } from 'zod';
import { decimal, flatFees, name, type PairSource } from '../../declaration/pair-source.js';

const response = z.object({ markets: z.array(z.unknown()) });

const form = z.object({
  symbol: name,
  base: name,
  quote: name,
  tickSize: decimal,
  stepSize: decimal,
  minQuantity: decimal,
  minNotional: decimal.nullable(),
  status: name,
  /** Empty while the market takes no orders. */
  orderTypes: z.array(z.enum(['market', 'limit'])),
  /** In percent, at the lowest volume. */
  makerFee: decimal,
  takerFee: decimal,
});

/** The partner API of the sandbox exchange: docs/sandbox.md. */
export const sandboxPairs: PairSource = {
  id: 'sandbox',
  ccxtId: null,
  liveUrl: null,
  hasSandbox: true,
  path: '/partner/v1/markets',
  list: (body) => response.parse(body).markets,
  pair: form.transform((one) => ({
    base: one.base,
    quote: one.quote,
    symbol: one.symbol,
    status: one.status,
    orderTypes: one.orderTypes,
    margin: false,
    tickSize: one.tickSize,
    stepSize: one.stepSize,
    minBaseQty: one.minQuantity,
    minCost: one.minNotional,
    feeTiers: flatFees(one.makerFee, one.takerFee),
  })),
};
