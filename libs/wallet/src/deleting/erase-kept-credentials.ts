import { Injectable } from '@nestjs/common';
import { Clock } from '#platform/clock';
import { Database } from '#platform/database';
import { RevokeGrant } from '../grants/revoke-grant.js';

/** Maximum number of credentials that one transaction erases, and of grants that are revoked at the same time. */
const BATCH = 100;

/**
 * Erases replaced credentials and the credentials of deleted wallets when the time for which they are kept is over. A
 * hold does not prevent the erasure.
 */
@Injectable()
export class EraseKeptCredentials {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly revokeGrant: RevokeGrant,
  ) {}

  /** @returns how many credentials were erased. Repeated and simultaneous runs do no harm. */
  async execute(): Promise<number> {
    let erased = 0;
    for (let last = BATCH; last === BATCH; erased += last) last = await this.eraseOfDeletedWallets();
    // This statement is outside of the transactions above, so that it waits for no row while it holds other locks.
    const replaced = await this.db.deleteInBatches(
      `delete from replaced_credentials where (wallet_id, version) in
         (select wallet_id, version from replaced_credentials where erase_after <= $1 limit $2 for update skip locked)
       returning wallet_id`,
      [this.clock.now()],
      BATCH,
    );
    return erased + replaced;
  }

  /** Erases the credentials of at most BATCH deleted wallets, and then revokes their grants at the exchanges. */
  private async eraseOfDeletedWallets(): Promise<number> {
    const { count, grants } = await this.db.transaction(async (tx) => {
      const due = await this.db.query<{ id: string }>(
        `select wallet_id as id from wallet_credentials where erase_after <= $1 limit $2 for update skip locked`,
        [this.clock.now(), BATCH],
        tx,
      );
      const ids = due.map(({ id }) => id);
      const live = await this.revokeGrant.find(tx, ids);
      await this.db.query(`delete from wallet_credentials where wallet_id = any($1)`, [ids], tx);
      return { count: ids.length, grants: live };
    });
    await Promise.all(grants.map((grant) => this.revokeGrant.execute(grant)));
    return count;
  }
}
