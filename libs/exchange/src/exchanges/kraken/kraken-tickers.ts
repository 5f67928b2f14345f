import { z } from 'zod';
import { krakenAssetId } from './kraken-assets.js';
import { noErrors } from './kraken-responses.js';
import { price, readEntries, type TickerListing } from '../../declaration/ticker-source.js';

/** The envelope of every response: a list without errors, and the result by pair id. */
const response = z.object({ error: noErrors, result: z.record(z.string(), z.unknown()) });

const ticker = z.tuple([z.string(), z.object({ c: z.tuple([price]).rest(z.unknown()) })]);
const pair = z.tuple([
  z.string(),
  z.object({ base: z.string(), quote: z.string(), wsname: z.string().includes('/').optional() }),
]);

/**
 * Kraken. `c` is the last trade: [price, lot volume]. The list names pairs by ids such as `XXBTZUSD`; only AssetPairs
 * lists their assets.
 * docs.kraken.com/api-reference/market-data/get-ticker-information and get-tradable-asset-pairs
 */
export const krakenTickers: TickerListing = {
  path: '/0/public/Ticker',
  pairs: {
    path: '/0/public/AssetPairs',
    read: (body, codeOf) => {
      const pairs = readEntries(Object.entries(response.parse(body).result), pair);
      return new Map(
        pairs
          .filter(([, { quote }]) => codeOf(quote) === 'USD')
          .map(([id, { base, wsname }]) => [id, krakenAssetId(base, wsname?.split('/')[0])]),
      );
    },
  },
  read: (body, pairs) =>
    readEntries(Object.entries(response.parse(body).result), ticker).flatMap(([id, { c }]) => {
      const asset = pairs.get(id);
      return asset === undefined ? [] : [{ pair: id, asset, price: c[0] }];
    }),
};
