import { randomInt } from 'node:crypto';
import { assetById, canArrive, findAsset, findMethod, methodsOf, withAllDigits } from '../catalogue.js';
import type { FundingMethod, SandboxAsset } from '../catalogue.js';
import type { Deposit, DepositAddress } from '../ledger/records.js';
import { KrakenError, required, type Call, type PrivateEndpoints } from './handler.js';
import { historyPage } from './history.js';

/** https://docs.kraken.com/api-reference/funding/get-deposit-methods */
function depositMethods({ params }: Call): unknown {
  const methods = methodsOf(depositable(params));
  if (methods.length === 0) throw new KrakenError('EFunding:No funding method');
  return methods.map((method) => ({
    method: method.depositMethod,
    limit: false,
    fee: '0.0000000000',
    'gen-address': true,
    minimum: method.minimum,
  }));
}

/**
 * https://docs.kraken.com/api-reference/funding/get-deposit-addresses: with `new` one that was not given out before,
 * else those that were. How many there can be is not documented: here, as many as there are samples.
 */
function depositAddresses({ exchange, account, params }: Call): unknown {
  const asset = depositable(params);
  const method = findMethod(asset, required(params, 'method'));
  if (method === null) throw new KrakenError('EFunding:No funding method');
  const book = exchange.book(account);
  const existing = book.depositAddresses.filter((one) => one.asset === asset.id && one.method === method.depositMethod);
  if (params.new !== 'true' && params.new !== '1') return existing.map((one) => addressRecord(one, book.usedAddresses));
  const address = nextDepositAddress(account.id, { asset, method, existing });
  exchange.commit({ depositAddress: address });
  return [addressRecord(address, book.usedAddresses)];
}

/** @throws KrakenError when all were given out */
export function nextDepositAddress(
  accountId: string,
  { asset, method, existing }: { asset: SandboxAsset; method: FundingMethod; existing: DepositAddress[] },
): DepositAddress {
  // With a tag or memo one address serves many: the memo is what is new.
  const sample = method.sampleAddresses[method.memo === null ? existing.length : 0];
  if (sample === undefined || existing.length >= Math.max(method.sampleAddresses.length, 2)) {
    throw new KrakenError('EFunding:Too many addresses');
  }
  return {
    accountId,
    asset: asset.id,
    method: method.depositMethod,
    address: sample,
    memo: method.memo === null ? null : String(randomInt(100_000_000, 4_000_000_000)),
    memoKind: method.memo,
  };
}

/** https://docs.kraken.com/api-reference/funding/get-status-of-recent-deposits */
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

function addressRecord({ address, memo, memoKind }: DepositAddress, used: ReadonlySet<string>): unknown {
  return {
    address,
    expiretm: '0',
    ...(used.has(address) ? {} : { new: true }),
    ...(memoKind === null ? {} : { [memoKind]: memo }),
  };
}

function depositable(params: Record<string, string>): SandboxAsset {
  const asset = findAsset(required(params, 'asset'));
  if (asset === null) throw new KrakenError('EFunding:Unknown asset');
  if (!canArrive(asset)) throw new KrakenError('EFunding:No funding method');
  return asset;
}

export const depositEndpoints: PrivateEndpoints = {
  DepositMethods: { handler: depositMethods, permissions: ['query-funds', 'add-funds'] },
  DepositAddresses: { handler: depositAddresses, permissions: ['query-funds'] },
  DepositStatus: { handler: depositStatus, permissions: ['query-funds'] },
};
