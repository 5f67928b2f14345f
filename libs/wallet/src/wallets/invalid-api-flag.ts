import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '#platform/clock';
import { Database } from '#platform/database';
import { Events } from '#platform/events';

interface FlaggedWallet {
  projectId: string;
  externalWalletId: string;
  exchange: string;
}

const RETURNING = `returning project_id as "projectId", external_id as "externalWalletId", exchange`;

/** Writes the flag `wallets.invalid_api` and records its events. Other code only reads the flag. */
@Injectable()
export class InvalidApiFlag {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly events: Events,
  ) {}

  /** Sets the flag, unless it is set or the wallet is deleted. */
  async set(tx: EntityManager, walletId: string): Promise<void> {
    const [wallet] = await this.db.query<FlaggedWallet>(
      `update wallets set invalid_api = true, updated_at = $2
        where id = $1 and not invalid_api and deleted_at is null ${RETURNING}`,
      [walletId, this.clock.now()],
      tx,
    );
    if (wallet !== undefined) await this.recordEvent(tx, 'wallet.credentials.invalid', wallet);
  }

  /**
   * Clears the flag, unless it is clear or the wallet is deleted. A trigger then deletes the row about the refusals.
   */
  async clear(tx: EntityManager, walletId: string): Promise<void> {
    const [wallet] = await this.db.query<FlaggedWallet>(
      `update wallets set invalid_api = false, updated_at = $2
        where id = $1 and invalid_api and deleted_at is null ${RETURNING}`,
      [walletId, this.clock.now()],
      tx,
    );
    if (wallet !== undefined) await this.recordEvent(tx, 'wallet.credentials.valid', wallet);
  }

  private async recordEvent(
    tx: EntityManager,
    type: 'wallet.credentials.invalid' | 'wallet.credentials.valid',
    { projectId, externalWalletId, exchange }: FlaggedWallet,
  ): Promise<void> {
    await this.events.record(tx, [
      { projectId, type, subject: externalWalletId, data: { walletId: externalWalletId, exchange } },
    ]);
  }
}
