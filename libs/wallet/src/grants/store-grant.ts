import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Grant } from '#exchange';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { Vault } from '#platform/crypto';
import { Database } from '#platform/database';
import type { CredentialOwner } from '../sealed-credentials.js';
import { nextRefreshOf } from './grant-schedule.js';
import { sealRefreshToken } from './sealed-grant.js';

/** Keeps what renews the access token of a wallet. */
@Injectable()
export class StoreGrant {
  constructor(
    private readonly db: Database,
    private readonly vault: Vault,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /**
   * In the transaction that stores the credentials, after them; it takes the place of the grant before.
   * @param grant null: the credentials do not expire, or cannot be renewed.
   */
  async execute(
    tx: EntityManager,
    owner: CredentialOwner,
    grant: Grant | null,
    scopes: readonly string[],
  ): Promise<void> {
    await this.db.query(`delete from wallet_grants where wallet_id = $1`, [owner.walletUuid], tx);
    if (grant === null) return;
    const now = this.clock.now();
    await this.db.query(
      `insert into wallet_grants (wallet_id, revision, sealed, scopes, access_expires_at, refresh_expires_at,
                                  next_refresh_at, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $8)`,
      [
        owner.walletUuid,
        this.clock.newId(),
        sealRefreshToken(this.vault, owner, grant.refreshToken),
        scopes,
        grant.accessExpiresAt,
        grant.refreshExpiresAt,
        nextRefreshOf(grant, now, this.config.values.GRANT_REFRESH_AHEAD_SECONDS * 1_000),
        now,
      ],
      tx,
    );
  }
}
