import { z } from 'zod';
import { amount, resultOf, seconds, text } from './kraken-responses.js';

/** Shapes of DepositMethods and DepositAddresses in https://docs.kraken.com/api-reference (spot REST 1.1.0). */

/** Less than nothing is no response to how much. */
const atLeastZero = amount.refine((value) => !value.isNegative());
const optionalAmount = atLeastZero.nullish().transform((value) => value ?? null);

const method = z.object({
  method: z.string().min(1),
  /** "Maximum net amount that can be deposited right now, or false if no limit." */
  limit: z.union([z.literal(false).transform(() => null), atLeastZero]).nullish(),
  fee: optionalAmount,
  /** Not documented; clients record it. */
  'fee-percentage': optionalAmount,
  /** "Whether or not method has an address setup fee", as a word or as the fee. */
  'address-setup-fee': z.union([z.boolean(), atLeastZero]).nullish(),
  'gen-address': z.boolean().default(false),
  minimum: optionalAmount,
});
export type KrakenDepositMethod = z.infer<typeof method>;

/** DepositMethods: what can be read of the list. */
export const readDepositMethods = resultOf(
  z.array(z.unknown()).transform((entries) =>
    entries.flatMap((entry) => {
      try {
        return [method.parse(entry)];
      } catch {
        return [];
      }
    }),
  ),
);

/** Numbers are taken as they are written; a tag is never computed with. */
const tag = z
  .union([z.string(), z.int().nonnegative().transform(String)])
  .nullish()
  .pipe(text);

const address = z.object({
  address: z.string().min(1),
  /** "Expiration time in unix timestamp, or 0 if not expiring." */
  expiretm: seconds,
  /** Never used so far. */
  new: z.boolean().default(false),
  /** "Contains tags for XRP deposit addresses and memos for STX, XLM, and EOS deposit addresses". */
  tag,
  /** Undeclared, but in Kraken's own example of a response. */
  memo: tag,
});
export type KrakenDepositAddress = z.infer<typeof address>;

/** DepositAddresses: all of the list, or nothing. */
export const readDepositAddresses = resultOf(z.array(address));
