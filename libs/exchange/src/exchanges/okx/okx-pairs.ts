import { z } from 'zod';
import { BOTH, NONE, decimal, name, type PairSource } from '../../declaration/pair-source.js';

const response = z.object({ code: z.literal('0'), data: z.array(z.unknown()) });

const form = z.object({
  instId: name,
  instType: z.string(),
  baseCcy: name,
  quoteCcy: name,
  tickSz: decimal,
  lotSz: decimal,
  minSz: decimal,
  /** Empty = no margin. */
  lever: z.string(),
  state: name,
});

/**
 * OKX. Fees depend on the account, so the list contains none.
 * www.okx.com/docs-v5/en/#public-data-rest-api-get-instruments
 */
export const okxPairs: PairSource = {
  id: 'okx',
  ccxtId: 'okx',
  liveUrl: 'https://www.okx.com',
  hasSandbox: true,
  path: '/api/v5/public/instruments?instType=SPOT',
  list: (body) => response.parse(body).data,
  pair: form.transform((one) =>
    one.instType === 'SPOT'
      ? {
          base: one.baseCcy,
          quote: one.quoteCcy,
          symbol: one.instId,
          status: one.state,
          orderTypes: one.state === 'live' ? BOTH : NONE,
          margin: one.lever !== '',
          tickSize: one.tickSz,
          stepSize: one.lotSz,
          minBaseQty: one.minSz,
          minCost: null,
          feeTiers: [],
        }
      : null,
  ),
};
