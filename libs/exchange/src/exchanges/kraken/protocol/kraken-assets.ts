import { z } from 'zod';
import { decimalPlaces, name } from '../../../capabilities/response-fields.js';
import type { AssetListing } from '../../../client/declared-exchange.js';
import { resultOf } from './kraken-responses.js';

/**
 * Kraken's older ids with a prefix: "X" for cryptocurrencies and "Z" for currencies of states. Newer ids have none, so
 * an id such as `XRT` keeps its letter. Kraken's page get-asset-info (2026): "legacy X/Z-prefixed format (XXBT, ZUSD)".
 * Kraken's article 360000920306 lists XETC, XETH, XLTC, XMLN, XREP and XXBT. No page that lists all was at hand.
 */
const PREFIXED = /^(?:X(?:ETC|ETH|LTC|MLN|REP|XBT|XDG|XLM|XMR|XRP|ZEC)|Z(?:AUD|CAD|EUR|GBP|JPY|USD))$/;

/**
 * The names that Kraken shows instead of two older ones. docs.kraken.com/api/docs/guides/spot-ws-intro (June 2026): "we
 * are using `BTC` instead of `XBT`". Not compared with a page: DOGE, which was written after ccxt 4.5.84.
 */
const SHOWN: Readonly<Record<string, string>> = { XBT: 'BTC', XDG: 'DOGE' };

/** The name that Kraken shows for an id or an alternative name. The suffix of a form, such as `.F`, stays. */
export function krakenCode(id: string): string {
  const [asset = '', ...form] = id.split('.');
  const short = PREFIXED.test(asset) ? asset.slice(1) : asset;
  return [Object.hasOwn(SHOWN, short) ? SHOWN[short] : short, ...form].join('.');
}

const entry = z.tuple([name, z.object({ altname: name, decimals: decimalPlaces })]);
const listed = resultOf(z.record(z.string(), z.unknown()).transform((result) => Object.entries(result)));

/**
 * docs.kraken.com/api-reference/market-data/get-asset-info (compared, 2026): `altname` of XXBT is XBT. The page does
 * not say that `altname` follows renamings.
 */
export const krakenAssets: AssetListing = {
  endpoint: { method: 'GET', path: '/0/public/Assets', isPublic: true },
  read: (body, lists) =>
    lists.read('Assets', listed(body), (each) => {
      const [id, { altname, decimals }] = entry.parse(each);
      return { id, name: krakenCode(altname), aliases: [altname], decimals };
    }),
  unlisted: krakenCode,
};

/**
 * The id of a pair's asset. Only `wsname` (`XBT/USD`) has the alternative name of the asset, which follows renamings.
 * @param shortName the asset's name in `wsname`; empty or undefined = not known.
 */
export function krakenAssetId(id: string, shortName: string | undefined): string {
  return shortName === undefined || shortName === '' ? id : shortName;
}
