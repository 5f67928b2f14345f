import { randomBytes, randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Amount } from '#money';
import { amountText } from '../amount-text.js';
import { assetById, findAsset, findMethod, methods, type SandboxAsset } from '../catalogue.js';
import { ACCOUNTS_MAX, openingPostings, type Exchange } from '../exchange.js';
import { permissions, type Account, type ApiKey, type SavedAddress } from '../ledger/records.js';
import type { AccountBook } from '../ledger/state.js';
import { newTotpSecret } from '../totp.js';
import { ControlError } from './control-error.js';

/** Maximum number of saved addresses of an account. */
const ADDRESSES_MAX = 1000;

export const name = z.string().min(1).max(200);

/** An address that the account's owner has saved; `asset` is the common code. */
export const addressInput = z.strictObject({
  asset: name,
  method: name,
  address: name,
  key: name,
  memo: name.nullish(),
  verified: z.boolean().default(true),
});

export const accountInput = z.strictObject({
  name: name.default('sandbox account'),
  /** How long ago the account was opened. */
  ageSeconds: z.int().min(0).max(31_536_000).default(0),
  /** The balances by common asset code, such as `{"BTC": "5"}`. */
  balances: z.record(name, amountText).default({}),
  apiKey: name.optional(),
  /** Base64, like Kraken's secrets. */
  apiSecret: z.base64().min(4).max(400).optional(),
  permissions: z.array(z.enum(permissions)).default([...permissions]),
  ipAllowlist: z.array(name).max(100).default([]),
  settle: z.enum(['auto', 'manual']).default('auto'),
  isUnified: z.boolean().default(false),
  /** See `Account.otherAccounts`. */
  otherAccounts: z.record(name, z.record(name, amountText.transform(String))).default({}),
  nonceWindow: z.int().min(0).max(1_000_000_000).default(0),
  /** The calls that need a one-time code; null means none. */
  otp: z.enum(['withdrawals', 'all']).nullable().default(null),
  /** The error for a call without a valid code; see `takeOneTimePassword`. */
  otpRefusal: z.enum(['named', 'signature']).default('named'),
  /** The saved addresses; by default sample addresses for every withdrawal method. */
  withdrawalAddresses: z.array(addressInput).max(ADDRESSES_MAX).optional(),
});
type AccountInput = z.infer<typeof accountInput>;

/** @throws ControlError */
export function bookOf(exchange: Exchange, accountId: string): AccountBook {
  const book = exchange.findBook(accountId);
  if (book === null) throw new ControlError(404, `there is no account ${accountId}`);
  return book;
}

/** Opens an account. When the `apiKey` exists, returns the account of that key unchanged. */
export function openAccount(exchange: Exchange, input: AccountInput, now: Date): unknown {
  const existing = input.apiKey === undefined ? undefined : exchange.keys.get(input.apiKey);
  if (existing !== undefined) return describe(exchange, existing);
  if (!exchange.hasRoomFor())
    throw new ControlError(409, 'no further account can be opened; POST /control/reset deletes all accounts');
  const openedAt = new Date(now.getTime() - input.ageSeconds * 1_000);
  const { name: label, settle, isUnified, otherAccounts } = input;
  const account: Account = {
    id: randomUUID(),
    name: label,
    settle,
    createdAt: openedAt.getTime(),
    ...(isUnified && { isUnified }),
    ...(Object.keys(otherAccounts).length > 0 && { otherAccounts }),
  };
  const key: ApiKey = {
    apiKey: input.apiKey ?? randomBytes(42).toString('base64'),
    apiSecret: input.apiSecret ?? randomBytes(64).toString('base64'),
    accountId: account.id,
    permissions: input.permissions,
    ipAllowlist: input.ipAllowlist,
    nonceWindow: input.nonceWindow,
    lastNonce: '0',
    ...(input.otp === null ? {} : { otp: { scope: input.otp, secret: newTotpSecret(), refusal: input.otpRefusal } }),
    revoked: false,
    createdAt: now.getTime(),
    modifiedAt: now.getTime(),
  };
  const savedAddresses =
    input.withdrawalAddresses?.map((address) => savedAddress(account.id, address)) ?? sampleAddresses(account.id);
  if (new Set(savedAddresses.map((saved) => saved.key)).size < savedAddresses.length) {
    throw new ControlError(422, 'two withdrawal addresses have the same key');
  }
  exchange.commit(
    { account, key, savedAddresses },
    { account, now: openedAt, postings: openingPostings(openingBalances(input.balances)) },
  );
  return describe(exchange, key);
}

/** Opens an account that has no API key. */
export function openLedgerAccount(
  exchange: Exchange,
  { name: label, balances }: { name: string; balances: readonly (readonly [SandboxAsset, Amount])[] },
  now: Date,
): Account {
  const account: Account = { id: randomUUID(), name: label, settle: 'auto', createdAt: now.getTime() };
  const postings = openingPostings(balances);
  exchange.commit({ account, savedAddresses: sampleAddresses(account.id) }, { account, now, postings });
  return account;
}

export const manyAccountsInput = z.strictObject({
  count: z.int().min(1).max(ACCOUNTS_MAX),
  namePrefix: name.default('account'),
  balances: z.record(name, amountText).default({}),
});

/** Opens many accounts with the same settings. They have no saved addresses, because those need the most memory. */
export function openAccounts(exchange: Exchange, input: z.infer<typeof manyAccountsInput>, now: Date): unknown {
  const { count, namePrefix, balances } = input;
  if (!exchange.hasRoomFor(count))
    throw new ControlError(409, 'no further account can be opened; POST /control/reset deletes all accounts');
  const alike = { ...accountInput.parse({ withdrawalAddresses: [] }), balances };
  return {
    accounts: Array.from({ length: count }, (_, index) =>
      openAccount(exchange, { ...alike, name: `${namePrefix} ${index + 1}` }, now),
    ),
  };
}

/** @throws ControlError for unknown assets and for amounts with too many digits */
export function openingBalances(balances: Record<string, Amount>): [SandboxAsset, Amount][] {
  return Object.entries(balances).map(([code, opening]) => {
    const asset = knownAsset(code);
    return [asset, fitting(opening, asset)];
  });
}

function describe(exchange: Exchange, { apiKey, apiSecret, accountId, otp }: ApiKey): unknown {
  const totpSecret = otp?.secret ?? null;
  return { accountId, apiKey, apiSecret, totpSecret, withdrawalAddresses: describeAddresses(exchange, accountId) };
}

export function describeAddresses(exchange: Exchange, accountId: string): unknown[] {
  return [...exchange.bookOf(accountId).savedAddresses.values()].map(describeAddress);
}

function describeAddress({ asset, method, network, address, key, memo, verified }: SavedAddress): unknown {
  return { asset: assetById(asset).code, method, network, address, key, memo, verified };
}

export function saveAddress(exchange: Exchange, account: Account, input: z.infer<typeof addressInput>): unknown {
  const { savedAddresses } = exchange.book(account);
  if (savedAddresses.size >= ADDRESSES_MAX)
    throw new ControlError(409, `an account has at most ${ADDRESSES_MAX} saved addresses`);
  if (savedAddresses.has(input.key))
    throw new ControlError(409, `another saved address of the account already has the key ${input.key}`);
  const saved = savedAddress(account.id, input);
  exchange.commit({ savedAddresses: [saved] });
  return describeAddress(saved);
}

function savedAddress(accountId: string, input: z.infer<typeof addressInput>): SavedAddress {
  const asset = knownAsset(input.asset);
  const method = findMethod(asset, input.method);
  if (method === null) throw new ControlError(422, `${asset.code} has no withdrawal method ${input.method}`);
  const { address, key, memo = null, verified } = input;
  const { network } = method;
  return { accountId, asset: asset.id, method: method.method, network, address, key, memo, verified };
}

function sampleAddresses(accountId: string): SavedAddress[] {
  return methods.flatMap((method) => {
    const asset = knownAsset(method.assetCode);
    const plain = {
      accountId,
      asset: asset.id,
      method: method.method,
      network: method.network,
      // The last sample, because the first ones serve as deposit addresses.
      address: method.sampleAddresses.at(-1) ?? '',
      key: `${asset.code} ${method.method}`,
      memo: null,
      verified: true,
    };
    const tagged = { ...plain, key: `${plain.key} with memo`, memo: '1000001' };
    return method.memo === null ? [plain] : [plain, tagged];
  });
}

/** @throws ControlError */
export function fitting(value: Amount, asset: SandboxAsset): Amount {
  if (value.decimalPlaces() > asset.decimals) {
    throw new ControlError(422, `${asset.code} has at most ${asset.decimals} digits after the point`);
  }
  return value;
}

/** @throws ControlError */
export function knownAsset(code: string): SandboxAsset {
  const asset = findAsset(code);
  if (asset === null) throw new ControlError(422, `there is no asset ${code}`);
  return asset;
}
