import { Injectable } from '@nestjs/common';
import type { ProjectIdentity } from '#access';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { Database } from '#platform/database';
import { Events } from '#platform/events';
import { eraseWallet } from './erase-wallet.js';
import { RevokeGrant, type LiveGrant } from '../grants/revoke-grant.js';
import { WalletNotFound } from '../wallets/wallet.errors.js';

/**
 * Deletes a wallet at the request of a caller. Its history stays. Unsettled withdrawals and orders continue with a kept
 * copy of the credentials.
 */
@Injectable()
export class DeleteWallet {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly revokeGrant: RevokeGrant,
    private readonly events: Events,
  ) {}

  /**
   * Deletes the wallet. Also revokes its grant at the exchange, unless an unsettled withdrawal or order still needs the
   * grant.
   * @throws WalletNotFound
   */
  async execute(project: Pick<ProjectIdentity, 'id'>, externalWalletId: string): Promise<void> {
    const erased = await this.erase(project, externalWalletId);
    await Promise.all(erased.map((grant) => this.revokeGrant.execute(grant)));
  }

  /** @returns the grants that are no longer needed. */
  private erase(project: Pick<ProjectIdentity, 'id'>, externalWalletId: string): Promise<LiveGrant[]> {
    return this.db.transaction(async (tx) => {
      const [wallet] = await this.db.query<{ id: string }>(
        `select id from wallets where project_id = $1 and external_id = $2 and deleted_at is null for no key update`,
        [project.id, externalWalletId],
        tx,
      );
      if (wallet === undefined) throw new WalletNotFound();
      const now = this.clock.now();
      const keepUntil = new Date(now.getTime() + this.config.values.CREDENTIALS_KEEP_SECONDS * 1_000);
      const grants = await this.revokeGrant.find(tx, [wallet.id]);
      const { db, events } = this;
      const { isKept } = await eraseWallet({ db, events }, tx, wallet.id, { now, keepUntil, reason: 'requested' });
      return isKept ? [] : grants;
    });
  }
}
