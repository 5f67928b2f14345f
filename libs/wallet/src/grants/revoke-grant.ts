import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Projects, type ProjectIdentity } from '#access';
import { Authorizations } from '#exchange';
import { Clock } from '#platform/clock';
import { Vault, type Secret, type SealedRecord } from '#platform/crypto';
import { Database, assertOutsideTransaction } from '#platform/database';
import { logFailedWork } from '#platform/errors';
import { LOGGER, type Logger } from '#platform/logging';
import type { CredentialWrite } from '../credentials/sealed-credentials.js';
import { openRefreshToken } from './sealed-grant.js';

/** Longest time that a deletion waits for the revocation. The call to the exchange continues after this time. */
const REVOKE_WAIT_MS = 2_000;

/** A grant that has not ended, of a wallet that is being erased. */
export interface LiveGrant {
  walletId: string;
  projectId: string;
  exchange: string;
  sealed: SealedRecord;
  /** The write of the credentials with which the grant was stored. */
  write: CredentialWrite;
}

/** Revokes grants at the exchange, as far as the exchange supports it. */
@Injectable()
export class RevokeGrant {
  constructor(
    private readonly db: Database,
    private readonly vault: Vault,
    private readonly clock: Clock,
    private readonly projects: Projects,
    private readonly authorizations: Authorizations,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Returns the grants of these wallets that have not ended. */
  find(tx: EntityManager, walletIds: readonly string[]): Promise<LiveGrant[]> {
    return this.db.query<LiveGrant>(
      `select g.wallet_id as "walletId", w.project_id as "projectId", w.exchange, g.sealed,
              json_build_object('id', c.sealed->>'id', 'sequence', w.credentials_sequence) as write
         from wallet_grants g join wallets w on w.id = g.wallet_id join wallet_credentials c on c.wallet_id = w.id
        where g.wallet_id = any($1) and g.ended_at is null`,
      [walletIds],
      tx,
    );
  }

  /** Revokes a grant after the commit that erased its wallet. Never throws; returns after REVOKE_WAIT_MS at most. */
  async execute({ walletId, projectId, exchange, sealed, write }: LiveGrant): Promise<void> {
    try {
      const project = await this.projects.getContext(projectId);
      const refreshToken = await openRefreshToken(this.vault, { project, walletId }, sealed, write);
      await this.revoke({ project, walletId, exchange }, refreshToken);
    } catch (error) {
      logFailedWork(this.logger, error, 'the grant of a deleted wallet was not revoked', { wallet: walletId });
    }
  }

  /** Revokes the grant of a refresh token as `execute` does. The caller has already opened the sealed token. */
  async revoke(
    { project, walletId, exchange }: { project: ProjectIdentity; walletId: string; exchange: string },
    refreshToken: Secret,
  ): Promise<void> {
    assertOutsideTransaction('revoking a grant');
    const revoked = this.authorizations
      .revoke({ exchange, mode: project.mode }, refreshToken)
      .catch((error: unknown) => {
        logFailedWork(this.logger, error, 'the grant of a deleted wallet was not revoked', { wallet: walletId });
      });
    const waited = new AbortController();
    await Promise.race([revoked, this.clock.sleep(REVOKE_WAIT_MS, waited.signal)]);
    waited.abort();
  }
}
