import { z } from 'zod';
import type { Amount } from '#money';
import type { CodeOf } from './asset-names.js';

/** The prices of one exchange in US dollars, each above zero. */
export interface TickerList {
  /** The prices by our asset codes, in alphabetical order; at least one. */
  prices: ReadonlyMap<string, Amount>;
  /** When the exchange responded. Price lists do not state their own time. */
  fetchedAt: Date;
}

/** One price in US dollars, as the exchange lists it. */
export interface TickerEntry {
  /** The exchange's own name of the pair. */
  readonly pair: string;
  /** The exchange's own id of the priced asset. */
  readonly asset: string;
  readonly price: string;
}

/** The priced assets by pair, for pairs quoted in US dollars. Keys and values are the exchange's own ids. */
export type DollarPairs = ReadonlyMap<string, string>;

/** An exchange's price list and the functions that read it, without state. */
export interface TickerListing {
  /** Path of the one call that returns all prices. */
  readonly path: string;
  /** A second list that describes the pairs, for an exchange whose price list does not describe them. */
  readonly pairs?: {
    readonly path: string;
    /** @throws when the response is not a list of pairs. */
    readonly read: (response: unknown, codeOf: CodeOf) => DollarPairs;
  };
  /**
   * Returns the entries that are quoted in US dollars, and leaves out all other entries and broken entries.
   * @throws when the response is not a price list.
   */
  readonly read: (response: unknown, pairs: DollarPairs) => TickerEntry[];
}

/** A price list with its address. */
export interface TickerSource extends TickerListing {
  readonly id: string;
  readonly codeOf: CodeOf;
  /** Real base address, which `EXCHANGE_<ID>_URL` overrides. */
  readonly liveUrl: string;
}

/** A price that the exchange states as a text or as a number. */
export const price = z.union([z.string(), z.number()]).transform(String);

/** Reads each entry on its own: an entry that does not match the schema is left out and does not affect the others. */
export function readEntries<T>(entries: readonly unknown[], form: z.ZodType<T>): T[] {
  return entries.flatMap((entry) => {
    const { success, data } = form.safeParse(entry);
    return success ? [data] : [];
  });
}
