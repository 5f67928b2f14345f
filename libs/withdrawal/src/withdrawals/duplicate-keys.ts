import { receiverOf } from '#exchange';
import type { Amount } from '#money';
import type { EntityManager } from 'typeorm';
import type { Database, NamedStatement } from '#platform/database';
import { UnresolvedDuplicate } from './execution.errors.js';

export interface DuplicateKeys {
  /** Contains the debited amount: attempts with the same key look the same in the exchange's history. */
  debitKey: string;
  /** Contains the amount that arrives: attempts with the same key pay the receiver the same amount. */
  receiptKey: string;
}

interface Payment {
  projectId: string;
  /** The caller's id of the wallet, which stays the same when the wallet is deleted and connected again. */
  externalWalletId: string;
  asset: string;
  network: string;
  address: string;
  tag: string | null;
  amountNoFee: Amount;
  amountWithFee: Amount;
}

/** Computes the keys that no two unresolved attempts may share; see docs/decisions/0005-duplicate-keys.md. */
export function duplicateKeysOf(payment: Payment): DuplicateKeys {
  const { projectId, externalWalletId, asset, network, amountNoFee, amountWithFee } = payment;
  const { account, tag } = receiverOf(payment.address, payment.tag);
  const keyOf = (amount: Amount): string =>
    JSON.stringify([projectId, externalWalletId, asset, network, account, tag, amount.toString()]);
  return { debitKey: keyOf(amountWithFee), receiptKey: keyOf(amountNoFee) };
}

/** Returns the transaction of an unresolved attempt that has one of the keys, or null when there is none. */
export async function findDuplicate(db: Database, { debitKey, receiptKey }: DuplicateKeys): Promise<string | null> {
  const [duplicate] = await db.query<{ transaction_id: string }>(
    `select w.transaction_id from withdrawal_attempts a join withdrawals w on w.id = a.withdrawal_id
     where a.outcome in ('in_flight', 'unknown', 'disputed') and (a.debit_key = $1 or a.receipt_key = $2)
     limit 1`,
    [debitKey, receiptKey],
  );
  return duplicate?.transaction_id ?? null;
}

const DISPUTED: NamedStatement = {
  name: 'disputed duplicate',
  text: `select w.transaction_id from withdrawal_attempts a join withdrawals w on w.id = a.withdrawal_id
         where a.outcome = 'disputed' and (a.debit_key = $1 or a.receipt_key = $2) limit 1`,
};

/**
 * Stops equal withdrawals while an operator has to decide about a refused one that the exchange shows. No unique key
 * can do that: an equal attempt may already have been made when the record appears.
 * @throws UnresolvedDuplicate
 */
export async function refuseDisputed(
  db: Database,
  tx: EntityManager,
  { debitKey, receiptKey }: DuplicateKeys,
): Promise<void> {
  const [disputed] = await db.read<{ transaction_id: string }>(DISPUTED, [debitKey, receiptKey], tx);
  if (disputed !== undefined) throw new UnresolvedDuplicate(disputed.transaction_id, undefined);
}
