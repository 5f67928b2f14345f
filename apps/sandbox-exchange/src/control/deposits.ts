import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { Amount, INPUT_AMOUNT_PATTERN } from '#money';
import { amountText } from '../amount-text.js';
import { depositMethodsOf, findDepositMethod, type DepositMethod } from '../catalogue.js';
import type { Exchange } from '../exchange.js';
import { addressesOf, nextDepositAddress, termsOf } from '../kraken/funding/deposits.js';
import type { Account, Deposit } from '../ledger/records.js';
import { newTxid } from '../ledger/settlement.js';
import type { SandboxServer } from '../server.js';
import { bookOf, fitting, knownAsset, name } from './accounts.js';
import { ControlError } from './control-error.js';

/** Maximum number of deposit addresses of an account. */
const ADDRESSES_MAX = 1000;

const number = z.string().regex(INPUT_AMOUNT_PATTERN);
const fundInput = z.strictObject({
  asset: name,
  amount: amountText,
  method: name.optional(),
  /** A `Settled` deposit is listed, but not in the balance until `/control/deposits/:refid` sets it to `Success`. */
  status: z.enum(['Success', 'Settled']).default('Success'),
  /** Time of arrival in epoch milliseconds; the default is now. */
  at: z.int().min(0).optional(),
});
const termsInput = z.strictObject({
  asset: name,
  method: name,
  limit: number.nullable().optional(),
  fee: number.optional(),
  minimum: number.optional(),
  setupFee: number.nullable().optional(),
  generates: z.boolean().optional(),
  lastsMs: z.int().min(1).nullable().optional(),
  needsAmount: z.boolean().optional(),
  listed: z.boolean().optional(),
});
const addressInput = z.strictObject({
  asset: name,
  method: name,
  address: name,
  memo: name.nullable().default(null),
  /** Epoch milliseconds; null for an address that does not expire. */
  expiresAt: z.int().min(0).nullable().default(null),
});
const moveInput = z.strictObject({ status: z.enum(['Success', 'Failure']) });

type Id = { Params: { id: string } };

/** Routes for deposits, deposit methods and deposit addresses. */
export function depositRoutes(app: FastifyInstance, { exchange, now }: SandboxServer): void {
  app.post<Id>('/control/accounts/:id/fund', ({ params, body }) =>
    fund(exchange, bookOf(exchange, params.id).account, { ...fundInput.parse(body), now: now() }),
  );
  app.post('/control/deposit-methods', ({ body }) => changeTerms(exchange, termsInput.parse(body)));
  app.post<Id>('/control/accounts/:id/deposit-addresses', ({ params, body }) =>
    giveAddress(exchange, bookOf(exchange, params.id).account, addressInput.parse(body)),
  );
  app.post<{ Params: { refid: string } }>('/control/deposits/:refid', ({ params, body }) => {
    const deposit = exchange.findDeposit(params.refid);
    if (deposit === null) throw new ControlError(404, `there is no deposit ${params.refid}`);
    if (deposit.status !== 'Settled')
      throw new ControlError(409, `the deposit already has the final status ${deposit.status}`);
    const moved = { ...deposit, status: moveInput.parse(body).status };
    book(exchange, { deposit: moved }, { deposit: moved, now: now() });
    return moved;
  });
}

/** Changes a deposit method of Kraken's protocol. Omitted fields stay unchanged. */
function changeTerms(
  exchange: Exchange,
  { asset: code, method: given, ...change }: z.infer<typeof termsInput>,
): unknown {
  const method = methodOf(code, given);
  const { assetCode: asset, name: methodName } = method;
  const known = exchange.depositTerms.get(`${asset} ${methodName}`);
  exchange.commit({ depositTerms: { asset, method: methodName, terms: { ...known, ...change } } });
  return termsOf(exchange, method);
}

/** Adds a deposit address to an account without checking its format. */
function giveAddress(exchange: Exchange, account: Account, input: z.infer<typeof addressInput>): unknown {
  const asset = knownAsset(input.asset);
  const { name: methodName, memo: memoKind } = methodOf(input.asset, input.method);
  const { address, memo, expiresAt } = input;
  const depositAddress = {
    accountId: account.id,
    asset: asset.id,
    method: methodName,
    address,
    memo,
    expiresAt,
    memoKind: memo === null ? null : (memoKind ?? 'tag'),
  };
  if (exchange.book(account).depositAddresses.length >= ADDRESSES_MAX) {
    throw new ControlError(409, `an account has at most ${ADDRESSES_MAX} deposit addresses`);
  }
  exchange.commit({ depositAddress });
  return depositAddress;
}

function methodOf(code: string, given: string): DepositMethod {
  const asset = knownAsset(code);
  const method = findDepositMethod(asset, given);
  if (method === null) throw new ControlError(422, `${asset.code} has no deposit method with this name`);
  return method;
}

/** Books a deposit to the account's last deposit address of the method, or to a new one. */
function fund(exchange: Exchange, account: Account, input: z.infer<typeof fundInput> & { now: Date }): Deposit {
  const asset = knownAsset(input.asset);
  const method = input.method === undefined ? depositMethodsOf(asset)[0] : methodOf(input.asset, input.method);
  if (method === undefined) throw new ControlError(422, `${asset.code} has no deposit method`);
  const existing = addressesOf(exchange, account, method);
  const known = existing.at(-1);
  const target = known ?? nextDepositAddress(account.id, { asset, method, existing });
  const arrived = fitting(input.amount, asset);
  const refid = exchange.newId('Q');
  const deposit: Deposit = {
    refid,
    accountId: account.id,
    asset: asset.id,
    method: method.name,
    network: method.network,
    address: target.address,
    memo: target.memo,
    amount: arrived.toString(),
    txid: newTxid(),
    status: input.status,
    receivedAt: input.at ?? input.now.getTime(),
  };
  book(exchange, { deposit, ...(known === undefined ? { depositAddress: target } : {}) }, { deposit, now: input.now });
  return deposit;
}

/** Only a successful deposit changes the balance. */
function book(
  exchange: Exchange,
  change: Parameters<Exchange['commit']>[0],
  { deposit: { accountId, asset, refid, status, amount: arrived }, now }: { deposit: Deposit; now: Date },
): void {
  if (status !== 'Success') return exchange.commit(change);
  const posting = { asset, type: 'deposit', refid, amount: Amount.of(arrived), fee: Amount.zero } as const;
  exchange.commit(change, { account: exchange.bookOf(accountId).account, now, postings: [posting] });
}
