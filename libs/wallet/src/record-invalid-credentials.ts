import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '#platform/clock';
import { Database } from '#platform/database';
import { Events } from '#platform/events';
import { LOGGER, type Logger } from '#platform/logging';
import { eraseWallet, isHeld } from './erase-wallet.js';
import type { WalletTarget } from './wallet-credentials.service.js';

interface InvalidWallet {
  project_id: string;
  wallet_id: string;
  exchange: string;
  invalid_api: boolean;
  deleted: boolean;
}

type Tested = Pick<WalletTarget, 'walletUuid' | 'version' | 'revision'>;

/** What follows when an exchange has said that the credentials of a wallet are invalid. */
@Injectable()
export class RecordInvalidCredentials {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly events: Events,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Deletes the wallet when `autoDelete` and nothing holds its credentials, else marks it; neither when the credentials
   * were replaced or renewed since they were tested.
   * @returns whether the wallet is gone.
   */
  async execute(tested: Tested, autoDelete: boolean): Promise<boolean> {
    const walletDeleted = await this.record(tested, autoDelete);
    this.logger.warn({ wallet: tested.walletUuid, walletDeleted }, 'the exchange says that credentials are invalid');
    return walletDeleted;
  }

  /** Marks a wallet of which `tx` has just found out, unless it is marked or deleted. */
  async mark(tx: EntityManager, walletUuid: string): Promise<void> {
    const wallet = await this.lock(tx, walletUuid);
    if (wallet === undefined || wallet.deleted || wallet.invalid_api) return;
    const now = this.clock.now();
    await this.db.query(`update wallets set invalid_api = true, updated_at = $2 where id = $1`, [walletUuid, now], tx);
    const { project_id: projectId, wallet_id: walletId, exchange } = wallet;
    const data = { walletId, exchange };
    await this.events.record(tx, [{ projectId, type: 'wallet.credentials.invalid', subject: walletId, data }]);
  }

  private record({ walletUuid, version, revision }: Tested, autoDelete: boolean): Promise<boolean> {
    return this.db.transaction(async (tx) => {
      const wallet = await this.lock(tx, walletUuid);
      if (wallet === undefined || wallet.deleted) return true;
      // Read after the lock was granted: a connect that held it may have replaced the credentials.
      const [current] = await this.db.query<{ version: string; revision: string | null }>(
        `select sealed->>'id' as version, sealed->>'revision' as revision from wallet_credentials where wallet_id = $1`,
        [walletUuid],
        tx,
      );
      if (current?.version !== version || current.revision !== revision) return false;
      const now = this.clock.now();
      if (autoDelete && !(await isHeld(this.db, tx, walletUuid))) {
        await eraseWallet(this.db, tx, walletUuid, { now, keepUntil: now });
        return true;
      }
      await this.mark(tx, walletUuid);
      return false;
    });
  }

  private async lock(tx: EntityManager, walletUuid: string): Promise<InvalidWallet | undefined> {
    const [wallet] = await this.db.query<InvalidWallet>(
      `select project_id, wallet_id, exchange, invalid_api, deleted_at is not null as deleted
         from wallets where id = $1 for no key update`,
      [walletUuid],
      tx,
    );
    return wallet;
  }
}
