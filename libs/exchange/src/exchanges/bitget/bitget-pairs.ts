import { z } from 'zod';
import {
  LIMIT_ONLY,
  NONE,
  decimal,
  digits,
  flatFees,
  name,
  percent,
  type PairSource,
} from '../../declaration/pair-source.js';

const response = z.object({ code: z.literal('00000'), data: z.array(z.unknown()) });

const form = z.object({
  symbol: name,
  baseCoin: name,
  quoteCoin: name,
  minTradeAmount: decimal,
  /** In USDT for every pair, whatever its quote asset. */
  minTradeUSDT: decimal,
  takerFeeRate: decimal,
  makerFeeRate: decimal,
  pricePrecision: digits,
  quantityPrecision: digits,
  status: name,
});

/**
 * Bitget. The status `gray` allows trading only for some users. Another list contains the pairs with margin.
 * www.bitget.com/api-doc/spot/market/Get-Symbols
 */
export const bitgetPairs: PairSource = {
  id: 'bitget',
  ccxtId: 'bitget',
  liveUrl: 'https://api.bitget.com',
  hasSandbox: true,
  path: '/api/v2/spot/public/symbols',
  list: (body) => response.parse(body).data,
  pair: form.transform((one) => ({
    base: one.baseCoin,
    quote: one.quoteCoin,
    symbol: one.symbol,
    status: one.status,
    // An order to buy at the market states its cost, and ours state volumes: …/spot/trade/Place-Order
    orderTypes: one.status === 'online' ? LIMIT_ONLY : NONE,
    margin: false,
    tickSize: one.pricePrecision,
    stepSize: one.quantityPrecision,
    minBaseQty: one.minTradeAmount,
    minCost: one.quoteCoin === 'USDT' ? one.minTradeUSDT : null,
    feeTiers: flatFees(percent(one.makerFeeRate), percent(one.takerFeeRate)),
  })),
};
