import type { EntityManager } from 'typeorm';
import type { Database } from '#platform/database';

/**
 * Deletes a wallet whose row `tx` has locked: hides it, and erases its balances and credentials at once; credentials
 * that something holds are kept until it lets go, and at most until `keepUntil`.
 * @returns whether the credentials are kept.
 */
export async function eraseWallet(
  db: Database,
  tx: EntityManager,
  walletUuid: string,
  { now, keepUntil }: { now: Date; keepUntil: Date },
): Promise<{ isKept: boolean }> {
  await db.query(`update wallets set deleted_at = $2, updated_at = $2 where id = $1`, [walletUuid, now], tx);
  await db.query(`delete from wallet_balances where wallet_id = $1`, [walletUuid], tx);
  const isKept = await isHeld(db, tx, walletUuid);
  if (isKept) {
    await db.query(`update wallet_credentials set erase_after = $2 where wallet_id = $1`, [walletUuid, keepUntil], tx);
  } else {
    await db.query(`delete from wallet_credentials where wallet_id = $1`, [walletUuid], tx);
  }
  return { isKept };
}

/** Whether something still needs the credentials of the wallet, whose row `tx` has locked. */
export async function isHeld(db: Database, tx: EntityManager, walletUuid: string): Promise<boolean> {
  const holds = await db.query(`select holder from credential_holds where wallet_id = $1 limit 1`, [walletUuid], tx);
  return holds.length > 0;
}
