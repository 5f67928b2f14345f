import { Injectable } from '@nestjs/common';
import type { HistoryRecord } from '#exchange';

/** The wallet whose history was read. */
export interface WatchedWallet {
  id: string;
}

/** Compares the withdrawals that histories show with other rows. */
export interface HistoryWatcher {
  /** Called with withdrawals that have no row yet, before they are stored. A repeated call must change nothing. */
  appeared: (wallet: WatchedWallet, records: readonly HistoryRecord[]) => Promise<void>;
}

/** The watchers of all histories. Other libs add theirs, because this lib must not import them. */
@Injectable()
export class HistoryWatchers {
  private readonly watchers: HistoryWatcher[] = [];

  add(watcher: HistoryWatcher): void {
    this.watchers.push(watcher);
  }

  /** When a watcher fails, the page is not stored, and is read again. */
  async appeared(wallet: WatchedWallet, records: readonly HistoryRecord[]): Promise<void> {
    if (records.length === 0) return;
    for (const watcher of this.watchers) await watcher.appeared(wallet, records);
  }
}
