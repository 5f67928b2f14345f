import { Injectable } from '@nestjs/common';
import { Clock } from '#platform/clock';
import { Database } from '#platform/database';
import type { AddressKey } from './deposit-addresses.js';

/** How long one call keeps the others waiting at most, also when its process has died. */
const TURN_MS = 10_000;
/** Between two looks at a turn that another call has: twice as long each time, up to the most. */
const POLL_MS = { first: 50, most: 400 };

/**
 * Lets calls that would have an address made, from however many processes, go one after the other: the second finds what
 * the first had made. One that takes too long loses its turn; two addresses then are untidy, and both are the account's.
 */
@Injectable()
export class AddressTurns {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  async run<T>(key: AddressKey, work: () => Promise<T>): Promise<T> {
    const turn = this.clock.newId();
    const waitsUntil = this.clock.now().getTime() + TURN_MS;
    let pollMs = POLL_MS.first;
    // Whose clock ever the end of the other turn was written by: after as long as a turn takes, it is over.
    while (!(await this.take(key, turn, this.clock.now().getTime() >= waitsUntil))) {
      await this.clock.sleep(pollMs);
      pollMs = Math.min(2 * pollMs, POLL_MS.most);
    }
    try {
      return await work();
    } finally {
      // One that cannot be given back ends by itself.
      await this.release(key, turn).catch(() => undefined);
    }
  }

  private async take({ walletUuid, asset, network }: AddressKey, turn: string, isForced: boolean): Promise<boolean> {
    const now = this.clock.now();
    const rows = await this.db.query(
      `insert into deposit_turns as t (wallet_id, asset, network, holder, until) values ($1, $2, $3, $4, $6)
       on conflict (wallet_id, asset, network) do update set holder = $4, until = $6 where t.until <= $5 or $7
       returning holder`,
      [walletUuid, asset, network, turn, now, new Date(now.getTime() + TURN_MS), isForced],
    );
    return rows.length === 1;
  }

  private async release({ walletUuid, asset, network }: AddressKey, turn: string): Promise<void> {
    await this.db.query(
      `delete from deposit_turns where wallet_id = $1 and asset = $2 and network = $3 and holder = $4`,
      [walletUuid, asset, network, turn],
    );
  }
}
