import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Database } from '#platform/database';
import { PeriodicTasks } from '#platform/lifecycle';
import { DeleteWallet } from './delete-wallet.js';

const SWEEP_MS = 5_000;
/** Maximum number of wallets that one run deletes, so that it does not occupy the worker for long. */
const BATCH = 200;

/**
 * Deletes the wallets of deleted projects. A wallet row states by itself that it is due, so the deletion of a project
 * also completes when a worker stops in the middle.
 */
@Injectable()
export class EraseDeletedProjects implements OnApplicationBootstrap {
  constructor(
    private readonly db: Database,
    private readonly deleteWallet: DeleteWallet,
    private readonly periodicTasks: PeriodicTasks,
  ) {}

  onApplicationBootstrap(): void {
    this.periodicTasks.startDueWork('deletion of wallets of deleted projects', SWEEP_MS, () => this.execute());
  }

  /** @returns the number of wallets that were due. Simultaneous runs do no harm. */
  async execute(): Promise<number> {
    const due = await this.db.query<{ id: string }>(
      `select w.id from projects p join wallets w on w.project_id = p.id
        where p.deleted_at is not null and w.deleted_at is null limit $1`,
      [BATCH],
    );
    for (const { id } of due) await this.deleteWallet.executeById(id);
    return due.length;
  }
}
