import { z } from 'zod';
import { amount, resultOf, text } from './kraken-responses.js';

/** Shapes of https://docs.kraken.com/api-reference/account-data/get-ledgers-info: what is read of them, and nothing more. */

const page = z.object({
  /** By the id of the entry, not yet read. */
  ledger: z.record(z.string().min(1), z.unknown()),
  /** Entries that match the request, on all pages. */
  count: z.union([z.string(), z.number()]).transform(Number).pipe(z.int().nonnegative()),
});

/** Ledgers: one page. */
export const readLedgerPage = resultOf(page);

const entry = z.object({
  /** "Reference Id of the parent transaction (trade, deposit, withdrawal, etc.) that caused the ledger entry." */
  refid: text,
  /** Epoch seconds with a fraction. */
  time: z.union([z.string(), z.number()]).transform(Number).pipe(z.number().positive()),
  type: z.string(),
  subtype: text,
  asset: z.string().min(1),
  /** Signed. The balance changes by `amount` - `fee`. */
  amount,
  fee: amount,
  /** "Resulting balance", of this asset id alone. */
  balance: amount.optional(),
});
export type KrakenLedgerEntry = z.infer<typeof entry>;

/** One entry as it came; null = it is none that we understand. */
export function readLedgerEntry(body: unknown): KrakenLedgerEntry | null {
  try {
    return entry.parse(body);
  } catch {
    return null;
  }
}
