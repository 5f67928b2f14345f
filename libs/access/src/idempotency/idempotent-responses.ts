import { Injectable } from '@nestjs/common';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { Database } from '#platform/database';
import { IdempotencyKeyInFlight, IdempotencyKeyReused } from './idempotency.errors.js';

/** An Idempotency-Key of one project. Equal keys of two projects are independent. */
export interface ProjectKey {
  projectId: string;
  key: string;
}

/** A key that one request has claimed. */
export interface Claim extends ProjectKey {
  owner: string;
}

export interface StoredAnswer {
  status: number;
  /**
   * JSON text. It is stored as one JSON string inside the jsonb column: jsonb does not keep the order of members, and a
   * repeat must get the same bytes.
   */
  body: string;
}

interface Row {
  fingerprint: Buffer;
  status: number | null;
  body: string;
}

/** The stored first responses to requests with an Idempotency-Key. */
@Injectable()
export class IdempotentResponses {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /**
   * Claims the key for this request, or returns the response of the first request with it. An expired key is free. An
   * equal request takes the key over when no response is stored IDEMPOTENCY_LOCK_SECONDS after the claim, because the
   * process of the first request has probably died.
   * @throws IdempotencyKeyReused, IdempotencyKeyInFlight
   */
  async claim(name: ProjectKey, fingerprint: Buffer): Promise<Claim | StoredAnswer> {
    const { IDEMPOTENCY_TTL_SECONDS } = this.config.values;
    const { IDEMPOTENCY_LOCK_SECONDS } = this.config.constants;
    const now = this.clock.now();
    const after = (seconds: number): Date => new Date(now.getTime() + seconds * 1_000);
    const [claimed] = await this.db.query<{ owner: string }>(
      `insert into idempotent_responses as a (project_id, key, fingerprint, owner, locked_until, created_at, expires_at)
       values ($1, $2, $3, $4, $5, $6, $7)
       on conflict (project_id, key) do update
         set fingerprint = excluded.fingerprint, owner = excluded.owner, status = null, body = null,
             locked_until = excluded.locked_until, created_at = excluded.created_at, expires_at = excluded.expires_at
         where a.expires_at <= $6
            or (a.status is null and a.locked_until <= $6 and a.fingerprint = excluded.fingerprint)
       returning owner`,
      [
        name.projectId,
        name.key,
        fingerprint,
        this.clock.newId(),
        after(IDEMPOTENCY_LOCK_SECONDS),
        now,
        after(IDEMPOTENCY_TTL_SECONDS),
      ],
    );
    return claimed === undefined ? this.answerOf(name, fingerprint) : { ...name, owner: claimed.owner };
  }

  /** Stores the response of a request that still holds its key. A request that lost the key changes nothing. */
  async keep({ projectId, key, owner }: Claim, { status, body }: StoredAnswer): Promise<void> {
    await this.db.query(
      `update idempotent_responses set status = $4, body = $5 where project_id = $1 and key = $2 and owner = $3`,
      [projectId, key, owner, status, JSON.stringify(body)],
    );
  }

  /** Frees the key, so that the next request with it is executed. */
  async release({ projectId, key, owner }: Claim): Promise<void> {
    await this.db.query(`delete from idempotent_responses where project_id = $1 and key = $2 and owner = $3`, [
      projectId,
      key,
      owner,
    ]);
  }

  private async answerOf({ projectId, key }: ProjectKey, fingerprint: Buffer): Promise<StoredAnswer> {
    const [row] = await this.db.query<Row>(
      `select fingerprint, status, body from idempotent_responses where project_id = $1 and key = $2`,
      [projectId, key],
    );
    if (row !== undefined && !row.fingerprint.equals(fingerprint)) throw new IdempotencyKeyReused();
    // The row is missing when the request that held the key has just freed it.
    if (row === undefined || row.status === null) throw new IdempotencyKeyInFlight();
    return { status: row.status, body: row.body };
  }
}
