import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '#platform/clock';
import { Database } from '#platform/database';
import { Events } from '#platform/events';

interface MarkedWallet {
  projectId: string;
  externalWalletId: string;
  exchange: string;
}

const RETURNING = `returning project_id as "projectId", external_id as "externalWalletId", exchange`;

/** The mark `wallets.invalid_api`, and the events that tell of it. Other code reads the mark and never writes it. */
@Injectable()
export class InvalidApiFlag {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly events: Events,
  ) {}

  /** Marks the wallet, unless it is marked or deleted. */
  async set(tx: EntityManager, walletId: string): Promise<void> {
    const [wallet] = await this.db.query<MarkedWallet>(
      `update wallets set invalid_api = true, updated_at = $2
        where id = $1 and not invalid_api and deleted_at is null ${RETURNING}`,
      [walletId, this.clock.now()],
      tx,
    );
    if (wallet !== undefined) await this.tell(tx, 'wallet.credentials.invalid', wallet);
  }

  /** Takes the mark back, unless there is none or the wallet is deleted. The series of refusals ends with it. */
  async takeBack(tx: EntityManager, walletId: string): Promise<void> {
    const [wallet] = await this.db.query<MarkedWallet>(
      `update wallets set invalid_api = false, updated_at = $2
        where id = $1 and invalid_api and deleted_at is null ${RETURNING}`,
      [walletId, this.clock.now()],
      tx,
    );
    if (wallet !== undefined) await this.tell(tx, 'wallet.credentials.valid', wallet);
  }

  private async tell(
    tx: EntityManager,
    type: 'wallet.credentials.invalid' | 'wallet.credentials.valid',
    { projectId, externalWalletId, exchange }: MarkedWallet,
  ): Promise<void> {
    await this.events.record(tx, [
      { projectId, type, subject: externalWalletId, data: { walletId: externalWalletId, exchange } },
    ]);
  }
}
