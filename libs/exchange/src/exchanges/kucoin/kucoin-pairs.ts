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
 * KuCoin. It has no word for the status, but a switch. Fees depend on the account and are not in the list.
 * www.kucoin.com/docs-new/rest/spot-trading/market-data/get-all-symbols
 */
export const kucoin: PairSource = {
  id: 'kucoin',
  ccxtId: 'kucoin',
  liveUrl: 'https://api.kucoin.com',
  hasSandbox: false,
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
