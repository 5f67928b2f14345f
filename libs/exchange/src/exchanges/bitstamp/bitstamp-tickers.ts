import { z } from 'zod';
import { price, readEntries, type TickerSource } from '../../declaration/ticker-source.js';

const response = z.array(z.unknown());

const ticker = z.object({
  pair: z.string().transform((pair) => pair.split('/')),
  market_type: z.string().optional(),
  last: price,
});

/**
 * Bitstamp. Pairs are named `BTC/USD`. The list also contains perpetuals, named `BTC/USD-PERP`, with their own
 * `market_type`.
 * www.bitstamp.net/api/#tag/Tickers/operation/GetCurrencyPairTickers
 */
export const bitstampTickers: TickerSource = {
  id: 'bitstamp',
  ccxtId: 'bitstamp',
  liveUrl: 'https://www.bitstamp.net',
  path: '/api/v2/ticker/',
  read: (body) =>
    readEntries(response.parse(body), ticker).flatMap(({ pair, market_type: type = 'SPOT', last }) => {
      const [asset, quote, ...rest] = pair;
      const isDollarPair = asset !== undefined && quote === 'USD' && rest.length === 0 && type === 'SPOT';
      return isDollarPair ? [{ pair: pair.join('/'), asset, price: last }] : [];
    }),
};
