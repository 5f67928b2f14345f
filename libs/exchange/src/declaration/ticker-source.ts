import { z } from 'zod';
import type { Amount } from '#money';

/** The prices of one exchange in US dollars, each more than zero. */
export interface TickerList {
  /** By our symbols, in their order; at least one. */
  prices: ReadonlyMap<string, Amount>;
  /** When the exchange answered: the lists have no clock of their own. */
  fetchedAt: Date;
}

/** One price of an exchange's list in US dollars, as it stands there. */
export interface TickerEntry {
  /** The exchange's own name of the pair. */
  readonly pair: string;
  /** The exchange's own id of the asset that is priced. */
  readonly asset: string;
  readonly price: string;
}

/** Our code for an exchange's own id of an asset, the same as in balances. */
export type AssetCodes = (exchangeAssetId: string) => string;

/** The asset that each pair against US dollars prices, by the exchange's own ids of both. */
export type DollarPairs = ReadonlyMap<string, string>;

/** Where the prices of one exchange are, and how its list is read: data, and functions without state. */
export interface TickerSource {
  readonly id: string;
  /** Class of ccxt whose codes name the assets. */
  readonly ccxtId: string;
  /** Real base address; `EXCHANGE_<ID>_URL` overrides it. */
  readonly liveUrl: string;
  /** The one call that answers all pairs. */
  readonly path: string;
  /** A second list that says what the pairs are, for an exchange whose first does not. */
  readonly pairs?: {
    readonly path: string;
    /** @throws when the response is no such list. */
    readonly read: (response: unknown, codeOf: AssetCodes) => DollarPairs;
  };
  /**
   * The entries that are quoted in US dollars; broken ones, and all others, are left out.
   * @throws when the response is no such list.
   */
  readonly read: (response: unknown, pairs: DollarPairs) => TickerEntry[];
}

/** A price as text, or as a number where the documentation shows one. */
export const price = z.union([z.string(), z.number()]).transform(String);

/** Reads entry by entry: one that does not have the form is worth nothing, and the others are worth no less for it. */
export function readEntries<T>(entries: readonly unknown[], form: z.ZodType<T>): T[] {
  return entries.flatMap((entry) => {
    const { success, data } = form.safeParse(entry);
    return success ? [data] : [];
  });
}
