import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database } from '#platform/database';
import type { LimitScope } from '../transport/call-limit.js';
import type { PauseReach, PauseReason } from '../transport/pauses.js';

/** Notification channel for a pause that began, became longer or was ended by an operator. */
export const PAUSES_CHANNEL = 'exchange_pauses';

/** Maximum number of pauses that a process reads. The pauses that end last come first. */
const LISTED_MAX = 10_000;
/** Rows of pauses that are over for this long are deleted, at most FORGET_MAX with each new pause. */
const FORGET_AFTER_MS = 3_600_000;
const FORGET_MAX = 100;

/** A pause in the database, with times of the database's clock. */
export interface StoredPause extends PauseReach {
  readonly reason: PauseReason;
  readonly status: number;
  readonly beganAt: Date;
  readonly endsAt: Date;
  /** Milliseconds from the beginning until the row was read. */
  readonly sinceMs: number;
  /** Milliseconds from the reading of the row until the end. */
  readonly leftMs: number;
}

/** A pause that begins, with times relative to now. */
type NewPause = PauseReach & Pick<StoredPause, 'leftMs' | 'reason' | 'sinceMs' | 'status'>;

interface PauseRow {
  exchange: string;
  origin: string;
  reach: LimitScope;
  credential_id: string;
  endpoint: string;
  reason: PauseReason;
  status: number;
  began_at: Date;
  ends_at: Date;
  since_ms: number;
  left_ms: number;
}

const COLUMNS = `exchange, origin, reach, credential_id, endpoint, reason, status, began_at, ends_at,
  (extract(epoch from clock_timestamp() - began_at) * 1000)::float8 as since_ms,
  (extract(epoch from ends_at - clock_timestamp()) * 1000)::float8 as left_ms`;

/** The pauses of calls to exchanges that all processes of this installation share. */
@Injectable()
export class PauseStore {
  constructor(private readonly db: Database) {}

  /** Stores a pause and notifies every process. A stored pause that ends later stays as it is. */
  async save({ leftMs, sinceMs, ...pause }: NewPause): Promise<void> {
    const { exchange, origin, of, credentialId, endpoint, reason, status } = pause;
    const written = await this.db.query(
      `with written as (
         insert into exchange_pauses as p
           (exchange, origin, reach, credential_id, endpoint, reason, status, began_at, ends_at)
         values ($1, $2, $3, $4, $5, $6, $7, clock_timestamp() - $8::float8 * interval '1 ms',
                 clock_timestamp() + $9::float8 * interval '1 ms')
         on conflict (exchange, origin, reach, credential_id, endpoint) do update set
           reason = excluded.reason, status = excluded.status, ends_at = excluded.ends_at,
           began_at = case when p.ends_at < clock_timestamp() then excluded.began_at else p.began_at end
           where p.ends_at < excluded.ends_at
         returning 1
       )
       select pg_notify($10, '') from written`,
      [exchange, origin, of, credentialId ?? '', endpoint ?? '', reason, status, sinceMs, leftMs, PAUSES_CHANNEL],
    );
    if (written.length > 0) await this.forgetEnded();
  }

  /** The pauses that are not over, the one that ends last first. */
  async list(): Promise<StoredPause[]> {
    const rows = await this.db.query<PauseRow>(
      `select ${COLUMNS} from exchange_pauses where ends_at > clock_timestamp() order by ends_at desc limit $1`,
      [LISTED_MAX],
    );
    return rows.map(toPause);
  }

  /** Ends all pauses of an exchange, and notifies every process after the commit. @returns the ended pauses */
  async end(tx: EntityManager, exchange: string): Promise<StoredPause[]> {
    const rows = await this.db.query<PauseRow>(
      `with gone as (delete from exchange_pauses where exchange = $1 and ends_at > clock_timestamp() returning *)
       select ${COLUMNS} from gone order by ends_at desc`,
      [exchange],
      tx,
    );
    await this.db.query(`select pg_notify($1, '')`, [PAUSES_CHANNEL], tx);
    return rows.map(toPause);
  }

  private async forgetEnded(): Promise<void> {
    await this.db.query(
      `delete from exchange_pauses where (exchange, origin, reach, credential_id, endpoint) in (
         select exchange, origin, reach, credential_id, endpoint from exchange_pauses
         where ends_at < clock_timestamp() - $1::float8 * interval '1 ms'
         order by ends_at limit $2 for update skip locked)`,
      [FORGET_AFTER_MS, FORGET_MAX],
    );
  }
}

function toPause(row: PauseRow): StoredPause {
  const { exchange, origin, reach: of, reason, status, began_at: beganAt, ends_at: endsAt } = row;
  return {
    exchange,
    origin,
    of,
    reason,
    status,
    beganAt,
    endsAt,
    credentialId: row.credential_id === '' ? null : row.credential_id,
    endpoint: row.endpoint === '' ? null : row.endpoint,
    sinceMs: row.since_ms,
    leftMs: row.left_ms,
  };
}
