import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ProjectIdentity } from '#access';
import { Authorizations, type Grant } from '#exchange';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import type { Sealer } from '#platform/crypto';
import { Database } from '#platform/database';
import { WalletCredentials } from '../credentials/wallet-credentials.service.js';
import { nextRefreshOf } from './grant-schedule.js';
import { sealRefreshToken } from './sealed-grant.js';

interface GrantOwner {
  project: ProjectIdentity;
  walletId: string;
  /** The sealer that has sealed the credentials. */
  sealer: Sealer;
}

/** Stores the grant that renews the access token of a wallet. */
@Injectable()
export class StoreGrant {
  constructor(
    private readonly db: Database,
    private readonly credentials: WalletCredentials,
    private readonly authorizations: Authorizations,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /**
   * Replaces the grant of the wallet. Call it after the credentials were stored, in the same transaction.
   * @param grant null: the credentials do not expire, or cannot be renewed.
   */
  async execute(tx: EntityManager, owner: GrantOwner, grant: Grant | null, scopes: readonly string[]): Promise<void> {
    if (grant === null) {
      await this.db.query(`delete from wallet_grants where wallet_id = $1`, [owner.walletId], tx);
      return;
    }
    const clientId = await this.clientIdOf(tx, owner);
    const write = await this.credentials.lastWrite(owner.walletId, tx);
    if (write === null) throw new Error('the credentials of the grant are not stored');
    const now = this.clock.now();
    await this.db.query(
      `insert into wallet_grants (wallet_id, revision, sealed, client_id, scopes, access_expires_at,
                                  refresh_expires_at, next_refresh_at, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)
       on conflict (wallet_id) do update set revision = excluded.revision, sealed = excluded.sealed,
         client_id = excluded.client_id, scopes = excluded.scopes, access_expires_at = excluded.access_expires_at,
         refresh_expires_at = excluded.refresh_expires_at, next_refresh_at = excluded.next_refresh_at,
         created_at = excluded.created_at, updated_at = excluded.updated_at, renewed_at = null, failures = 0,
         unanswered = 0, ended_at = null, holder = null, held_until = null`,
      [
        owner.walletId,
        this.clock.newId(),
        sealRefreshToken(owner.sealer, owner, grant.refreshToken, write),
        clientId,
        scopes,
        grant.accessExpiresAt,
        grant.refreshExpiresAt,
        nextRefreshOf(grant, now, this.config.constants.GRANT_REFRESH_AHEAD_SECONDS * 1_000),
        now,
      ],
      tx,
    );
  }

  private async clientIdOf(tx: EntityManager, { project, walletId }: GrantOwner): Promise<string> {
    const [wallet] = await this.db.query<{ exchange: string }>(
      `select exchange from wallets where id = $1`,
      [walletId],
      tx,
    );
    const clientId = wallet && this.authorizations.clientId({ exchange: wallet.exchange, mode: project.mode });
    if (clientId == null) throw new Error('the exchange of the grant has no configured OAuth client');
    return clientId;
  }
}
