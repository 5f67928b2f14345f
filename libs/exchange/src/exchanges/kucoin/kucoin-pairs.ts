import { z } from 'zod';
import { BOTH, NONE, decimal, name, type PairSource } from '../../declaration/pair-source.js';

const response = z.object({ code: z.literal('200000'), data: z.array(z.unknown()) });

const form = z.object({
  symbol: name,
  baseCurrency: name,
  quoteCurrency: name,
  baseMinSize: decimal,
  baseIncrement: decimal,
  priceIncrement: decimal,
  minFunds: decimal.nullish(),
  isMarginEnabled: z.boolean(),
  enableTrading: z.boolean(),
});

/**
 * KuCoin. The list has a boolean instead of a status. Fees depend on the account, so the list contains none.
 * www.kucoin.com/docs-new/rest/spot-trading/market-data/get-all-symbols
 */
export const kucoinPairs: PairSource = {
  id: 'kucoin',
  ccxtId: 'kucoin',
  liveUrl: 'https://api.kucoin.com',
  hasSandbox: true,
  path: '/api/v2/symbols',
  list: (body) => response.parse(body).data,
  pair: form.transform((one) => ({
    base: one.baseCurrency,
    quote: one.quoteCurrency,
    symbol: one.symbol,
    status: one.enableTrading ? 'enabled' : 'disabled',
    orderTypes: one.enableTrading ? BOTH : NONE,
    margin: one.isMarginEnabled,
    tickSize: one.priceIncrement,
    stepSize: one.baseIncrement,
    minBaseQty: one.baseMinSize,
    minCost: one.minFunds ?? null,
    feeTiers: [],
  })),
};
