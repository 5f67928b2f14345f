import { Injectable } from '@nestjs/common';
import { Clock } from '#platform/clock';
import { Database } from '#platform/database';
import { RateLimitExceeded } from '#platform/errors';
import type { AddressKey } from './deposit-addresses.js';

/** Longest time that one call holds a lock. After this time, the lock of a process that has died is free, too. */
const LEASE_MS = 10_000;
/** Longest time that a call waits for its lock, however many other calls wait before it. */
const WAIT_MS = 20_000;
/** Pauses between two attempts to take a lock: the first pause, which doubles each time, and the longest pause. */
const POLL_MS = { first: 50, most: 400 };

/** The lock holder that a waiting call has observed, and since when. */
interface ObservedHolder {
  holder: string | null;
  sinceMs: number;
}

/**
 * Locks of a wallet, an asset and a network, which all processes share. Calls for the same key create an address one
 * after the other, so that the second call finds the address of the first. A call that takes longer than the lease
 * loses its lock; then the exchange may create two addresses, which both belong to the account.
 */
@Injectable()
export class AddressLocks {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * Runs `work` while it holds the lock.
   * @throws RateLimitExceeded when the lock is not free within WAIT_MS; `work` has not begun then.
   */
  async run<T>(key: AddressKey, work: () => Promise<T>): Promise<T> {
    const holder = this.clock.newId();
    await this.waitFor(key, holder);
    try {
      return await work();
    } finally {
      // A lock that cannot be released expires, so a failure here is ignored.
      await this.release(key, holder).catch(() => undefined);
    }
  }

  private async waitFor(key: AddressKey, ownHolder: string): Promise<void> {
    const startedMs = this.clock.now().getTime();
    let observed: ObservedHolder = { holder: null, sinceMs: startedMs };
    let pollMs = POLL_MS.first;
    while (!(await this.take(key, ownHolder, this.expiredHolder(observed)))) {
      const nowMs = this.clock.now().getTime();
      if (nowMs - startedMs >= WAIT_MS) throw new RateLimitExceeded(LEASE_MS / 1_000);
      const holder = await this.holderOf(key);
      if (holder !== observed.holder) observed = { holder, sinceMs: nowMs };
      await this.clock.sleep(pollMs);
      pollMs = Math.min(2 * pollMs, POLL_MS.most);
    }
  }

  /**
   * Returns the observed holder when it has held the lock for a whole lease; else null. Our own clock measures the
   * lease, because the stored time comes from the clock of another host, which may be wrong.
   */
  private expiredHolder({ holder, sinceMs }: ObservedHolder): string | null {
    return this.clock.now().getTime() - sinceMs >= LEASE_MS ? holder : null;
  }

  private async holderOf({ walletId, asset, network }: AddressKey): Promise<string | null> {
    const [row] = await this.db.query<{ holder: string }>(
      `select holder from deposit_locks where wallet_id = $1 and asset = $2 and network = $3`,
      [walletId, asset, network],
    );
    return row?.holder ?? null;
  }

  /** Takes a lock that is free, has expired, or is held by `expired`. Only one of several waiting calls succeeds. */
  private async take(
    { walletId, asset, network }: AddressKey,
    holder: string,
    expired: string | null,
  ): Promise<boolean> {
    const now = this.clock.now();
    const rows = await this.db.query(
      `insert into deposit_locks as l (wallet_id, asset, network, holder, held_until) values ($1, $2, $3, $4, $6)
       on conflict (wallet_id, asset, network) do update set holder = $4, held_until = $6
             where l.held_until <= $5 or l.holder = $7
       returning holder`,
      [walletId, asset, network, holder, now, new Date(now.getTime() + LEASE_MS), expired],
    );
    return rows.length === 1;
  }

  private async release({ walletId, asset, network }: AddressKey, holder: string): Promise<void> {
    await this.db.query(
      `delete from deposit_locks where wallet_id = $1 and asset = $2 and network = $3 and holder = $4`,
      [walletId, asset, network, holder],
    );
  }
}
