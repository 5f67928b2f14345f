import { z } from 'zod';
import { Amount } from '#money';
import { byAccount, mergeAccounts, readHoldings } from '../../capabilities/account-balances.js';
import { pageReader, type ListPage } from '../../capabilities/cursor-pages.js';
import { fieldOf, readerOf, readerOrNull } from '../../capabilities/entry-fields.js';
import { idIn } from '../../capabilities/envelope.js';
import { addressForm } from '../../capabilities/listed-deposits.js';
import { feeForm } from '../../capabilities/order-fees.js';
import { orderReader } from '../../capabilities/order-form.js';
import { pairForm } from '../../capabilities/pair-form.js';
import { amount, name, optionalAmount, optionalText, type CodeOf } from '../../capabilities/response-fields.js';
import { transferReader } from '../../capabilities/transfer-form.js';
import { lookUp } from '../../declaration/look-up.js';
import { BOTH, LIMIT_ONLY, NONE, type PairListing } from '../../declaration/pair-source.js';
import { price, readEntries, type TickerListing } from '../../declaration/ticker-source.js';
import { countryCode } from '../../port/country-code.js';
import type { AssetBalance, HistoryKind } from '../../port/exchange.port.js';
import type { ListReader } from '../../transport/list-reader.js';

/**
 * The fields that we read from Coinbase App (v2) and Advanced Trade (v3): docs.cdp.coinbase.com/coinbase-app and
 * docs.cdp.coinbase.com/api-reference/advanced-trade-api/rest-api.
 */

/** Amounts must be strings: a JSON number would already have lost digits. */
const decimal = z.string().transform((text) => Amount.of(text));
const money = z.object({ amount: decimal, currency: name });
const time = z.iso.datetime({ offset: true }).transform((text) => new Date(text));
const optionalTime = optionalText.pipe(time.nullable()).catch(null);

const held = fieldOf('value', decimal);
const heldKey = z.object({ currency: name, type: optionalText, platform: optionalText });
type HeldKey = z.infer<typeof heldKey>;
const heldAmounts = z.object({ available_balance: held, hold: held });
const heldAccount = heldKey.extend({ uuid: name, retail_portfolio_id: optionalText });

export const readHeldAccount = readerOf(heldAccount);

/** The cursor of the next page of a list of v3. */
const nextOfV3 = z
  .object({ has_next: z.boolean().default(false), cursor: optionalText })
  .transform(({ has_next, cursor }) => (has_next ? name.parse(cursor) : null));
export const readHeldAccounts = pageReader('accounts', z.unknown(), nextOfV3);

/** The type of a vault. A withdrawal from a vault takes days, so the balance of a vault is locked. */
const VAULT = 'ACCOUNT_TYPE_VAULT';

/**
 * Coinbase's help, Ethereum 2.0 staking: "ETH2 = staked ETH", which cannot be sent. It stays an asset of its own,
 * because the transactions of the account with ether do not list its changes.
 */
const STAKED_ETHER = 'ETH2';

/**
 * The platforms of derivatives. Coinbase's page accounts/list-accounts: "Platform indicates if the account is for spot
 * (CONSUMER), US Derivatives (CFM_CONSUMER), or International Exchange (INTX)." Sends are paid from spot accounts.
 */
const DERIVATIVES = ['ACCOUNT_PLATFORM_CFM_CONSUMER', 'ACCOUNT_PLATFORM_INTX'];

/** A type of accounts that an entry without a platform can have, too. */
const PERPETUALS = 'ACCOUNT_TYPE_PERP_FUTURES';

const derivativesOf = ({ platform, type }: HeldKey): string | undefined =>
  DERIVATIVES.find((one) => one === platform) ?? (type === PERPETUALS ? PERPETUALS : undefined);
export const isForDerivatives = (account: HeldKey): boolean => derivativesOf(account) !== undefined;

const uuid = readerOrNull(fieldOf('uuid', name));
/** Our name of all accounts that pay sends. */
const PRIMARY = 'primary';

/** Adds up accounts. An account that moves to a later page while we read the list is listed twice, and counts once. */
export function balancesOf(listed: readonly unknown[], codeOf: CodeOf, lists: ListReader): AssetBalance[] {
  const byId = new Map(listed.map((entry, index) => [uuid(entry) ?? index, entry]));
  const holdings = readHoldings(lists, [...byId.values()], {
    keyOf: (entry) => {
      const key = heldKey.parse(entry);
      const account = key.type === VAULT ? VAULT : (derivativesOf(key) ?? PRIMARY);
      const isLocked = key.type === VAULT || key.currency === STAKED_ETHER;
      return { asset: codeOf(key.currency), account, ...(isLocked && { kind: 'locked' as const }) };
    },
    amountsOf: (entry) => {
      const { available_balance: free, hold: used } = heldAmounts.parse(entry);
      return { free, used };
    },
  });
  return mergeAccounts(byAccount(holdings, PRIMARY));
}

const flag = z.boolean();
const keyPermissions = z.object({ can_view: flag, can_trade: flag, can_transfer: flag, can_receive: flag.optional() });

/**
 * Coinbase's page data-api/get-api-key-permissions. `can_view` becomes `view`, the name that Coinbase shows when a key
 * is created.
 */
export const readKeyPermissions = (body: unknown): string[] =>
  Object.entries(keyPermissions.parse(body)).flatMap(([can, has]) => (has ? [can.slice('can_'.length)] : []));

/** GET /v2/user/auth: the scopes of a token. */
export const readScopes = (body: unknown): string[] => fieldOf('data.scopes', z.array(z.string())).parse(body);

/** A text of any length. The caller limits the length, so that a long text does not make other fields unreadable. */
const personal = optionalText.transform((text) => (text?.trim() === '' ? null : text));
const country = z.object({ code: countryCode.nullish() }).nullish();
const user = z.object({ data: z.object({ name: personal, email: personal, country }) });

/** GET /v2/user. The email address requires wallet:user:email, the country wallet:user:read. */
export function readUser(body: unknown): { fullName: string | null; email: string | null; country: string | null } {
  const { data } = user.parse(body);
  return { fullName: data.name, email: data.email, country: data.country?.code ?? null };
}

/** A v2 response with one entry. */
const one = <T>(form: z.ZodType<T>) => z.object({ data: form }).transform(({ data }) => data);
export const readOne = (body: unknown): unknown => one(z.unknown()).parse(body);

/** The id of an entry, whose other fields may be unreadable. */
const id = fieldOf('id', name);
/**
 * The id from which the next page is read: "by always using the id of the last resource in the list as a
 * starting_after" (api-architecture/pagination). null = this is the last page.
 */
const nextOfV2 = z
  .object({ pagination: z.object({ next_uri: optionalText }), data: z.array(z.unknown()) })
  .transform(({ pagination, data }) => (pagination.next_uri === null ? null : id.parse(data.at(-1))));
export const readAccountIds = pageReader('data', id, nextOfV2);
const readAny = pageReader('data', z.unknown(), nextOfV2);

/** Coinbase's page track-apis/accounts. In the samples of this page, `currency` is an object. */
const walletAccount = z.object({
  id: name,
  type: name,
  balance: money,
  currency: z.object({ code: name, exponent: z.number().int().nonnegative() }),
});
export type WalletAccount = z.infer<typeof walletAccount>;
export function readAccounts(body: unknown, lists: ListReader): ListPage<WalletAccount> {
  const { entries, nextCursor } = readAny(body);
  return { entries: lists.read('accounts', entries, (entry) => walletAccount.parse(entry)), nextCursor };
}
export const readPrimaryAccount = (body: unknown): WalletAccount => one(walletAccount).parse(body);

/** Coinbase's documentation: transfer-apis/onchain-addresses */
const address = addressForm({ network: 'network', address: 'address' });
export const readAddresses = pageReader('data', address, nextOfV2);
export const readNewAddress = (body: unknown) => one(address).parse(body);

/**
 * The names of networks that the documentation of addresses and sends mentions. They are also our ids
 * (docs.cdp.coinbase.com/coinbase-app/transfer-apis/onchain-addresses). Other names are not documented, so we offer no
 * other networks.
 */
export const networks: Readonly<Record<string, string>> = {
  bitcoin: 'bitcoin',
  ethereum: 'ethereum',
  solana: 'solana',
  base: 'base',
  polygon: 'polygon',
};

/** The types of credits that are deposits, and of debits that are withdrawals. Trades, for example, are neither. */
const credits: Readonly<Record<string, HistoryKind>> = { send: 'deposit', receive: 'deposit', fiat_deposit: 'deposit' };
const debits: Readonly<Record<string, HistoryKind>> = { send: 'withdrawal', fiat_withdrawal: 'withdrawal' };
/** The time and the kind of a transaction. A debit has a negative amount. */
export const dated = z
  .object({ type: name, amount: z.object({ amount: z.string() }), created_at: time })
  .transform(({ type, amount: { amount }, created_at: at }) => ({
    at,
    kind: lookUp(amount.startsWith('-') ? debits : credits, type),
  }));

/** A page of transactions, newest first. A page that ends with a transaction before `since` is the last one needed. */
export function readTransactions(body: unknown, since: Date): ListPage<unknown> {
  const { entries, nextCursor } = readAny(body);
  const { at = since } = dated.safeParse(entries.at(-1)).data ?? {};
  return { entries, nextCursor: at < since ? null : nextCursor };
}

const sum = money.nullish();
/** The network's name is `name` in the samples of the page track-apis/transactions, but `network_name` in its table. */
const onChain = fieldOf(
  'network',
  z.object({ network_name: optionalText, name: optionalText, transaction_fee: sum, transaction_amount: sum }).nullish(),
);

const transfer = {
  exchangeId: 'id',
  status: 'status',
  asset: 'amount.currency',
  hash: 'network.hash',
  address: 'to.address',
  amount: z
    .object({ amount: money, network: z.unknown().optional() })
    .refine(({ amount: { amount, currency }, network }) => {
      const { transaction_fee: fee, transaction_amount: net } = onChain.parse({ network }) ?? {};
      const isComparable = fee?.currency === currency && net?.currency === currency;
      return !isComparable || net.amount.plus(fee.amount).equals(amount.abs());
    })
    .transform(({ amount: { amount } }) => amount.abs()),
  network: onChain.transform((found) => found?.network_name ?? found?.name ?? null),
  at: fieldOf('created_at', time),
  finals: { completed: 'completed', failed: 'failed', expired: 'failed', canceled: 'canceled' },
  // Vaults have the last two: "waiting for approval" and "waiting to be cleared".
  underway: ['pending', 'waiting_for_signature', 'waiting_for_clearing'],
} as const;

/** A UUID and the text that may follow it. A recorded send by an application has `send` there (ccxt, coinbase.js). */
const IDEM = /^([0-9a-f]{8})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{12})/;

/** Returns our reference for an `idem` of ours. An `idem` that does not begin with a UUID is returned unchanged. */
function clientRefIn(idem: string | null): string | null {
  const [, ...parts] = IDEM.exec(idem ?? '') ?? [];
  return parts.length === 0 ? idem : withVersion(7, parts.join(''));
}

const withVersion = (version: 4 | 7, hex: string): string => `${hex.slice(0, 12)}${version}${hex.slice(13)}`;

/**
 * Coinbase's page track-apis/transactions. The sample of a send has an `amount` of −0.00133, which is what was debited,
 * a `transaction_fee` of 0.00033 and a `transaction_amount` of 0.001, which is what arrives.
 */
export const readTransfer = transferReader(networks, {
  deposit: transfer,
  withdrawal: {
    ...transfer,
    amountIs: 'gross',
    feeAsset: 'network.transaction_fee.currency',
    fee: onChain.transform((found) => found?.transaction_fee?.amount ?? null),
    clientRef: fieldOf('idem', optionalText).transform(clientRefIn),
  },
});

/** Coinbase's page transfer-apis/send-crypto: the id of the accepted withdrawal. */
export const readSendId = idIn(one(z.object({ id: name, type: z.literal('send') })).transform(({ id }) => id));

/**
 * `idem`: "A UUIDv4 token […] Must be a valid UUID and lowercased." Our references are UUIDs of version 7 without
 * dashes. `idem` differs only in the digit of the version and in the dashes.
 */
export const toIdem = (clientRef: string): string =>
  withVersion(4, clientRef).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/** Coinbase's documentation: orders/create-order */
export const configurationOf = (base_size: string, limit_price: string | undefined): object =>
  limit_price === undefined
    ? { market_market_ioc: { base_size } }
    : { limit_limit_gtc: { base_size, limit_price, post_only: false } };
const placed = z.object({ success: z.literal(true), success_response: z.object({ order_id: name }) });
export const readOrderId = idIn(placed.transform((body) => body.success_response.order_id));

/** Absent and "" = nothing was executed. */
const executedVolume = fieldOf('filled_size', optionalAmount).transform((found) => found ?? Amount.zero);

/**
 * The size of an order in the base asset. The configuration of an order has one member, which is named after the type
 * of the order and contains the size.
 */
const sized = fieldOf('base_size', z.unknown());
const configurations = fieldOf('order_configuration', z.record(z.string(), z.unknown())).transform(Object.values);
const size = configurations.transform((forms) =>
  amount.parse(forms.flatMap((form) => sized.safeParse(form).data ?? [])[0]),
);
const priced = fieldOf('limit_price', optionalAmount);
const limitPrice = configurations.transform(
  (forms) => forms.flatMap((form) => priced.safeParse(form).data ?? [])[0] ?? null,
);

/** An order. Its fees are in the quote asset. Coinbase reports the end of an order only if the order was filled. */
const readOrder = orderReader({
  exchangeId: 'order_id',
  clientOrderId: 'client_order_id',
  pair: 'product_id',
  side: 'side',
  type: fieldOf('order_type', optionalText).transform((type) => type ?? 'unknown'),
  status: 'status',
  // An order that is PENDING or in one of the QUEUED states can still be executed. A FAILED order was not executed.
  statuses: {
    PENDING: 'open',
    OPEN: 'open',
    QUEUED: 'open',
    CANCEL_QUEUED: 'open',
    EDIT_QUEUED: 'open',
    FILLED: 'filled',
    CANCELLED: 'canceled',
    EXPIRED: 'expired',
    FAILED: 'canceled',
  },
  volume: size,
  limitPrice,
  executedVolume,
  cost: 'filled_value',
  averagePrice: 'average_filled_price',
  fees: feeForm('total_fees'),
  openedAt: fieldOf('created_time', optionalTime),
  changedAt: z
    .object({ status: name, last_fill_time: optionalTime })
    .transform((order) => (order.status === 'FILLED' ? order.last_fill_time : null)),
});

const readPlaced = pageReader('orders', z.looseObject({ client_order_id: z.string() }), nextOfV3);
/**
 * Reads a page of orders/list-orders. @param reference reads only the order with this client order id; null = all
 * orders
 */
export const readOrdersWith = (reference: string | null) => (body: unknown, codeOf: CodeOf) => {
  const { entries, nextCursor } = readPlaced(body);
  const sought = entries.filter(({ client_order_id: id }) => reference === null || id === reference);
  return { entries: sought.map((entry) => readOrder(entry, codeOf)), nextCursor };
};

/** Coinbase's documentation: public/list-public-products */
const path = '/api/v3/brokerage/market/products?product_type=SPOT';
const productsIn = (body: unknown): unknown[] => fieldOf('products', z.array(z.unknown())).parse(body);

/** The order types of a pair: none in an auction or in post-only mode, where a new order does not trade at once. */
const orderTypes = z
  .object({
    status: z.string(),
    limit_only: flag,
    is_disabled: flag,
    trading_disabled: flag,
    cancel_only: flag,
    view_only: flag,
    post_only: flag,
    auction_mode: flag,
  })
  .transform(({ status, limit_only, ...closed }) => {
    if (status !== 'online' || Object.values(closed).includes(true)) return NONE;
    return limit_only ? LIMIT_ONLY : BOTH;
  });

const spot = pairForm({
  isSpot: fieldOf('product_type', z.literal('SPOT')).transform(() => true),
  base: 'base_currency_id',
  quote: 'quote_currency_id',
  symbol: 'product_id',
  status: 'status',
  orderTypes,
  tickSize: 'price_increment',
  stepSize: 'base_increment',
  minBaseQty: 'base_min_size',
  minCost: 'quote_min_size',
});

/** A product that is not a spot pair, such as a future. It may lack the increments of a spot pair. */
const other = fieldOf('product_type', z.string().regex(/^(?!SPOT$)/)).transform(() => null);

/** A delisted pair stays in the list, sometimes without rules. We leave it out. */
const delisted = fieldOf('status', z.literal('delisted')).transform(() => null);

/** Fees depend on the account, so the list contains none. */
export const coinbasePairs: PairListing = { path, list: productsIn, pair: z.union([other, spot, delisted]) };

/**
 * Only spot products count: futures and perpetuals are also quoted in US dollars, but are other assets. A disabled
 * product is left out, because its price may be old.
 */
const inDollars = z
  .object({
    product_id: z.string(),
    product_type: z.literal('SPOT'),
    is_disabled: z.literal(false).optional(),
    base_currency_id: z.string(),
    quote_currency_id: z.literal('USD'),
    price,
  })
  .transform((one) => ({ pair: one.product_id, asset: one.base_currency_id, price: one.price }));

export const coinbaseTickers: TickerListing = { path, read: (body) => readEntries(productsIn(body), inDollars) };
