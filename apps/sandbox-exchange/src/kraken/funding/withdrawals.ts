import { createHash } from 'node:crypto';
import { Amount, InvalidAmount } from '#money';
import { assetById, allowsWithdrawals, findAsset, findMethod, methods, withAllDigits } from '../../catalogue.js';
import type { FundingMethod, SandboxAsset } from '../../catalogue.js';
import type { SavedAddress, Withdrawal } from '../../ledger/records.js';
import { isFinal, moveWithdrawal } from '../../ledger/settlement.js';
import { KrakenError, required, type Call, type KeylessCall, type PrivateEndpoints } from '../handler.js';
import { historyPage } from './history.js';

/** Source: https://docs.kraken.com/api-reference/funding/get-withdrawal-methods */
function withdrawMethods({ params }: Call): unknown {
  const asset = params.asset === undefined ? null : knownAsset(params.asset);
  return methods
    .filter((method) => asset === null || method.assetCode === asset.code)
    .filter((method) => params.network === undefined || method.network === params.network)
    .filter((method) => allowsWithdrawals(knownAsset(method.assetCode)))
    .map(methodRecord);
}

function methodRecord(method: FundingMethod): unknown {
  const asset = knownAsset(method.assetCode);
  return {
    asset: asset.id,
    method_id: stableId(`method ${asset.id} ${method.method}`),
    method: method.method,
    network_id: stableId(`network ${method.network}`),
    network: method.network,
    minimum: withAllDigits(method.minimum, asset),
    limits: [],
    fee: { aclass: 'currency', asset: asset.id, fee: withAllDigits(method.fee, asset) },
  };
}

/** Source: https://docs.kraken.com/api-reference/funding/get-withdrawal-addresses */
function withdrawAddresses({ exchange, account, params }: Call): unknown {
  const asset = params.asset === undefined ? null : knownAsset(params.asset);
  return [...exchange.book(account).savedAddresses.values()]
    .filter((saved) => asset === null || saved.asset === asset.id)
    .filter((saved) => params.method === undefined || saved.method === params.method)
    .filter((saved) => params.key === undefined || saved.key === params.key)
    .filter((saved) => params.verified === undefined || String(saved.verified) === params.verified)
    .map(savedRecord);
}

function savedRecord({ address, asset, method, key, memo, verified }: SavedAddress): unknown {
  const { altname } = assetById(asset);
  const kind = findMethod(assetById(asset), method)?.memo ?? 'memo';
  return { address, asset: altname, method, key, verified, ...(memo === null ? {} : { [kind]: memo }) };
}

/**
 * Source: https://docs.kraken.com/api-reference/funding/get-withdrawal-information. `limit` is the largest amount that
 * can be sent now, after fees. It is not documented whether a larger amount is an error; here it is no error, because
 * `limit` shows the bound.
 */
function withdrawInfo(call: Call): unknown {
  const { asset, method, net, fee } = requested(call);
  const free = call.exchange.book(call.account).free(asset.id).minus(fee);
  const most = Amount.of(method.maximum);
  const limit = free.isNegative() ? Amount.zero : free.lessThan(most) ? free : most;
  return {
    method: method.method,
    limit: withAllDigits(limit, asset),
    amount: withAllDigits(net, asset),
    fee: withAllDigits(fee, asset),
  };
}

/**
 * Source: https://docs.kraken.com/api-reference/funding/withdraw-funds. The fee is deducted from `amount`.
 * @param clientId the caller's own id, in protocols that have one
 */
export function withdraw(call: KeylessCall, clientId?: string): { refid: string } {
  const { params, exchange, account, now } = call;
  const { asset, saved, method, net, fee } = requested(call);
  if (!saved.verified) throw new KrakenError('EFunding:Unknown withdraw key');
  if (params.address !== undefined && params.address !== saved.address) {
    throw new KrakenError('EFunding:Invalid address');
  }
  if (params.max_fee !== undefined && fee.greaterThan(amountOf(params.max_fee))) {
    throw new KrakenError('EFunding:Max fee exceeded');
  }
  const refid = exchange.newId('A');
  const withdrawal: Withdrawal = {
    refid,
    accountId: account.id,
    asset: asset.id,
    method: method.method,
    network: method.network,
    key: saved.key,
    address: saved.address,
    memo: saved.memo,
    amount: net.toString(),
    fee: fee.toString(),
    status: 'Initial',
    canceled: false,
    txid: null,
    requestedAt: now.getTime(),
    ...(clientId !== undefined && { clientId }),
  };
  // When `commit` throws `Overdrawn`, the response is "Insufficient funds".
  const amount = Amount.zero.minus(net);
  exchange.commit(
    { withdrawal },
    { account, now, postings: [{ asset: asset.id, type: 'withdrawal', refid, amount, fee }] },
  );
  return { refid };
}

/** Source: https://docs.kraken.com/api-reference/funding/get-status-of-recent-withdrawals */
function withdrawStatus({ exchange, account, params }: Call): unknown {
  return historyPage(exchange.book(account).withdrawals, { params, name: 'withdrawals', toRecord: withdrawalRecord });
}

function withdrawalRecord(withdrawal: Withdrawal): unknown {
  const asset = assetById(withdrawal.asset);
  return {
    method: withdrawal.method,
    aclass: 'currency',
    asset: withdrawal.asset,
    refid: withdrawal.refid,
    txid: withdrawal.txid,
    info: withdrawal.address,
    amount: withAllDigits(withdrawal.amount, asset),
    fee: withAllDigits(withdrawal.fee, asset),
    time: Math.floor(withdrawal.requestedAt / 1000),
    status: withdrawal.status,
    ...(withdrawal.canceled ? { 'status-prop': 'canceled' } : {}),
    key: withdrawal.key,
    network: withdrawal.network,
  };
}

/**
 * Source: https://docs.kraken.com/api-reference/funding/request-withdrawal-cancellation. The result is `false` when
 * the withdrawal is final or has a transaction hash. The error for an unknown reference is not documented.
 */
function withdrawCancel({ exchange, account, params, now }: Call): unknown {
  const asset = knownAsset(required(params, 'asset'));
  const withdrawal = exchange.book(account).withdrawals.get(required(params, 'refid'));
  if (withdrawal?.asset !== asset.id) throw new KrakenError('EFunding:Unknown reference id');
  if (isFinal(withdrawal) || withdrawal.txid !== null) return false;
  moveWithdrawal(exchange, withdrawal, { status: 'Failure', canceled: true }, now);
  return true;
}

interface Requested {
  asset: SandboxAsset;
  saved: SavedAddress;
  method: FundingMethod;
  net: Amount;
  fee: Amount;
}

/**
 * Reads the request of WithdrawInfo and Withdraw. `minimum` and `maximum` of a method are net amounts, as documented.
 */
function requested({ params, exchange, account }: KeylessCall): Requested {
  const asset = knownAsset(required(params, 'asset'));
  const key = required(params, 'key');
  const gross = amountOf(required(params, 'amount'));
  const saved = exchange.book(account).savedAddresses.get(key);
  if (saved?.asset !== asset.id) throw new KrakenError('EFunding:Unknown withdraw key');
  const method = findMethod(asset, saved.method);
  if (method === null || !allowsWithdrawals(asset)) throw new KrakenError('EFunding:No funding method');
  const fee = Amount.of(method.fee);
  const net = gross.minus(fee);
  const tooSmall = net.lessThan(Amount.of(method.minimum)) || !net.isPositive();
  if (tooSmall || net.greaterThan(Amount.of(method.maximum)) || gross.decimalPlaces() > asset.decimals) {
    throw new KrakenError('EFunding:Invalid amount');
  }
  return { asset, saved, method, net, fee };
}

function amountOf(text: string): Amount {
  try {
    const amount = Amount.of(text);
    if (amount.isNegative()) throw new KrakenError('EGeneral:Invalid arguments');
    return amount;
  } catch (error) {
    if (error instanceof InvalidAmount) throw new KrakenError('EGeneral:Invalid arguments');
    throw error;
  }
}

function knownAsset(name: string): SandboxAsset {
  const asset = findAsset(name);
  if (asset === null) throw new KrakenError('EFunding:Unknown asset');
  return asset;
}

/** A UUID that is derived from a name. */
function stableId(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

const BOTH = ['query-funds', 'withdraw-funds'] as const;

export const withdrawalEndpoints: PrivateEndpoints = {
  WithdrawMethods: { handler: withdrawMethods, permissions: BOTH },
  WithdrawAddresses: { handler: withdrawAddresses, permissions: BOTH },
  WithdrawInfo: { handler: withdrawInfo, permissions: BOTH },
  Withdraw: { handler: withdraw, permissions: ['withdraw-funds'] },
  // Kraken also accepts the permission query-ledger instead of withdraw-funds; the sandbox does not.
  WithdrawStatus: { handler: withdrawStatus, permissions: ['withdraw-funds'] },
  WithdrawCancel: { handler: withdrawCancel, permissions: ['withdraw-funds'] },
};
