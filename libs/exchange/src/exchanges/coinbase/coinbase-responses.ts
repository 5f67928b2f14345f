import { z } from 'zod';
import { Amount } from '#money';
import type { Account } from '../../capabilities/account-balances.js';
import { idIn } from '../../capabilities/envelope.js';
import type { ListedAddress } from '../../capabilities/listed-deposits.js';
import { optionalText, name, type CodeOf } from '../../capabilities/response-fields.js';
import type { EntryPage } from '../../capabilities/transfer-pages.js';
import { transferStatus } from '../../capabilities/status-tables.js';
import type { TransferRecord } from '../../capabilities/transfer-record.js';
import { countryCode } from '../../port/country-code.js';
import type { HistoryKind } from '../../port/exchange.port.js';
import type { ReportedError } from '../../transport/error-map.js';
import { networkIdOf } from './coinbase-networks.js';

/**
 * The fields that we read of Coinbase App (v2) and Advanced Trade (v3): docs.cdp.coinbase.com/coinbase-app and
 * docs.cdp.coinbase.com/api-reference/advanced-trade-api/rest-api.
 */

/** v2 responds with `{"errors": [{"id", "message"}]}`, v3 with `{"error", "message", …}`. */
const v2Errors = z.object({ errors: z.array(z.object({ id: name, message: z.string().optional() })) });
const v3Error = z.object({ error: name, message: z.string().optional() });

export function readErrors(body: unknown): ReportedError[] {
  const v2 = v2Errors.safeParse(body);
  if (v2.success) return v2.data.errors.map(({ id: code, message }) => ({ code, message }));
  const v3 = v3Error.safeParse(body);
  return v3.success ? [{ code: v3.data.error, message: v3.data.message }] : [];
}

/** Amounts are strings; a number would have lost digits already. */
const decimal = z.string().transform((text) => Amount.of(text));
const balance = z.object({ value: decimal });
const money = z.object({ amount: decimal, currency: name });

const heldAccount = z.object({
  uuid: name,
  currency: name,
  available_balance: balance,
  hold: balance,
  type: optionalText,
  retail_portfolio_id: optionalText,
});
export type HeldAccount = z.infer<typeof heldAccount>;

/** A page of `accounts` or `orders` of v3. */
export function readPage(list: 'accounts' | 'orders', body: unknown): EntryPage {
  const page = z.looseObject({ has_next: z.boolean().default(false), cursor: optionalText }).parse(body);
  const entries = z.array(z.unknown()).parse(page[list]);
  if (page.has_next && page.cursor === null) throw new Error('more pages, but no cursor');
  return { entries, nextCursor: page.has_next ? page.cursor : null };
}

export const readHeldAccount = (entry: unknown): HeldAccount => heldAccount.parse(entry);

/** A vault: its holder must first request a withdrawal, which takes days, so its balance is not free. */
const VAULT = 'ACCOUNT_TYPE_VAULT';

/** Adds up accounts, each once: an account that moves to a later page meanwhile is listed twice. */
export function toAccount(accounts: readonly HeldAccount[], codeOf: CodeOf): Account {
  const byId = new Map(accounts.map((account) => [account.uuid, account]));
  const balances = [...byId.values()].map(({ currency, available_balance: { value }, hold, type }) => ({
    asset: codeOf(currency),
    ...(type === VAULT ? { free: Amount.zero, used: value.plus(hold.value) } : { free: value, used: hold.value }),
  }));
  return { name: 'primary', paysWithdrawals: true, balances };
}

/** data-api/get-api-key-permissions, as the permissions are named when a key is created. */
const keyPermissions = z.object({
  can_view: z.boolean(),
  can_trade: z.boolean(),
  can_transfer: z.boolean(),
  can_receive: z.boolean().optional(),
});

export function readKeyPermissions(body: unknown): string[] {
  return Object.entries(keyPermissions.parse(body)).flatMap(([can, has]) => (has ? [can.slice('can_'.length)] : []));
}

const authorization = z.object({ data: z.object({ scopes: z.array(z.string()) }) });

/** GET /v2/user/auth: the scopes of a token. */
export const readScopes = (body: unknown): string[] => authorization.parse(body).data.scopes;

/** A text of any length, which the reader limits. A long text is no reason to reject the other fields. */
const personal = z
  .string()
  .nullish()
  .transform((text) => (text === undefined || text === null || text.trim() === '' ? null : text));

const user = z.object({
  data: z.object({
    name: personal,
    /** Only with wallet:user:email. */
    email: personal,
    /** Only with wallet:user:read. */
    country: z.object({ code: countryCode.nullish() }).nullish(),
  }),
});

/** GET /v2/user. */
export function readUser(body: unknown): { fullName: string | null; email: string | null; country: string | null } {
  const { name: fullName, email, country } = user.parse(body).data;
  return { fullName, email, country: country?.code ?? null };
}

const pagination = z.object({ pagination: z.object({ next_uri: optionalText }), data: z.array(z.unknown()) });

/** api-architecture/pagination: "by always using the id of the last resource in the list as a starting_after" */
export function readList(body: unknown): EntryPage {
  const { pagination: page, data } = pagination.parse(body);
  const last = z.object({ id: name }).safeParse(data.at(-1));
  if (page.next_uri !== null && !last.success) throw new Error('more pages, but no id');
  return { entries: data, nextCursor: page.next_uri !== null && last.success ? last.data.id : null };
}

/** track-apis/accounts. Coinbase's samples spell the currency as an object. */
const walletAccount = z.object({
  id: name,
  type: name,
  currency: z.object({ code: name, exponent: z.number().int().nonnegative() }),
  balance: money,
});
export type WalletAccount = z.infer<typeof walletAccount>;

export const readAccount = (entry: unknown): WalletAccount => walletAccount.parse(entry);
/** The id of an account, in which nothing else must be readable. */
export const readId = (entry: unknown): string => z.object({ id: name }).parse(entry).id;
export const readOne = (body: unknown): unknown => z.object({ data: z.unknown() }).parse(body).data;

/** transfer-apis/onchain-addresses */
const address = z.object({ address: name, network: optionalText });

export function readAddress(entry: unknown): ListedAddress {
  const { address: text, network } = address.parse(entry);
  return { exchangeNetworkId: network, address: text, tag: null };
}

/** track-apis/transactions. `network.name` is in its samples, `network_name` in its table of fields. */
const transaction = z.object({
  id: name,
  type: name,
  status: name,
  amount: money,
  created_at: z.iso.datetime({ offset: true }).transform((text) => new Date(text)),
  idem: optionalText,
  network: z
    .object({
      hash: optionalText,
      network_name: optionalText,
      name: optionalText,
      transaction_fee: money.nullish(),
      transaction_amount: money.nullish(),
    })
    .nullish()
    .transform((found) => {
      const { hash = null, network_name = null, name: named = null, transaction_fee: fee } = found ?? {};
      return { hash, exchangeNetwork: network_name ?? named, listedFee: fee ?? null };
    }),
  to: z
    .object({ address: optionalText })
    .nullish()
    .transform((found) => found?.address ?? null),
});

const glimpse = z.object({ type: name, amount: z.object({ amount: z.string() }), created_at: z.string() });

/**
 * When a transaction was made, and the history to which it belongs. A send with a positive amount came in. Trades,
 * conversions, and transfers between the owner's accounts belong to none. An unreadable one belongs to every history, so
 * that it is counted.
 */
export function sortTransaction(entry: unknown): { at: number; kind: HistoryKind | 'none' | 'unreadable' } {
  const { success, data } = glimpse.safeParse(entry);
  if (!success) return { at: Number.NaN, kind: 'unreadable' };
  const at = Date.parse(data.created_at);
  if (data.type === 'receive') return { at, kind: 'deposit' };
  if (data.type !== 'send') return { at, kind: 'none' };
  return { at, kind: data.amount.amount.startsWith('-') ? 'withdrawal' : 'deposit' };
}

const finals = { completed: 'completed', failed: 'failed', expired: 'failed', canceled: 'canceled' } as const;

/**
 * Converts a transaction. The sample of a send has an `amount` of −0.00133, which is what was debited, a
 * `transaction_fee` of 0.00033 and a `transaction_amount` of 0.001, which is what arrives.
 */
export function readTransaction(entry: unknown, codeOf: CodeOf): TransferRecord {
  const { id, status, amount, created_at: at, idem, network, to: address } = transaction.parse(entry);
  const { hash, exchangeNetwork, listedFee } = network;
  const isSend = amount.amount.isNegative();
  const debited = isSend ? Amount.zero.minus(amount.amount) : amount.amount;
  const fee = isSend && listedFee?.currency === amount.currency ? listedFee.amount : null;
  return {
    exchangeId: id,
    ...transferStatus(finals, status),
    asset: codeOf(amount.currency),
    amountNoFee: debited.minus(fee ?? Amount.zero),
    fee,
    network: networkIdOf(exchangeNetwork),
    exchangeNetwork,
    address,
    tag: null,
    hash,
    at,
    clientRef: idem === null ? null : toClientRef(idem),
  };
}

/** transfer-apis/send-crypto: the id of the send. */
export const readSendId = idIn(
  z.object({ data: z.object({ id: name, type: z.literal('send') }) }).transform(({ data }) => data.id),
);

const VERSION_AT = 12;

/**
 * `idem`: "A UUIDv4 token […] Must be a valid UUID and lowercased." Our references are UUIDs of version 7 without dashes;
 * only the digit of the version differs.
 */
export function toIdem(clientRef: string): string {
  const hex = `${clientRef.slice(0, VERSION_AT)}4${clientRef.slice(VERSION_AT + 1)}`;
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function toClientRef(idem: string): string {
  const hex = idem.replaceAll('-', '');
  return `${hex.slice(0, VERSION_AT)}7${hex.slice(VERSION_AT + 1)}`;
}
