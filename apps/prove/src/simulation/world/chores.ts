import { syncOver } from '#transaction/testing';
import type { WalletSessions } from '#wallet';
import { databaseOnlyUseCases } from '#withdrawal/testing';
import { refusalsIn, type ProcessParts } from './process-parts.js';

/** Maximum number of wallet histories that a worker syncs in one sweep. */
const HISTORIES = 10;

/**
 * The tasks of a worker besides settling withdrawals: syncing histories, and comparing wallets with the exchange after
 * a restore. Only runs on PostgreSQL have these tasks.
 */
export class Chores {
  private readonly chores: (() => Promise<void>)[] = [];

  constructor(
    private readonly parts: ProcessParts,
    sessions: WalletSessions,
  ) {
    const { features, more } = parts;
    if (more === null) return;
    if (features.includes('history_sync')) this.chores.push(this.syncing(more, sessions));
    if (features.includes('restored_database')) this.chores.push(this.comparing(more, sessions));
  }

  get isAny(): boolean {
    return this.chores.length > 0;
  }

  /** Runs each task once. A task that fails is run again by the next call. */
  async do(): Promise<void> {
    for (const chore of this.chores) await chore().catch(() => undefined);
  }

  private syncing({ ports, real }: NonNullable<ProcessParts['more']>, sessions: WalletSessions): () => Promise<void> {
    const { clock, config, logger } = this.parts;
    const { syncStore } = ports;
    const watcher = refusalsIn(this.parts);
    const sync = syncOver(ports, real, { clock, config, logger, sessions, watcher });
    return async () => {
      await syncStore.adopt();
      const due = await syncStore.takeDue(HISTORIES);
      // A seed must not depend on the order in which a database returns rows.
      due.sort((a, b) => (a.kind < b.kind ? -1 : 1));
      await Promise.allSettled(due.map((id) => sync.execute(id)));
    };
  }

  private comparing({ ports, real }: NonNullable<ProcessParts['more']>, sessions: WalletSessions): () => Promise<void> {
    const { clock, config, logger, ports: usual } = this.parts;
    const { restoredDatabase, epochChecks } = ports;
    const { compare } = databaseOnlyUseCases({ ...ports, store: usual.store }, real, {
      sessions,
      clock,
      config,
      logger,
    });
    return async () => {
      await restoredDatabase.detect();
      const due = await epochChecks.takeDue((await usual.time.read()).now());
      await Promise.allSettled(due.sort().map((walletId) => compare.execute(walletId)));
    };
  }
}
