import { z } from 'zod';
import { readerOrNull } from '../../../capabilities/entry-fields.js';
import { amount, optionalText as text } from '../../../capabilities/response-fields.js';
import { resultOf } from './kraken-responses.js';

/** The fields that we read of https://docs.kraken.com/api-reference/account-data/get-ledgers-info. */

const page = z.object({
  /** Unparsed entries by their id. */
  ledger: z.record(z.string().min(1), z.unknown()),
  /** Number of entries that match the request, on all pages. */
  count: z.union([z.string(), z.number()]).transform(Number).pipe(z.int().nonnegative()),
});

/** Reads one page of Ledgers. */
export const readLedgerPage = resultOf(page);

const entry = z.object({
  /**
   * Kraken: "Reference Id of the parent transaction (trade, deposit, withdrawal, etc.) that caused the ledger entry."
   */
  refid: text,
  /** Epoch seconds with a fraction. */
  time: z.union([z.string(), z.number()]).transform(Number).pipe(z.number().positive()),
  type: z.string(),
  subtype: text,
  asset: z.string().min(1),
  /** A signed amount. The balance changes by `amount` - `fee`. */
  amount,
  fee: amount,
  /** Kraken: "Resulting balance". It is the balance of the asset id in `asset` only. */
  balance: amount.optional(),
});
export type KrakenLedgerEntry = z.infer<typeof entry>;

/** Parses one entry; null = it is unreadable. */
export const readLedgerEntry = readerOrNull(entry);
