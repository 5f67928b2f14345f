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
    const isErased = await this.erase('project_id = $1 and external_id = $2', [project.id, externalWalletId]);
    if (!isErased) throw new WalletNotFound();
  }

  /** Deletes a wallet by our id as `execute` does. Does nothing when it is deleted already. */
  async executeById(walletId: string): Promise<void> {
    await this.erase('id = $1', [walletId]);
  }

  /** @returns whether there was a wallet to delete */
  private async erase(condition: string, values: unknown[]): Promise<boolean> {
    const grants = await this.db.transaction(async (tx): Promise<LiveGrant[] | null> => {
      const [wallet] = await this.db.query<{ id: string }>(
        `select id from wallets where ${condition} and deleted_at is null for no key update`,
        values,
        tx,
      );
      if (wallet === undefined) return null;
      const now = this.clock.now();
      const keepUntil = new Date(now.getTime() + this.config.constants.CREDENTIALS_KEEP_SECONDS * 1_000);
      const live = await this.revokeGrant.find(tx, [wallet.id]);
      const { db, events } = this;
      const { isKept } = await eraseWallet({ db, events }, tx, wallet.id, { now, keepUntil, reason: 'requested' });
      return isKept ? [] : live;
    });
    if (grants === null) return false;
    await Promise.all(grants.map((grant) => this.revokeGrant.execute(grant)));
    return true;
  }
}
