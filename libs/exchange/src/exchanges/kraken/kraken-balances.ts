import { z } from 'zod';
import { Amount } from '#money';
import { mergeAccounts, partsOf, readHoldings, type AccountBalance } from '../../capabilities/account-balances.js';
import { amount, amountOrZero } from '../../capabilities/response-fields.js';
import type { AssetCatalogue } from '../../client/asset-catalogue.js';
import type { ExchangeClient } from '../../client/exchange-client.js';
import { lookUp } from '../../declaration/look-up.js';
import type { AssetBalance } from '../../port/exchange.port.js';
import { privateCall } from './kraken-key.js';
import { resultOf } from './kraken-responses.js';

const BALANCE_EX = privateCall('BalanceEx');
/** Kraken's only account of spot assets; the name is ours. */
const ACCOUNT = 'spot';

/** Some libraries write an empty object as `[]`. */
const byId = z.union([z.record(z.string(), z.unknown()), z.tuple([]).transform(() => ({}))]);
const entriesById = resultOf(byId.transform((result) => Object.entries(result)));
const entryId = z.tuple([z.string().min(1), z.unknown()]).transform(([id]) => id);
const fields = z.object({ balance: amount, hold_trade: amountOrZero, credit: amountOrZero, credit_used: amountOrZero });
const entryFields = z.tuple([z.string(), fields]).transform(([, entry]) => entry);

type Holding = AccountBalance & KrakenHolding & { readonly balance?: Amount };

/**
 * The balances by our codes of assets. The forms of an asset that earn interest count as the asset. Kraken's page
 * get-extended-balance: "available balance = balance + credit - credit_used - hold_trade". Unused credit is not the
 * owner's, so it is in no amount. It still counts in the available balance: it can cover the amount on hold.
 */
export async function listBalances(client: ExchangeClient): Promise<AssetBalance[]> {
  const assets = await client.assets();
  const held: Holding[] = await client.call(BALANCE_EX, {}, (body) =>
    readHoldings(client.lists, entriesById(body), {
      keyOf: (entry) => holdingOf(entryId.parse(entry), assets),
      amountsOf: (entry) => {
        const { balance, hold_trade: held, credit, credit_used: owed } = entryFields.parse(entry);
        const available = balance.plus(credit).minus(owed).minus(held);
        return { ...partsOf(balance, available), owed, balance };
      },
    }),
  );
  return mergeAccounts([{ name: ACCOUNT, paysWithdrawals: true, balances: held }]).map((balance) => ({
    ...balance,
    holdings: totalsByCode(held.filter(({ asset }) => asset === balance.asset)),
  }));
}

function totalsByCode(held: readonly Holding[]): Map<string, Amount> {
  const totals = new Map<string, Amount>();
  for (const { code, balance = Amount.zero } of held) totals.set(code, balance.plus(totals.get(code) ?? Amount.zero));
  return totals;
}

/** A form of an asset in which an account can hold it. */
interface KrakenHolding {
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
