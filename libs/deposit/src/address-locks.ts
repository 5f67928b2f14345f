import { Injectable } from '@nestjs/common';
import { Clock } from '#platform/clock';
import { Database } from '#platform/database';
import { RateLimitExceeded } from '#platform/errors';
import type { AddressKey } from './deposit-addresses.js';

/** How long one call keeps the others waiting at most, also when its process has died. */
const TURN_MS = 10_000;
/** How long a call waits for its own, behind however many others. */
const WAIT_MS = 20_000;
/** Between two looks at a turn that another call has: twice as long each time, up to the most. */
const POLL_MS = { first: 50, most: 400 };

/** Whose turn a call that waits finds it to be, and since when. */
interface Seen {
  holder: string | null;
  sinceMs: number;
}

/**
 * Lets calls that would have an address made, from however many processes, go one after the other: the second finds what
 * the first had made. One that takes too long loses its turn; two addresses then are untidy, and both are the account's.
 */
@Injectable()
export class AddressLocks {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  /** @throws RateLimitExceeded when too many others go first; `work` was not begun. */
  async run<T>(key: AddressKey, work: () => Promise<T>): Promise<T> {
    const turn = this.clock.newId();
    await this.waitFor(key, turn);
    try {
      return await work();
    } finally {
      // One that cannot be given back ends by itself.
      await this.release(key, turn).catch(() => undefined);
    }
  }

  private async waitFor(key: AddressKey, turn: string): Promise<void> {
    const startedMs = this.clock.now().getTime();
    let seen: Seen = { holder: null, sinceMs: startedMs };
    let pollMs = POLL_MS.first;
    while (!(await this.take(key, turn, this.overdueOf(seen)))) {
      const nowMs = this.clock.now().getTime();
      if (nowMs - startedMs >= WAIT_MS) throw new RateLimitExceeded(TURN_MS / 1_000);
      const holder = await this.holderOf(key);
      if (holder !== seen.holder) seen = { holder, sinceMs: nowMs };
      await this.clock.sleep(pollMs);
      pollMs = Math.min(2 * pollMs, POLL_MS.most);
    }
  }

  /** Whose clock ever the end of a turn was written by: one that is seen for as long as a turn takes is over. */
  private overdueOf({ holder, sinceMs }: Seen): string | null {
    return this.clock.now().getTime() - sinceMs >= TURN_MS ? holder : null;
  }

  private async holderOf({ walletId, asset, network }: AddressKey): Promise<string | null> {
    const [row] = await this.db.query<{ holder: string }>(
      `select holder from deposit_turns where wallet_id = $1 and asset = $2 and network = $3`,
      [walletId, asset, network],
    );
    return row?.holder ?? null;
  }

  /** Only one of many takes an overdue turn: for the others it has another holder then. */
  private async take({ walletId, asset, network }: AddressKey, turn: string, overdue: string | null): Promise<boolean> {
    const now = this.clock.now();
    const rows = await this.db.query(
      `insert into deposit_turns as t (wallet_id, asset, network, holder, until) values ($1, $2, $3, $4, $6)
       on conflict (wallet_id, asset, network) do update set holder = $4, until = $6 where t.until <= $5 or t.holder = $7
       returning holder`,
      [walletId, asset, network, turn, now, new Date(now.getTime() + TURN_MS), overdue],
    );
    return rows.length === 1;
  }

  private async release({ walletId, asset, network }: AddressKey, turn: string): Promise<void> {
    await this.db.query(
      `delete from deposit_turns where wallet_id = $1 and asset = $2 and network = $3 and holder = $4`,
      [walletId, asset, network, turn],
    );
  }
}
