import { z } from 'zod';
import { BOTH, NONE, decimal, name, type PairSource } from '../../declaration/pair-source.js';

const response = z.object({ retCode: z.literal('0'), result: z.object({ list: z.array(z.unknown()) }) });

const form = z.object({
  symbol: name,
  baseCoin: name,
  quoteCoin: name,
  status: name,
  marginTrading: z.string(),
  lotSizeFilter: z.object({ basePrecision: decimal, minOrderQty: decimal, minOrderAmt: decimal }),
  priceFilter: z.object({ tickSize: decimal }),
});

/**
 * Bybit. Spot instruments come in one page. Fees depend on the account, so the list contains none.
 * bybit-exchange.github.io/docs/v5/market/instrument
 */
export const bybitPairs: PairSource = {
  id: 'bybit',
  ccxtId: 'bybit',
  liveUrl: 'https://api.bybit.com',
  hasSandbox: true,
  path: '/v5/market/instruments-info?category=spot',
  list: (body) => response.parse(body).result.list,
  pair: form.transform((one) => ({
    base: one.baseCoin,
    quote: one.quoteCoin,
    symbol: one.symbol,
    status: one.status,
    orderTypes: one.status === 'Trading' ? BOTH : NONE,
    margin: one.marginTrading !== 'none',
    tickSize: one.priceFilter.tickSize,
    stepSize: one.lotSizeFilter.basePrecision,
    minBaseQty: one.lotSizeFilter.minOrderQty,
    minCost: one.lotSizeFilter.minOrderAmt,
    feeTiers: [],
  })),
};
