import { z } from 'zod';
import { fieldOf, readerOf } from '../../capabilities/entry-fields.js';
import { pairForm } from '../../capabilities/pair-form.js';
import { entries } from '../../capabilities/response-fields.js';
import { sameCode } from '../../declaration/asset-names.js';
import { decimal, flatFees, type PairSource } from '../../declaration/pair-source.js';

/** The partner API of the sandbox exchange: docs/sandbox.md. */
export const sandboxPairs: PairSource = {
  id: 'sandbox',
  codeOf: sameCode,
  liveUrl: null,
  hasSandbox: true,
  path: '/partner/v1/markets',
  list: readerOf(fieldOf('markets', entries)),
  pair: pairForm({
    base: 'base',
    quote: 'quote',
    symbol: 'symbol',
    status: 'status',
    minBaseQty: 'minQuantity',
    tickSize: 'tickSize',
    stepSize: 'stepSize',
    minCost: 'minNotional',
    // The list is empty while the market takes no orders.
    orderTypes: fieldOf('orderTypes', z.array(z.enum(['market', 'limit']))),
    // The fees are in percent, at the lowest volume.
    feeTiers: z
      .object({ makerFee: decimal, takerFee: decimal })
      .transform((one) => flatFees(one.makerFee, one.takerFee)),
  }),
};
