import { z } from 'zod';
import { Amount } from '#money';
import { readerOrNull } from '../../capabilities/entry-fields.js';
import { amount, optionalAmount, optionalText as text } from '../../capabilities/response-fields.js';
import type { KeyDefault } from '../../port/exchange.port.js';
import type { OrderReceipt } from '../../submission/order-outcome.js';

/** The fields that we read of https://docs.kraken.com/api-reference (spot REST 1.1.0). */

/** Epoch seconds, sometimes with a fraction, as text or as a number; null and "0" = never. */
export const seconds = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((value) => Number(value ?? 0))
  .pipe(z.number().nonnegative())
  .transform((value) => (value === 0 ? null : Math.floor(value)));

/** An amount that cannot be negative. */
export const quantity = amount.refine((value) => !value.isNegative());

/**
 * Kraken's page guides/spot-rest-intro: each entry of `error` begins with its severity, "E" for an error or "W" for a
 * warning. A warning refuses nothing. An entry with another beginning counts as an error.
 */
const isWarning = (entry: string): boolean => entry.startsWith('W');

/** The list `error` of a successful response: it is empty, or has only warnings. */
export const noErrors = z.array(z.string().refine(isWarning));

/** The envelope of every response. */
const envelope = z.object({ error: noErrors, result: z.unknown() });

export function resultOf<T>(result: z.ZodType<T>): (body: unknown) => T {
  return (body) => result.parse(envelope.parse(body).result);
}

/**
 * Reads a response to GetApiKeyInfo. The documentation has field names in camelCase (`validUntil`), but client
 * libraries have recorded snake_case (`valid_until`). Both are read. If a response has both, the documented field is
 * used, unless it is null.
 */
export function keyInfoOf<T>(shape: z.ZodType<T>): (body: unknown) => T {
  return resultOf(z.preprocess(inCamelCase, shape));
}

const NONCE_WINDOW: KeyDefault = 'nonce_window';

function inCamelCase(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const reported = Object.entries(value as Record<string, unknown>).filter(([, member]) => member !== null);
  const renamed = reported.map(([name, member]) => [
    name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    member,
  ]);
  return { ...Object.fromEntries(renamed), ...Object.fromEntries(reported) };
}

/** Kraken: "Custom nonce window value (0 if not configured)"; null = not reported, or unreadable. */
export const nonceWindow = z
  .union([z.number(), z.string().regex(/^\d+$/).transform(Number)])
  .nullable()
  .catch(null);

/** Reads the facts about the key from the response to GetApiKeyInfo. */
export const readKeyInfo = keyInfoOf(
  z
    .object({
      nonceWindow,
      permissions: z.array(z.string()).default([]),
      ipAllowlist: z
        .array(z.string())
        .nullish()
        // For a key without an allow-list, a response recorded by JKorf/Kraken.Net contains [""].
        .transform((list) => (list ?? []).filter((ip) => ip !== '')),
      validUntil: seconds,
      lastUsed: seconds,
      createdTime: seconds,
      modifiedTime: seconds,
    })
    .transform(({ nonceWindow: window, ...key }) => ({ ...key, unsafeSettings: window === 0 ? [] : [NONCE_WINDOW] })),
);

/**
 * Maximum number of characters of the account number (IIBAN), such as `AA88 N84G …`. It identifies the account within
 * Kraken, not a bank account.
 */
const IBAN_LENGTH_MAX = 64;

/** Reads the account number from the response to GetApiKeyInfo. */
export const readIban = (body: unknown): string | null =>
  keyInfoOf(z.object({ iban: text.pipe(z.string().max(IBAN_LENGTH_MAX).nullable()) }))(body).iban;

/** Withdrawal limits by period. We read only limits of the amount. */
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
  /** Kraken: "Minimum net amount that can be withdrawn right now." */
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

/** Reads one entry of WithdrawMethods. */
export const readMethod = (entry: unknown): KrakenMethod => method.parse(entry);

/** A list whose entries are read one by one. */
export const readEntries = resultOf(z.array(z.unknown()));

const savedAddress = z.object({
  address: z.string(),
  asset: z.string(),
  method: z.string(),
  key: z.string(),
  tag: text,
  memo: text,
  /** Whether the person has confirmed the email that Kraken sends for a new address. */
  verified: z.boolean().default(true),
});
export type KrakenAddress = z.infer<typeof savedAddress>;

/** Reads one entry of WithdrawAddresses. */
export const readAddress = (entry: unknown): KrakenAddress => savedAddress.parse(entry);

const info = z.object({
  /** Kraken: "Maximum net amount that can be withdrawn right now." */
  limit: amount,
  /** Kraken: "Net amount that will be sent, after fees." */
  amount,
  fee: amount,
});
export type KrakenInfo = z.infer<typeof info>;

/** Kraken's documentation: WithdrawInfo. */
export const readInfo = resultOf(info);

const record = z.object({
  refid: z.string().min(1),
  asset: z.string(),
  method: text,
  /** The network; absent in older responses, and for transfers without a chain. */
  network: text,
  txid: text,
  /** The withdrawal or deposit address; for a bank transfer, a text of the bank. */
  info: text,
  /** The key of the saved address. Only withdrawals have it. */
  key: text,
  amount: quantity,
  fee: quantity.nullish().transform((value) => value ?? null),
  /** Epoch seconds. */
  time: z.union([z.number(), z.string()]).transform(Number).pipe(z.number().positive()),
  status: z.string(),
  'status-prop': text,
});
export type KrakenRecord = z.infer<typeof record>;

/** Parses one withdrawal or deposit; null = it is unreadable. */
export const readRecord = readerOrNull(record);

const entries = z.array(z.unknown());
const cursor = z.object({ next_cursor: text });

/**
 * WithdrawStatus and DepositStatus: a list, or one page if a cursor was sent. In a page of deposits, the documentation
 * names the list `deposit`, but client libraries have recorded `deposits`.
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

/** Reads the id of the accepted withdrawal from the response to Withdraw; null = the response has no id. */
export function readRefId(body: unknown): string | null {
  const parsed = submitted.safeParse(body);
  return parsed.success ? parsed.data.result.refid : null;
}

const failed = z.object({ error: z.array(z.string()) });

/** Errors come with HTTP 200: `{"error": ["EAPI:Invalid key"]}`. */
export function readErrorCodes(body: unknown): string[] {
  return entriesOfError(body).filter((entry) => !isWarning(entry));
}

/** The warnings in a response, such as `WGeneral:Scheduled maintenance`. */
export function readWarnings(body: unknown): string[] {
  return entriesOfError(body).filter(isWarning);
}

function entriesOfError(body: unknown): string[] {
  const parsed = failed.safeParse(body);
  return parsed.success ? parsed.data.error : [];
}

/** The fields of orders that we read, https://docs.kraken.com/api-reference (spot REST). */

const added = z.object({
  result: z.object({ txid: z.array(z.string().min(1)).min(1), descr: z.object({ order: text }).nullish() }),
});

/** Reads the response to AddOrder; null = it has no order id, for example because the request was only validated. */
export function readReceipt(body: unknown): OrderReceipt | null {
  const parsed = added.safeParse(body);
  if (!parsed.success) return null;
  const { txid, descr } = parsed.data.result;
  return { exchangeIds: txid, description: descr?.order ?? null };
}

/** Epoch seconds with a fraction, as a number or as text; 0 = not set. */
const moment = z
  .union([z.number(), z.string()])
  .nullish()
  .transform((value) => Number(value ?? 0))
  .pipe(z.number().nonnegative())
  .transform((value) => (value === 0 ? null : new Date(Math.round(value * 1000))));

/** Kraken: "primary price". Other texts, such as "+5.0%" in orders of types that we do not place, become null. */
const price = z
  .string()
  .regex(/^\d+(\.\d+)?$/)
  .transform((digits) => Amount.of(digits))
  .nullable()
  .catch(null);

const order = z.object({
  cl_ord_id: text,
  status: z.string().min(1),
  opentm: moment,
  closetm: moment,
  descr: z.object({ pair: z.string(), type: z.string(), ordertype: z.string(), price }),
  vol: quantity,
  vol_exec: quantity,
  cost: quantity,
  fee: optionalAmount,
  /** Average price of the executed volume. */
  price: quantity,
});

export type KrakenOrder = z.infer<typeof order>;

/** Parses one order; null = it is unreadable. */
export const readOrder = readerOrNull(order);

/** Reads the client order id of an order; null = it is unreadable. */
export const readClientOrderId = readerOrNull(z.object({ cl_ord_id: text }).transform((one) => one.cl_ord_id));

/** Unparsed orders by the exchange's id. */
const orderEntries = z.record(z.string(), z.record(z.string(), z.unknown()));
export type KrakenOrderEntries = z.infer<typeof orderEntries>;

/** Kraken's documentation: QueryOrders. */
export const readOrders = resultOf(orderEntries);

/** Reads the response to OpenOrders, which has all open orders. */
export const readOpenOrders = resultOf(z.object({ open: orderEntries }).transform(({ open }) => open));

/** Reads the response to ClosedOrders, which has one page of closed orders. */
export const readClosedOrders = resultOf(z.object({ closed: orderEntries }).transform(({ closed }) => closed));

/** The period whose data the key may read, from the response to GetApiKeyInfo; null = unlimited. */
const queryWindow = z
  .object({ queryFrom: moment, queryTo: moment })
  .transform(({ queryFrom: from, queryTo: to }) => ({ from, to }));
export type QueryWindow = z.infer<typeof queryWindow>;

export const readQueryWindow = keyInfoOf(queryWindow);

/** The fields that we read of https://docs.kraken.com/api-reference/account-data/get-ledgers-info. */

const ledgerPage = z.object({
  /** Unparsed entries by their id. */
  ledger: z.record(z.string().min(1), z.unknown()),
  /** Number of entries that match the request, on all pages. */
  count: z.union([z.string(), z.number()]).transform(Number).pipe(z.int().nonnegative()),
});

/** Reads one page of Ledgers. */
export const readLedgerPage = resultOf(ledgerPage);

const ledgerEntry = z.object({
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
export type KrakenLedgerEntry = z.infer<typeof ledgerEntry>;

/** Parses one entry of a ledger; null = it is unreadable. */
export const readLedgerEntry = readerOrNull(ledgerEntry);

/**
 * The fields that we read of DepositMethods and DepositAddresses, https://docs.kraken.com/api-reference (spot REST
 * 1.1.0).
 */

const optionalQuantity = quantity.nullish().transform((value) => value ?? null);

const depositMethod = z.object({
  method: z.string().min(1),
  /** Kraken: "Maximum net amount that can be deposited right now, or false if no limit." */
  limit: z.union([z.literal(false).transform(() => null), quantity]).nullish(),
  fee: optionalQuantity,
  /** Kraken does not document this field, but client libraries have recorded it. */
  'fee-percentage': optionalQuantity,
  /** Kraken: "Whether or not method has an address setup fee": a boolean, or the fee. */
  'address-setup-fee': z.union([z.boolean(), quantity]).nullish(),
  'gen-address': z.boolean().default(false),
  minimum: optionalQuantity,
});
export type KrakenDepositMethod = z.infer<typeof depositMethod>;

/** Reads one entry of DepositMethods. */
export const readDepositMethod = (entry: unknown): KrakenDepositMethod => depositMethod.parse(entry);

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
