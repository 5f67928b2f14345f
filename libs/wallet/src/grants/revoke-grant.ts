import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Projects, type ProjectIdentity } from '#access';
import { Authorizations } from '#exchange';
import { Clock } from '#platform/clock';
import { Vault, type Secret, type SealedRecord } from '#platform/crypto';
import { Database, assertOutsideTransaction } from '#platform/database';
import { logFailedWork } from '#platform/errors';
import { LOGGER, type Logger } from '#platform/logging';
import { openRefreshToken } from './sealed-grant.js';

/** How long whoever deletes a wallet waits for its exchange to hear of it; the call goes on after that. */
const REVOKE_WAIT_MS = 2_000;

/** A grant of a wallet that is being erased. */
export interface LiveGrant {
  walletId: string;
  projectId: string;
  exchange: string;
  sealed: SealedRecord;
}

/** Tells an exchange that a grant is not wanted any more, as far as it listens. */
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

  /** The grants of these wallets that have not ended. */
  find(tx: EntityManager, walletIds: readonly string[]): Promise<LiveGrant[]> {
    return this.db.query<LiveGrant>(
      `select g.wallet_id as "walletId", w.project_id as "projectId", w.exchange, g.sealed
         from wallet_grants g join wallets w on w.id = g.wallet_id
        where g.wallet_id = any($1) and g.ended_at is null`,
      [walletIds],
      tx,
    );
  }

  /** After the commit that erased it here. Never fails, and takes no longer than a deletion may. */
  async execute({ walletId, projectId, exchange, sealed }: LiveGrant): Promise<void> {
    try {
      const project = await this.projects.getContext(projectId);
      const refreshToken = openRefreshToken(this.vault, { project, walletId }, sealed);
      await this.tell({ project, walletId, exchange }, refreshToken);
    } catch (error) {
      logFailedWork(this.logger, error, 'the grant of a deleted wallet was not revoked', { wallet: walletId });
    }
  }

  /** The same for a token at hand. */
  async tell(
    { project, walletId, exchange }: { project: ProjectIdentity; walletId: string; exchange: string },
    refreshToken: Secret,
  ): Promise<void> {
    assertOutsideTransaction('revoking a grant');
    const told = this.authorizations.revoke({ exchange, mode: project.mode }, refreshToken).catch((error: unknown) => {
      logFailedWork(this.logger, error, 'the grant of a deleted wallet was not revoked', { wallet: walletId });
    });
    const waited = new AbortController();
    await Promise.race([told, this.clock.sleep(REVOKE_WAIT_MS, waited.signal)]);
    waited.abort();
  }
}
