import { z } from 'zod';
import { Amount } from '#money';

/** Shapes of https://docs.kraken.com/api-reference (spot REST 1.1.0): what is read of them, and nothing more. */

/** A decimal as text or as a number; Kraken's documentation shows both. */
export const amount = z.union([z.string(), z.number()]).transform((value) => Amount.of(String(value)));
/** Epoch seconds, sometimes with a fraction, as text or as a number; null and "0" = never. */
export const seconds = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((value) => Number(value ?? 0))
  .pipe(z.number().nonnegative())
  .transform((value) => (value === 0 ? null : Math.floor(value)));
export const text = z
  .string()
  .nullish()
  .transform((value) => (value === undefined || value === null || value === '' ? null : value));

/** Every response: a list of errors, which ccxt has turned into an exception when it is not empty, and the result. */
const envelope = z.object({ error: z.array(z.string()).max(0), result: z.unknown() });

export function resultOf<T>(result: z.ZodType<T>): (body: unknown) => T {
  return (body) => result.parse(envelope.parse(body).result);
}

/** BalanceEx: by asset id. */
export const readBalances = resultOf(
  z.record(z.string(), z.object({ balance: amount, hold_trade: amount.default(Amount.zero) })),
);

/**
 * GetApiKeyInfo. The documentation writes its members in camelCase (`validUntil`); clients of the live exchange read
 * snake_case (`valid_until`). Both are read. Where a response has both, the documented one counts, unless it is null.
 */
export function keyInfoOf<T>(shape: z.ZodType<T>): (body: unknown) => T {
  return resultOf(z.preprocess(inCamelCase, shape));
}

function inCamelCase(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const told = Object.entries(value as Record<string, unknown>).filter(([, member]) => member !== null);
  const renamed = told.map(([name, member]) => [
    name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    member,
  ]);
  return { ...Object.fromEntries(renamed), ...Object.fromEntries(told) };
}

/** GetApiKeyInfo, of the key. */
export const readKeyInfo = keyInfoOf(
  z.object({
    permissions: z.array(z.string()).default([]),
    ipAllowlist: z
      .array(z.string())
      .nullish()
      .transform((list) => list ?? []),
    validUntil: seconds,
    lastUsed: seconds,
    createdTime: seconds,
    modifiedTime: seconds,
  }),
);

/** The account's own number, with which Kraken tells it from others: `AA88 N84G …`. It is none of a bank. */
const IBAN_LENGTH_MAX = 64;

/** GetApiKeyInfo, of the account. */
export const readIban = (body: unknown): string | null =>
  keyInfoOf(z.object({ iban: text.pipe(z.string().max(IBAN_LENGTH_MAX).nullable()) }))(body).iban;

/** What may leave within some windows of time; only limits of the amount itself are read. */
const limits = z
  .array(
    z.object({
      limit_type: z.string(),
      limits: z.record(z.string(), z.object({ maximum: amount.nullish().transform((value) => value ?? null) })),
    }),
  )
  .nullish()
  .transform((list) =>
    (list ?? [])
      .filter(({ limit_type: type }) => type === 'amount')
      .flatMap(({ limits: windows }) => Object.values(windows))
      .flatMap(({ maximum }) => (maximum === null ? [] : [maximum])),
  );

const method = z.object({
  asset: z.string(),
  method: z.string(),
  network: text,
  /** "Minimum net amount that can be withdrawn right now." */
  minimum: amount.nullish().transform((value) => value ?? null),
  fee: z
    .object({
      asset: text,
      fee: amount.nullish().transform((value) => value ?? null),
      fee_percentage: amount.nullish().transform((value) => value ?? null),
    })
    .nullish()
    .transform((value) => value ?? null),
  limits,
});
export type KrakenMethod = z.infer<typeof method>;

/** WithdrawMethods. */
export const readMethods = resultOf(z.array(method));

const savedAddress = z.object({
  address: z.string(),
  asset: z.string(),
  method: z.string(),
  key: z.string(),
  tag: text,
  memo: text,
  /** Whether the e-mail that Kraken sends for a new address was confirmed. */
  verified: z.boolean().default(true),
});
export type KrakenAddress = z.infer<typeof savedAddress>;

/** WithdrawAddresses. */
export const readAddresses = resultOf(z.array(savedAddress));

const info = z.object({
  /** "Maximum net amount that can be withdrawn right now." */
  limit: amount,
  /** "Net amount that will be sent, after fees." */
  amount,
  fee: amount,
});
export type KrakenInfo = z.infer<typeof info>;

/** WithdrawInfo. */
export const readInfo = resultOf(info);

const record = z.object({
  refid: z.string().min(1),
  asset: z.string(),
  method: text,
  /** Missing in older answers, and where no chain is involved. */
  network: text,
  txid: text,
  /** The address withdrawn or deposited to; of a bank transfer, words of the bank. */
  info: text,
  /** Of withdrawals alone. */
  key: text,
  amount,
  fee: amount.nullish().transform((value) => value ?? null),
  /** Epoch seconds. */
  time: z.union([z.number(), z.string()]).transform(Number).pipe(z.number()),
  status: z.string(),
  'status-prop': text,
});
export type KrakenRecord = z.infer<typeof record>;

/** One withdrawal or deposit as it came; null = it is none that we understand. */
export function readRecord(entry: unknown): KrakenRecord | null {
  try {
    return record.parse(entry);
  } catch {
    return null;
  }
}

const entries = z.array(z.unknown());
const cursor = z.object({ next_cursor: text });

/**
 * WithdrawStatus, DepositStatus: a list, or a page of one when a cursor was asked for. The documentation calls the list
 * in a page of deposits `deposit`, clients `deposits`.
 */
const listing = z.union([
  entries.transform((list) => ({ entries: list, nextCursor: null })),
  z
    .union([
      cursor.extend({ withdrawals: entries }).transform((page) => ({ ...page, entries: page.withdrawals })),
      cursor.extend({ deposits: entries }).transform((page) => ({ ...page, entries: page.deposits })),
      cursor.extend({ deposit: entries }).transform((page) => ({ ...page, entries: page.deposit })),
    ])
    .transform((page) => ({ entries: page.entries, nextCursor: page.next_cursor })),
]);
export type KrakenListing = z.infer<typeof listing>;
export const readListing = resultOf(listing);

const submitted = z.object({ result: z.object({ refid: z.string().min(1) }) });

/** Withdraw: the id of what was accepted. */
export function readRefId(body: unknown): string | null {
  const parsed = submitted.safeParse(body);
  return parsed.success ? parsed.data.result.refid : null;
}

const failed = z.object({ error: z.array(z.string()) });

/** Errors come with HTTP 200: `{"error": ["EAPI:Invalid key"]}`. */
export function readErrorCodes(body: unknown): string[] {
  const parsed = failed.safeParse(body);
  return parsed.success ? parsed.data.error : [];
}
