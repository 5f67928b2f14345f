import { Injectable } from '@nestjs/common';
import { Clock } from '#platform/clock';
import { Database } from '#platform/database';
import { RateLimitExceeded } from '#platform/errors';
import type { AddressKey } from './deposit-addresses.js';

/** How long a lock lasts without a renewal. After this time, the lock of a process that has died is free. */
const LEASE_MS = 10_000;
/** Pause between two renewals of a lock. */
const RENEWAL_MS = LEASE_MS / 4;
/** Longest time that a call waits for its lock, however many other calls wait before it. */
const WAIT_MS = 20_000;
/** Pauses between two attempts to take a lock: the first pause, which doubles each time, and the longest pause. */
const POLL_MS = { first: 50, most: 400 };

/** The row of a lock. Each renewal changes its end. */
interface LockRow {
  holder: string;
  heldUntil: Date;
}

/** The row that a waiting call has observed, and since when. */
interface ObservedLock {
  row: LockRow | null;
  sinceMs: number;
}

/**
 * Locks of a wallet, an asset and a network, which all processes share. Calls for the same three ask the exchange one
 * after the other, so that the second call finds the address of the first. A call keeps its lock however long it takes,
 * because its request to the exchange may wait for earlier requests. Only a call that cannot renew its lock loses it;
 * then the exchange may create two addresses, which both belong to the account.
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
    const ended = new AbortController();
    void this.keepHeld(key, holder, ended.signal);
    try {
      return await work();
    } finally {
      ended.abort();
      // A lock that cannot be released expires, so a failure here is ignored.
      await this.release(key, holder).catch(() => undefined);
    }
  }

  private async waitFor(key: AddressKey, ownHolder: string): Promise<void> {
    const startedMs = this.clock.monotonicMs();
    let observed: ObservedLock = { row: null, sinceMs: startedMs };
    let pollMs = POLL_MS.first;
    while (!(await this.take(key, ownHolder, this.expired(observed)))) {
      const nowMs = this.clock.monotonicMs();
      if (nowMs - startedMs >= WAIT_MS) throw new RateLimitExceeded(LEASE_MS / 1_000);
      const row = await this.rowOf(key);
      const isSame =
        row?.holder === observed.row?.holder && row?.heldUntil.getTime() === observed.row?.heldUntil.getTime();
      if (!isSame) observed = { row, sinceMs: nowMs };
      await this.clock.sleep(pollMs);
      pollMs = Math.min(2 * pollMs, POLL_MS.most);
    }
  }

  /**
   * Returns the observed row when it was not renewed for a whole lease; else null. Our own clock measures the lease,
   * because the stored time comes from the clock of another host, which may be wrong.
   */
  private expired({ row, sinceMs }: ObservedLock): LockRow | null {
    return this.clock.monotonicMs() - sinceMs >= LEASE_MS ? row : null;
  }

  private async rowOf({ walletId, asset, network }: AddressKey): Promise<LockRow | null> {
    const [row] = await this.db.query<LockRow>(
      `select holder, held_until as "heldUntil" from deposit_locks
        where wallet_id = $1 and asset = $2 and network = $3`,
      [walletId, asset, network],
    );
    return row ?? null;
  }

  /** Takes a lock that is free, has expired, or still has the row `expired`. Only one of the waiting calls succeeds. */
  private async take(
    { walletId, asset, network }: AddressKey,
    holder: string,
    expired: LockRow | null,
  ): Promise<boolean> {
    const now = this.clock.now();
    const rows = await this.db.query(
      `insert into deposit_locks as l (wallet_id, asset, network, holder, held_until) values ($1, $2, $3, $4, $6)
       on conflict (wallet_id, asset, network) do update set holder = $4, held_until = $6
             where l.held_until <= $5 or (l.holder = $7 and l.held_until = $8)
       returning holder`,
      [
        ...[walletId, asset, network, holder, now, this.leaseEnd()],
        ...[expired?.holder ?? null, expired?.heldUntil ?? null],
      ],
    );
    return rows.length === 1;
  }

  /** Renews the lock again and again until the signal is aborted. A failed renewal is repeated with the next one. */
  private async keepHeld({ walletId, asset, network }: AddressKey, holder: string, ended: AbortSignal): Promise<void> {
    for (;;) {
      await this.clock.sleep(RENEWAL_MS, ended);
      if (ended.aborted) return;
      await this.db
        .query(
          `update deposit_locks set held_until = $5
            where wallet_id = $1 and asset = $2 and network = $3 and holder = $4`,
          [walletId, asset, network, holder, this.leaseEnd()],
        )
        .catch(() => undefined);
    }
  }

  private leaseEnd(): Date {
    return new Date(this.clock.now().getTime() + LEASE_MS);
  }

  private async release({ walletId, asset, network }: AddressKey, holder: string): Promise<void> {
    await this.db.query(
      `delete from deposit_locks where wallet_id = $1 and asset = $2 and network = $3 and holder = $4`,
      [walletId, asset, network, holder],
    );
  }
}
