import type { Prices } from '#market';
import type { Clock } from '#platform/clock';
import type { Config } from '#platform/config';
import type { Database } from '#platform/database';
import { Events } from '#platform/events';
import type { Logger } from '#platform/logging';
import { ExchangePauses, Wallets, type WalletSessions } from '#wallet';
import { HistoryWatchers, type HistoryWatcher } from '../history/history-watchers.js';
import { HistoryWriter } from '../sync/history-writer.js';
import type { SyncMetrics } from '../sync/sync.metrics.js';
import { SyncStore } from '../sync/sync-store.js';
import { SyncTransactions } from '../sync/sync-transactions.js';

export interface HistorySyncParts {
  clock: Clock;
  config: Config;
  logger: Logger;
}

/**
 * The parts of the history sync that use PostgreSQL. Each method runs in one transaction, unless the caller has already
 * begun one.
 */
export interface HistorySyncPorts {
  db: Pick<Database, 'transaction'>;
  syncStore: SyncStore;
}

export function historySyncPorts(db: Database, { clock, config }: Omit<HistorySyncParts, 'logger'>): HistorySyncPorts {
  return { db, syncStore: new SyncStore(db, new Wallets(db, clock), clock, config) };
}

/**
 * The history sync of one process, without prices and metrics.
 * @param real the database for `HistoryWriter` and `Wallets`, which run inside the transactions of `db`
 */
export function syncOver(
  { db, syncStore }: HistorySyncPorts,
  real: Database,
  {
    clock,
    config,
    logger,
    sessions,
    watcher,
  }: HistorySyncParts & { sessions: WalletSessions; watcher?: HistoryWatcher },
): SyncTransactions {
  const noPrices: Pick<Prices, 'at'> = { at: (questions) => Promise.resolve(questions.map(() => null)) };
  const noMetrics: Pick<SyncMetrics, 'ended' | 'read'> = { ended: () => undefined, read: () => undefined };
  const watchers = new HistoryWatchers();
  if (watcher !== undefined) watchers.add(watcher);
  return new SyncTransactions(
    db as Database,
    syncStore,
    new HistoryWriter(real, new Events(real, clock), clock, logger),
    new Wallets(real, clock),
    sessions,
    new ExchangePauses(clock, config),
    noPrices as Prices,
    watchers,
    noMetrics as SyncMetrics,
    clock,
    config,
    logger,
  );
}
