import { randomInt } from 'node:crypto';
import { Amount, INPUT_AMOUNT_PATTERN } from '#money';
import {
  assetById,
  allowsDeposits,
  depositMethodsOf,
  findAsset,
  findDepositMethod,
  withAllDigits,
  type DepositMethod,
  type DepositTerms,
  type FundingMethod,
  type SandboxAsset,
} from '../../catalogue.js';
import type { Exchange } from '../../exchange.js';
import type { Account, Deposit, DepositAddress } from '../../ledger/records.js';
import { KrakenError, required, type Call, type PrivateEndpoints } from '../handler.js';
import { historyPage } from './history.js';

/** Returns the fields of a deposit method; values that the control API has set replace the original ones. */
export function termsOf(exchange: Exchange, { assetCode, name, terms }: DepositMethod): DepositTerms {
  return { ...terms, ...exchange.depositTerms.get(`${assetCode} ${name}`) };
}

function offered(exchange: Exchange, asset: SandboxAsset): { method: DepositMethod; terms: DepositTerms }[] {
  return depositMethodsOf(asset)
    .map((method) => ({ method, terms: termsOf(exchange, method) }))
    .filter(({ terms }) => terms.listed);
}

/** Source: https://docs.kraken.com/api-reference/funding/get-deposit-methods */
function depositMethods({ exchange, params }: Call): unknown {
  const asset = depositable(params);
  const methods = offered(exchange, asset);
  if (methods.length === 0) throw new KrakenError('EFunding:No funding method');
  return methods.map(({ method: { name }, terms: { limit, fee, setupFee, generates, minimum } }) => ({
    method: name,
    limit: limit === null ? false : withAllDigits(limit, asset),
    fee: withAllDigits(fee, asset),
    ...(setupFee === null ? {} : { 'address-setup-fee': setupFee }),
    'gen-address': generates,
    minimum: withAllDigits(minimum, asset),
  }));
}

/**
 * Source: https://docs.kraken.com/api-reference/funding/get-deposit-addresses. With `new` the call returns an unused
 * address, else the existing ones.
 * Not documented: the number of addresses (here the number of samples), that an expired address stays in the list, and
 * the response to `new` where no address can be generated.
 */
function depositAddresses(call: Call): unknown {
  const { exchange, account, params, now } = call;
  const asset = depositable(params);
  const name = required(params, 'method');
  const { method, terms } = offered(exchange, asset).find((one) => one.method.name === name) ?? {};
  if (method === undefined || terms === undefined) throw new KrakenError('EFunding:No funding method');
  checkAmount(params, terms);
  const isNew = params.new === 'true' || params.new === '1';
  if (isNew && !terms.generates) throw new KrakenError('EGeneral:Invalid arguments');
  const existing = addressesOf(exchange, account, method);
  const isFirst = !terms.generates && existing.length === 0;
  const { usedAddresses } = exchange.book(account);
  if (!isNew && !isFirst) return existing.map((one) => addressRecord(one, usedAddresses));
  const address = nextDepositAddress(account.id, { asset, method, existing, expiresAt: expiryOf(terms, now) });
  exchange.commit({ depositAddress: address });
  return [addressRecord(address, usedAddresses)];
}

function checkAmount(params: Record<string, string>, { needsAmount, limit }: DepositTerms): void {
  if (!needsAmount) return;
  const amount = required(params, 'amount');
  if (!INPUT_AMOUNT_PATTERN.test(amount)) throw new KrakenError('EGeneral:Invalid arguments');
  if (limit !== null && Amount.of(amount).greaterThan(Amount.of(limit)))
    throw new KrakenError('EFunding:Invalid amount');
}

const expiryOf = ({ lastsMs }: DepositTerms, now: Date): number | null =>
  lastsMs === null ? null : now.getTime() + lastsMs;

/** The deposit addresses of an account for one method, oldest first. */
export function addressesOf(
  exchange: Exchange,
  account: Account,
  { assetCode, name }: DepositMethod,
): DepositAddress[] {
  return exchange
    .book(account)
    .depositAddresses.filter((one) => assetById(one.asset).code === assetCode && one.method === name);
}

interface NewAddress {
  asset: SandboxAsset;
  method: DepositMethod;
  existing: DepositAddress[];
  expiresAt?: number | null;
}

/** @throws KrakenError when all sample addresses are in use */
export function nextDepositAddress(
  accountId: string,
  { asset, method, existing, expiresAt = null }: NewAddress,
): DepositAddress {
  // With a tag or memo, one address serves all accounts; only the memo is new.
  const sample = method.sampleAddresses[method.memo === null ? existing.length : 0];
  if (sample === undefined || existing.length >= Math.max(method.sampleAddresses.length, 2)) {
    throw new KrakenError('EFunding:Too many addresses');
  }
  return {
    accountId,
    asset: asset.id,
    method: method.name,
    address: sample,
    memo: method.memo === null ? null : String(randomInt(100_000_000, 4_000_000_000)),
    memoKind: method.memo,
    expiresAt,
  };
}

/**
 * The one permanent deposit address of an account on a network, for protocols in which clients cannot create further
 * ones. It is stored when it is first shown, or when a deposit first arrives on it.
 */
export function fixedAddress(
  { exchange, account }: Pick<Call, 'exchange' | 'account'>,
  { asset, method }: { asset: SandboxAsset; method: FundingMethod },
): DepositAddress {
  const depositMethod = findDepositMethod(asset, method.depositMethod);
  if (depositMethod === null) throw new Error(`the asset has no deposit method on ${method.network}`);
  const [existing] = addressesOf(exchange, account, depositMethod);
  if (existing !== undefined) return existing;
  const depositAddress = nextDepositAddress(account.id, { asset, method: depositMethod, existing: [] });
  exchange.commit({ depositAddress });
  return depositAddress;
}

/** Source: https://docs.kraken.com/api-reference/funding/get-status-of-recent-deposits */
function depositStatus({ exchange, account, params }: Call): unknown {
  return historyPage(exchange.book(account).deposits, { params, name: 'deposits', toRecord: depositRecord });
}

function depositRecord(deposit: Deposit): unknown {
  const asset = assetById(deposit.asset);
  return {
    method: deposit.method,
    aclass: 'currency',
    asset: deposit.asset,
    refid: deposit.refid,
    txid: deposit.txid,
    info: deposit.address,
    amount: withAllDigits(deposit.amount, asset),
    fee: withAllDigits('0', asset),
    time: Math.floor(deposit.receivedAt / 1000),
    status: deposit.status,
    network: deposit.network,
  };
}

/** `new` means that the address has received nothing. */
function addressRecord({ address, memo, memoKind, expiresAt }: DepositAddress, used: ReadonlySet<string>): unknown {
  return {
    address,
    expiretm: String(Math.floor((expiresAt ?? 0) / 1000)),
    ...(used.has(address) ? {} : { new: true }),
    ...(memoKind === null || memo === null ? {} : { [memoKind]: memo }),
  };
}

function depositable(params: Record<string, string>): SandboxAsset {
  const asset = findAsset(required(params, 'asset'));
  if (asset === null) throw new KrakenError('EFunding:Unknown asset');
  if (!allowsDeposits(asset)) throw new KrakenError('EFunding:No funding method');
  return asset;
}

export const depositEndpoints: PrivateEndpoints = {
  DepositMethods: { handler: depositMethods, permissions: ['query-funds', 'add-funds'] },
  DepositAddresses: { handler: depositAddresses, permissions: ['query-funds'] },
  DepositStatus: { handler: depositStatus, permissions: ['query-funds'] },
};
