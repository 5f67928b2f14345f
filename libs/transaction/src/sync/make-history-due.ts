import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { HistoryKind } from '#exchange';
import { Clock } from '#platform/clock';
import { Database } from '#platform/database';

/** Makes the deposits or the withdrawals of wallets due for reading, because their exchange has reported a change. */
@Injectable()
export class MakeHistoryDue {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  async execute(tx: EntityManager, walletIds: readonly string[], kind: HistoryKind): Promise<void> {
    await this.db.query(
      `update transaction_syncs set next_sync_at = least(next_sync_at, $3) where wallet_id = any($1) and kind = $2`,
      [walletIds, kind, this.clock.now()],
      tx,
    );
  }
}
