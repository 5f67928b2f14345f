import type { EntityManager } from 'typeorm';
import type { Database } from '#platform/database';
import type { Events } from '#platform/events';

interface ErasedWallet {
  projectId: string;
  externalWalletId: string;
  exchange: string;
}

/**
 * Deletes a wallet whose row `tx` has locked. Hides the wallet, and erases its balances and its credentials. Held
 * credentials are kept until the last hold ends, and at most until `keepUntil`.
 * @returns whether the current credentials are kept.
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
  if (erased === undefined) throw new Error('the wallet to erase does not exist');
  await db.query(`delete from wallet_balances where wallet_id = $1`, [walletId], tx);
  // Only a hold of the current version keeps the current credentials. A hold of a replaced version does not.
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

/**
 * Whether an unsettled withdrawal or order holds credentials of the wallet, current or replaced. `tx` has locked the
 * wallet.
 */
export async function isHeld(db: Database, tx: EntityManager, walletId: string): Promise<boolean> {
  const holds = await db.query(`select holder from credential_holds where wallet_id = $1 limit 1`, [walletId], tx);
  return holds.length > 0;
}
