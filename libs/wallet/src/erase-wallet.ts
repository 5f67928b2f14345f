import type { EntityManager } from 'typeorm';
import type { Database } from '#platform/database';

/** How long the credentials of a deleted wallet are kept for what still holds them, at most. */
const KEPT_CREDENTIALS_MS = 24 * 60 * 60 * 1_000;

/**
 * Deletes a wallet whose row `tx` has locked: hides it, and erases its balances and credentials at once; credentials
 * that something holds are kept until it lets go, and at most for a day.
 */
export async function eraseWallet(db: Database, tx: EntityManager, walletUuid: string, now: Date): Promise<void> {
  await db.query(`update wallets set deleted_at = $2, updated_at = $2 where id = $1`, [walletUuid, now], tx);
  await db.query(`delete from wallet_balances where wallet_id = $1`, [walletUuid], tx);
  if (await isHeld(db, tx, walletUuid)) {
    const eraseAfter = new Date(now.getTime() + KEPT_CREDENTIALS_MS);
    await db.query(`update wallet_credentials set erase_after = $2 where wallet_id = $1`, [walletUuid, eraseAfter], tx);
  } else {
    await db.query(`delete from wallet_credentials where wallet_id = $1`, [walletUuid], tx);
  }
}

/** Whether something still needs the credentials of the wallet, whose row `tx` has locked. */
export async function isHeld(db: Database, tx: EntityManager, walletUuid: string): Promise<boolean> {
  const holds = await db.query(`select holder from credential_holds where wallet_id = $1 limit 1`, [walletUuid], tx);
  return holds.length > 0;
}
