import { z } from 'zod';
import { Amount } from '#money';
import type { KeyInfo } from '../port/exchange.port.js';

/** Schemas of the fields that exchanges' JSON responses have in common. */

export type { CodeOf } from '../declaration/asset-names.js';

/** A decimal as text or as a number. */
export const amount = z.union([z.string(), z.number()]).transform((value) => Amount.of(String(value)));

/** A decimal; null, absent and "" = not reported. */
export const optionalAmount = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((value) => (value === undefined || value === null || value === '' ? null : Amount.of(String(value))));

/** A decimal; null, absent and "" = zero. */
export const amountOrZero = optionalAmount.transform((value) => value ?? Amount.zero);

/** The number of decimal places of amounts, as text or as a number. */
export const decimalPlaces = z.coerce.number().int().min(0).max(30);

/** A text that is not empty. */
export const name = z.string().min(1);

/** A text; null, absent and "" = not reported. */
export const optionalText = z
  .string()
  .nullish()
  .transform((value) => (value === undefined || value === null || value === '' ? null : value));

/** A tag: a text, or a number of which no digit is lost; null, absent and "" = no tag. */
export const optionalTag = z
  .union([z.string(), z.number().int().min(0).max(Number.MAX_SAFE_INTEGER)])
  .nullish()
  .transform((value) => (value === undefined || value === null || value === '' ? null : String(value)));

/** A code that the response states as a text or as a number, converted to text. */
export const codeText = z.union([z.string().min(1), z.number().int()]).transform(String);

/** A list of facts that a response may leave out; null and absent = empty. */
export const listOf = <T extends z.ZodType>(entry: T) =>
  z
    .array(entry)
    .nullish()
    .transform((list) => list ?? []);

/**
 * A list; null = empty. A response without the list is unreadable, because an empty list can be the proof that a
 * withdrawal was not executed.
 */
export const statedList = <T extends z.ZodType>(entry: T) =>
  z
    .array(entry)
    .nullable()
    .transform((list) => list ?? []);

/** A list whose entries are not parsed. */
export const entries = z.array(z.unknown());

/**
 * The unparsed entries of a list of holdings in an envelope that states a success. null and `{}` = empty: Go sends null
 * for an empty list, and Lua's cjson `{}`. Lists that prove something, such as withdrawals, are not read so.
 */
export const heldEntries = z
  .union([entries, z.null(), z.strictObject({})])
  .transform((list) => (Array.isArray(list) ? list : []));

/** The unparsed entries of a response that is a list. */
export const entriesOf = (body: unknown): unknown[] => entries.parse(body);

/** A count below this one is in seconds, and any other in milliseconds: it is 1973 in milliseconds, 5138 in seconds. */
const SECONDS_BELOW = 1e11;

/**
 * A time since the epoch in seconds or milliseconds, as text or as a number, with or without a fraction. Exchanges have
 * sent either unit in one field, so the size of the count decides. Zero is unreadable: exchanges send it where they
 * have no time.
 */
export const epochTime = z
  .union([z.string().regex(/^\d+(\.\d+)?$/), z.number()])
  .transform(Number)
  .pipe(z.number().positive())
  .transform((count) => new Date(count < SECONDS_BELOW ? Math.round(count * 1000) : Math.floor(count)))
  .refine((date) => !Number.isNaN(date.getTime()));

/** Like `epochTime`; null, absent, "", "0" and 0 = not reported. */
export const optionalTime = z
  .union([z.literal(['', '0', 0]), epochTime])
  .nullish()
  .transform((value) => (value instanceof Date ? value : null));

/** Like `optionalTime`, converted to seconds. */
export const optionalSeconds = optionalTime.transform((time) =>
  time === null ? null : Math.floor(time.getTime() / 1000),
);

/** A time such as `2022-01-31 16:07:32`, with or without a fraction of the second, in UTC. */
export const utcTime = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d/)
  .transform((text) => new Date(`${text.replace(' ', 'T').slice(0, 23).replace(/Z$/, '')}Z`))
  .refine((date) => !Number.isNaN(date.getTime()));

/** A list in one text, separated by commas. */
export const commaList = z
  .string()
  .nullish()
  .transform((value) =>
    (value ?? '')
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  );

/**
 * Returns zero instead of a negative amount. A negative balance means that the account owes the asset and owns none of
 * it.
 */
export function notNegative(value: Amount): Amount {
  return value.isNegative() ? Amount.zero : value;
}

/** The facts about an API key at an exchange that reports none of them. */
export const UNREPORTED_KEY_INFO: KeyInfo = {
  permissions: [],
  ipAllowlist: [],
  validUntil: null,
  lastUsed: null,
  createdTime: null,
  modifiedTime: null,
};
