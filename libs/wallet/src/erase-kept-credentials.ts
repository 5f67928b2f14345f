import { Injectable } from '@nestjs/common';
import { Clock } from '#platform/clock';
import { Database } from '#platform/database';

/** Ends the time for which credentials of deleted wallets are kept, whoever still holds them. Run it now and then. */
@Injectable()
export class EraseKeptCredentials {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  /** @returns how many wallets lost their kept credentials. Safe to run twice and at once. */
  async execute(): Promise<number> {
    const erased = await this.db.query(`delete from wallet_credentials where erase_after <= $1 returning wallet_id`, [
      this.clock.now(),
    ]);
    return erased.length;
  }
}
