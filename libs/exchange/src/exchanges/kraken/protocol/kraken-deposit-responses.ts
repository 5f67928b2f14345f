import { z } from 'zod';
import { optionalText as text } from '../../../capabilities/response-fields.js';
import { quantity, resultOf, seconds } from './kraken-responses.js';

/**
 * The fields that we read of DepositMethods and DepositAddresses, https://docs.kraken.com/api-reference (spot REST
 * 1.1.0).
 */

const optionalAmount = quantity.nullish().transform((value) => value ?? null);

const method = z.object({
  method: z.string().min(1),
  /** Kraken: "Maximum net amount that can be deposited right now, or false if no limit." */
  limit: z.union([z.literal(false).transform(() => null), quantity]).nullish(),
  fee: optionalAmount,
  /** Kraken does not document this field, but client libraries have recorded it. */
  'fee-percentage': optionalAmount,
  /** Kraken: "Whether or not method has an address setup fee": a boolean, or the fee. */
  'address-setup-fee': z.union([z.boolean(), quantity]).nullish(),
  'gen-address': z.boolean().default(false),
  minimum: optionalAmount,
});
export type KrakenDepositMethod = z.infer<typeof method>;

/** Reads one entry of DepositMethods. */
export const readDepositMethod = (entry: unknown): KrakenDepositMethod => method.parse(entry);

/** A tag keeps the digits of the response, also when it is a number. */
const tag = z
  .union([z.string(), z.int().nonnegative().transform(String)])
  .nullish()
  .pipe(text);

const address = z.object({
  address: z.string().min(1),
  /** Kraken: "Expiration time in unix timestamp, or 0 if not expiring." */
  expiretm: seconds,
  /** Whether the address was never used. */
  new: z.boolean().default(false),
  /** Kraken: "Contains tags for XRP deposit addresses and memos for STX, XLM, and EOS deposit addresses". */
  tag,
  /** This field is not in Kraken's schema, but in its example of a response. */
  memo: tag,
});
export type KrakenDepositAddress = z.infer<typeof address>;

/** Reads the response to DepositAddresses. Throws if any entry is unreadable. */
export const readDepositAddresses = resultOf(z.array(address));
