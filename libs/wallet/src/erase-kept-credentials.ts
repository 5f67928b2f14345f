import { Injectable } from '@nestjs/common';
import { Clock } from '#platform/clock';
import { Database } from '#platform/database';
import { RevokeGrant } from './grants/revoke-grant.js';

/** Ends the time for which credentials of deleted wallets are kept, whoever still holds them. Run it now and then. */
@Injectable()
export class EraseKeptCredentials {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly revokeGrant: RevokeGrant,
  ) {}

  /** @returns how many wallets lost their kept credentials. Safe to run twice and at once. */
  async execute(): Promise<number> {
    const { count, grants } = await this.db.transaction(async (tx) => {
      const due = await this.db.query<{ id: string }>(
        `select wallet_id as id from wallet_credentials where erase_after <= $1 for update skip locked`,
        [this.clock.now()],
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
