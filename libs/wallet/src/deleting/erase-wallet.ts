import type { EntityManager } from 'typeorm';
import type { Database } from '#platform/database';
import type { Events } from '#platform/events';

interface ErasedWallet {
  projectId: string;
  externalWalletId: string;
  exchange: string;
}

/**
 * Deletes a wallet whose row `tx` has locked: hides it, and erases its balances and credentials at once; credentials
 * that something holds are kept until it lets go, and at most until `keepUntil`.
 * @returns whether the credentials that it had last are kept.
 */
export async function eraseWallet(
  { db, events }: { db: Database; events: Events },
  tx: EntityManager,
  walletId: string,
  { now, keepUntil, reason }: { now: Date; keepUntil: Date; reason: 'requested' | 'credentials_invalid' },
): Promise<{ isKept: boolean }> {
  const [erased] = await db.query<ErasedWallet>(
    `update wallets set deleted_at = $2, updated_at = $2 where id = $1
     returning project_id as "projectId", external_id as "externalWalletId", exchange`,
    [walletId, now],
    tx,
  );
  if (erased === undefined) throw new Error('the wallet that was to be erased is not there');
  await db.query(`delete from wallet_balances where wallet_id = $1`, [walletId], tx);
  // A hold of credentials that were replaced before keeps those, and not these.
  const kept = await db.query(
    `update wallet_credentials c set erase_after = $2 where wallet_id = $1 and exists (
       select from credential_holds h where h.wallet_id = $1 and h.version = c.sealed->>'id') returning wallet_id`,
    [walletId, keepUntil],
    tx,
  );
  const isKept = kept.length > 0;
  if (!isKept) await db.query(`delete from wallet_credentials where wallet_id = $1`, [walletId], tx);
  const { projectId, externalWalletId, exchange } = erased;
  const data = { walletId: externalWalletId, exchange, reason };
  await events.record(tx, [{ projectId, type: 'wallet.deleted', subject: externalWalletId, data }]);
  return { isKept };
}

/** Whether something still needs credentials of the wallet, those it has or replaced ones. `tx` has locked its row. */
export async function isHeld(db: Database, tx: EntityManager, walletId: string): Promise<boolean> {
  const holds = await db.query(`select holder from credential_holds where wallet_id = $1 limit 1`, [walletId], tx);
  return holds.length > 0;
}
