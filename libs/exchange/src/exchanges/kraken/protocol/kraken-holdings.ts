import type { AssetCatalogue } from '../../../client/asset-catalogue.js';
import type { AccountBalance } from '../../../capabilities/account-balances.js';
import { lookUp } from '../../../declaration/look-up.js';

/** A form of an asset in which an account can hold it. */
export interface KrakenHolding {
  /** Our code of the form itself, such as `USDC.F`. */
  readonly code: string;
  /** Our code of the asset, such as `USDC`. */
  readonly asset: string;
  /** Absent = the owner transacts with the form as with the asset itself. */
  readonly kind?: NonNullable<AccountBalance['kind']>;
}

/**
 * The suffixes of forms. Source: docs.kraken.com/api-reference/account-data/get-extended-balance. The owner transacts
 * with `.F`, "balances earning automatically in Kraken Rewards", by the base asset. The others are "`.B`: balances in
 * new yield-bearing products, similar to `.S` (staked) and `.M` (opt-in rewards) balances"; `.P` is older and means
 * bonds of parachains. Kraken does not say which of them end at any time, so only the opt-in rewards count as such. Of
 * `.T`, "tokenized assets", the page only says that the owner transacts by the base asset. `.HOLD`, which the page
 * lacks, is money that Kraken keeps back for a time; ccxt 4.5.84 (`kraken.fetchCurrencies`) has it for currencies of
 * states.
 */
const KINDS: ReadonlyMap<string, KrakenHolding['kind']> = new Map([
  ['F', undefined],
  ['M', 'earning'],
  ...['S', 'B', 'P', 'T', 'HOLD'].map((suffix) => [suffix, 'locked'] as const),
]);
/** Staked ether has its own asset, which cannot be withdrawn. */
const STAKED: Readonly<Record<string, string>> = { ETH2: 'ETH' };
/** The days of a bonded form: DOT28.S. */
const DAYS = /\d{1,2}$/;

/** Describes a holding by Kraken's id of it, such as `XBT.F` or `XXBT`. */
export function holdingOf(id: string, assets: AssetCatalogue): KrakenHolding {
  const code = assets.codeOf(id);
  const [, form, suffix = ''] = /^(.+)\.([A-Z]+)$/.exec(code) ?? [];
  if (form === undefined || !KINDS.has(suffix)) {
    const asset = lookUp(STAKED, code);
    return asset === null ? { code, asset: code } : { code, asset, kind: 'locked' };
  }
  const kind = KINDS.get(suffix);
  return { code, asset: assetOf(form, assets), ...(kind !== undefined && { kind }) };
}

function assetOf(form: string, assets: AssetCatalogue): string {
  const staked = lookUp(STAKED, form);
  if (staked !== null) return staked;
  const bonded = form.replace(DAYS, '');
  return assets.find(form) === null && assets.find(bonded) !== null ? bonded : form;
}
