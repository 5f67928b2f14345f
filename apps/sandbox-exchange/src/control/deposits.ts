import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { Amount } from '#money';
import { findMethod, methodsOf } from '../catalogue.js';
import type { Exchange } from '../exchange.js';
import { nextDepositAddress } from '../kraken/deposits.js';
import type { Account, Deposit } from '../ledger/records.js';
import { newTxid } from '../ledger/settlement.js';
import type { SandboxServer } from '../server.js';
import { amount, bookOf, fitting, knownAsset, name } from './accounts.js';
import { ControlError } from './control-error.js';

const fundInput = z.strictObject({
  asset: name,
  amount,
  method: name.optional(),
  /** `Settled`: it is seen, but in the balance only once it is moved to `Success`. */
  status: z.enum(['Success', 'Settled']).default('Success'),
  /** When it came, epoch milliseconds; by default now. */
  at: z.int().min(0).optional(),
});
const moveInput = z.strictObject({ status: z.enum(['Success', 'Failure']) });

type Id = { Params: { id: string } };

/** What arrives. */
export function depositRoutes(app: FastifyInstance, { exchange, now }: SandboxServer): void {
  app.post<Id>('/control/accounts/:id/fund', ({ params, body }) =>
    fund(exchange, bookOf(exchange, params.id).account, { ...fundInput.parse(body), now: now() }),
  );
  app.post<{ Params: { refid: string } }>('/control/deposits/:refid', ({ params, body }) => {
    const deposit = exchange.findDeposit(params.refid);
    if (deposit === null) throw new ControlError(404, `no deposit ${params.refid}`);
    if (deposit.status !== 'Settled') throw new ControlError(409, `the deposit is at its end: ${deposit.status}`);
    const moved = { ...deposit, status: moveInput.parse(body).status };
    book(exchange, { deposit: moved }, { deposit: moved, now: now() });
    return moved;
  });
}

/** Lets a deposit arrive: on the last deposit address of the method, or on a new one. */
function fund(exchange: Exchange, account: Account, input: z.infer<typeof fundInput> & { now: Date }): Deposit {
  const asset = knownAsset(input.asset);
  const method = input.method === undefined ? methodsOf(asset)[0] : findMethod(asset, input.method);
  if (method === null || method === undefined) throw new ControlError(422, `${asset.code} has no such method`);
  const existing = exchange
    .book(account)
    .depositAddresses.filter((one) => one.asset === asset.id && one.method === method.depositMethod);
  const known = existing.at(-1);
  const target = known ?? nextDepositAddress(account.id, { asset, method, existing });
  const arrived = fitting(input.amount, asset);
  const refid = exchange.newId('Q');
  const deposit: Deposit = {
    ...{ refid, accountId: account.id, asset: asset.id, method: method.depositMethod, network: method.network },
    ...{ address: target.address, memo: target.memo, amount: arrived.toString(), txid: newTxid() },
    ...{ status: input.status, receivedAt: input.at ?? input.now.getTime() },
  };
  book(exchange, { deposit, ...(known === undefined ? { depositAddress: target } : {}) }, { deposit, now: input.now });
  return deposit;
}

/** Only what has succeeded is in the balance. */
function book(
  exchange: Exchange,
  change: Parameters<Exchange['commit']>[0],
  { deposit: { accountId, asset, refid, status, amount: arrived }, now }: { deposit: Deposit; now: Date },
): void {
  if (status !== 'Success') return exchange.commit(change);
  const posting = { asset, type: 'deposit', refid, amount: Amount.of(arrived), fee: Amount.zero } as const;
  exchange.commit(change, { account: exchange.bookOf(accountId).account, now, postings: [posting] });
}
