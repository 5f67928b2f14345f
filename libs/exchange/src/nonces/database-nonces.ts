import { Injectable } from '@nestjs/common';
import { Clock } from '#platform/clock';
import { Database, type NamedStatement } from '#platform/database';
import { Nonces } from './nonces.js';

/** The database's time in milliseconds, the same for all processes. */
const NOW_MS = `(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/** Nonces of keys that were unused for this long are deleted, at most FORGET_MAX with each new key. */
const FORGET_AFTER_MS = 86_400_000;
const FORGET_MAX = 100;

/**
 * Takes a nonce unless another call holds the exclusive right. A right that ends later than it could if it began now
 * does not count: it was taken before the database's clock was set back.
 */
const TAKE: NamedStatement = {
  name: 'take a nonce',
  text: `insert into exchange_nonces as n (owner, last, holder, exclusive_until)
       values ($1, ${NOW_MS}, $2, case when $2::uuid is not null then clock_timestamp() + $3 * interval '1 ms' end)
       on conflict (owner) do update set
         last = greatest(n.last + 1, ${NOW_MS}), holder = excluded.holder, exclusive_until = excluded.exclusive_until
       where n.exclusive_until is null
          or n.exclusive_until not between clock_timestamp() and clock_timestamp() + $3 * interval '1 ms'
       returning last as nonce, xmax = 0 as is_new`,
};

const LEFT: NamedStatement = {
  name: 'read the rest of the exclusive right',
  text: `select least(greatest(extract(epoch from exclusive_until - clock_timestamp()) * 1000, 0), $2)::float8 as ms
       from exchange_nonces where owner = $1 and exclusive_until is not null`,
};

const RELEASE: NamedStatement = {
  name: 'release the exclusive right',
  text: `update exchange_nonces set holder = null, exclusive_until = null where owner = $1 and holder = $2`,
};

/** Stores one row per key in an unlogged table. If a crash loses a row, the nonces continue with the present time. */
@Injectable()
export class DatabaseNonces extends Nonces {
  constructor(
    private readonly db: Database,
    clock: Clock,
  ) {
    super(clock);
  }

  protected async tryTake(owner: Buffer, holder: string | null, exclusiveMs: number): Promise<number | null> {
    const [row] = await this.db.read<{ nonce: string; is_new: boolean }>(TAKE, [owner, holder, exclusiveMs]);
    if (row === undefined) return null;
    if (row.is_new) await this.forgetUnused();
    return Number(row.nonce);
  }

  protected async leftMs(owner: Buffer, exclusiveMs: number): Promise<number> {
    const [row] = await this.db.read<{ ms: number }>(LEFT, [owner, exclusiveMs]);
    return row?.ms ?? 0;
  }

  protected async release(owner: Buffer, holder: string): Promise<void> {
    await this.db.read(RELEASE, [owner, holder]);
  }

  private async forgetUnused(): Promise<void> {
    await this.db.query(
      `delete from exchange_nonces where owner in (
         select owner from exchange_nonces where last < ${NOW_MS} - $1::bigint limit $2 for update skip locked)`,
      [FORGET_AFTER_MS, FORGET_MAX],
    );
  }
}
