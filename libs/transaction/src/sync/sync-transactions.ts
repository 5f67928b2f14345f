import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import {
  ExchangeError,
  type ExchangeSession,
  type HistoryCapability,
  type HistoryPage,
  type HistoryRecord,
} from '#exchange';
import { Prices } from '#market';
import type { Amount } from '#money';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { Database } from '#platform/database';
import { logFailedWork } from '#platform/errors';
import { LOGGER, type Logger } from '#platform/logging';
import { ExchangePauses, WalletNotFound, Wallets, WalletSessions } from '#wallet';
import {
  afterPage,
  earliest,
  nextWindow,
  rangeAhead,
  rangeOf,
  type HistorySync,
  type PageRead,
  type Range,
} from './history-sync.js';
import { HistoryWatchers } from '../history/history-watchers.js';
import { HistoryWriter } from './history-writer.js';
import type { PricedRecord } from './merge-record.js';
import { soundRecord } from './sound-record.js';
import { SyncMetrics } from './sync.metrics.js';
import {
  SyncStore,
  type AwaitedId,
  type KnownRecord,
  type KnownRecords,
  type SyncedWallet,
  type SyncId,
  type SyncTask,
} from './sync-store.js';

/** Reading a history never deletes a wallet, and is too rare to keep a session for it. */
const IN_BACKGROUND = { autoDelete: false, keepSession: false };
/** Pause after the first failure in a row, and the longest pause. */
const BACKOFF_FIRST_MS = 5_000;
const BACKOFF_MAX_MS = 3_600_000;
/** Longest pause between two readings of a history whose exchange does not respond. */
const PAUSED_MS = 60_000;
/** Pause before the next try to read a kind of record that the exchange does not offer. */
const UNSUPPORTED_PAUSE_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/**
 * While the exchange's id of one of our withdrawals is not known, a record of the same asset may be this withdrawal if
 * it is younger than the withdrawal by at most this time. Such a record gets no row yet.
 */
const DEFER_MS = 24 * HOUR_MS;
/** Decimal places of a fiat value. */
const FIAT_DECIMALS = 8;
/** Maximum number of histories in `logged`. Missing records of a history in `logged` are not logged again. */
const LOGGED_MAX = 1_000;

/** A page and the time before which the exchange has no records. */
interface ReadPage {
  page: HistoryPage;
  begins: Date;
}

/** Returns the progress after a page, and when the next job is due. */
type Plan = (page: PageRead) => { after: HistorySync; nextSyncAt: Date };

/** The outcome of one page. `overtaken`: another job has stored the page. */
type PageEnd = 'more' | 'complete' | 'overtaken' | 'invalid_cursor';

/**
 * Reads some pages of one history of one wallet, from the newest record to the oldest, and schedules the next job. A
 * page and the progress after it are stored in one transaction, so an interrupted reading continues after the last
 * stored page. Repeated and simultaneous runs do no harm.
 */
@Injectable()
export class SyncTransactions {
  private readonly logged = new LRUCache<string, true>({ max: LOGGED_MAX });

  constructor(
    private readonly db: Database,
    private readonly store: SyncStore,
    private readonly writer: HistoryWriter,
    private readonly wallets: Wallets,
    private readonly sessions: WalletSessions,
    private readonly pauses: ExchangePauses,
    private readonly prices: Prices,
    private readonly watchers: HistoryWatchers,
    private readonly metrics: SyncMetrics,
    private readonly clock: Clock,
    private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async execute(id: SyncId): Promise<void> {
    const task = await this.store.find(id);
    if (task === null) return;
    const outcome = task.wallet.isDeleted ? await this.forget(id) : await this.read(task);
    this.metrics.ended(task.wallet.exchange, outcome);
  }

  private async forget(id: SyncId): Promise<string> {
    await this.store.remove(id);
    return 'deleted';
  }

  private async read(task: SyncTask): Promise<string> {
    const { wallet, sync } = task;
    if (wallet.isInvalid) {
      // The history is not read until the refresh of the balances finds that the credentials are valid again.
      await this.store.postpone(sync, this.later(this.periodMs));
      return 'invalid';
    }
    if (!this.pauses.admits(wallet)) {
      await this.store.postpone(sync, this.later(Math.min(this.periodMs / 2, PAUSED_MS)));
      return 'paused';
    }
    try {
      const end = await this.sessions.use(wallet, IN_BACKGROUND, (session) => this.readPages(session, task));
      this.pauses.answered(wallet);
      return end;
    } catch (error) {
      if (error instanceof WalletNotFound) return this.forget(sync);
      return this.backOff(task, error);
    }
  }

  private async readPages({ history }: ExchangeSession, task: SyncTask): Promise<string> {
    if (!history?.kinds.includes(task.sync.kind)) {
      await this.store.postpone(task.sync, this.later(UNSUPPORTED_PAUSE_MS));
      return 'unsupported';
    }
    const { TRANSACTION_SYNC_PAGES: pagesMax, TRANSACTION_SYNC_PAGE_PAUSE_MS: pauseMs } = this.config.constants;
    for (let pages = 1 + (await this.readAhead(history, task, pagesMax)); pages < pagesMax; pages++) {
      const end = await this.readPage(history, task, this.store.leaseEnd());
      if (end !== 'more') return end;
    }
    return this.readPage(history, task, this.later(pagesMax * pauseMs));
  }

  /**
   * Reads the newest records if a window has been read for long, so that they need not wait for its end. Reads at most
   * half of the pages of a job. If there are more, they are read after the window, as are those that were read here.
   * @returns how many pages were read
   */
  private async readAhead(history: HistoryCapability, task: SyncTask, pagesMax: number): Promise<number> {
    const range = rangeAhead(task.sync, this.clock.now(), this.periodMs);
    if (range === null) return 0;
    const most = Math.max(1, Math.floor(pagesMax / 2));
    let cursor: string | null = null;
    for (let pages = 1; ; pages++) {
      const page = await this.ask(history, { kind: task.sync.kind, cursor }, range);
      if (page === null) return pages;
      cursor = page.nextCursor;
      const isLast = cursor === null || pages >= most;
      const isStored = await this.storePage(task, { page, begins: history.begins }, () => ({
        after: { ...task.sync, aheadUntil: isLast ? range.until : task.sync.aheadUntil },
        nextSyncAt: this.store.leaseEnd(),
      }));
      if (isLast || !isStored) return pages;
    }
  }

  /** @param nextSyncAt when to continue if there are more pages. */
  private async readPage(history: HistoryCapability, task: SyncTask, nextSyncAt: Date): Promise<PageEnd> {
    const { wallet, sync } = task;
    const window = await this.windowOf(sync, history);
    const page = await this.ask(history, sync, rangeOf(sync, window));
    if (page === null) return this.loseCursor(sync);
    const isLast = page.nextCursor === null;
    // A window that took long is followed by the next one at once.
    const nextWindowAt = new Date(window.until.getTime() + this.periodMs * paceOf(wallet.id));
    const isStored = await this.storePage(task, { page, begins: history.begins }, (facts) => ({
      after: afterPage(sync, window, facts),
      nextSyncAt: isLast ? nextWindowAt : nextSyncAt,
    }));
    if (!isStored) return 'overtaken';
    return isLast ? 'complete' : 'more';
  }

  /** Stores the records of a page and the progress after it. @returns false when another job has stored progress */
  private async storePage(task: SyncTask, { page, begins }: ReadPage, plan: Plan): Promise<boolean> {
    const { wallet, sync } = task;
    const sound = page.records.map(soundRecord).filter((record) => record !== null);
    const skipped = page.unreadable + page.records.length - sound.length;
    const known = await this.store.knownRecords(wallet, sync.kind, sound);
    if (sync.kind === 'withdrawal')
      await this.watchers.appeared(
        wallet,
        sound.filter(({ exchangeId }) => !known.has(exchangeId)),
      );
    const priced = await this.price(wallet, sound, known);
    const written = await this.commit(task, { page, begins }, { priced, known, plan });
    if (written === null) return false;
    task.sync = written.sync;
    const isUnlisted = page.unlistedAt !== undefined;
    this.metrics.read(wallet.exchange, sync.kind, { created: written.created, skipped, isUnlisted });
    if (skipped > 0 || isUnlisted) this.logMissing(sync, { skipped, unlistedAt: page.unlistedAt });
    return true;
  }

  private async windowOf(sync: HistorySync, { begins, lateByMs }: HistoryCapability): Promise<Range> {
    const { windowSince: since, windowUntil: until } = sync;
    if (since !== null && until !== null) return { since, until };
    return nextWindow(sync, {
      now: this.clock.now(),
      begins,
      lateByMs,
      overlapMs: this.config.constants.TRANSACTION_OVERLAP_HOURS * HOUR_MS,
      oldestPending: await this.store.oldestPending(sync),
    });
  }

  /** Requests a page. @returns null when the exchange no longer accepts the cursor */
  private async ask(
    history: HistoryCapability,
    { kind, cursor }: Pick<HistorySync, 'kind' | 'cursor'>,
    range: Range,
  ): Promise<HistoryPage | null> {
    try {
      const page = await history.page(kind, range, cursor);
      if (page.nextCursor === null || page.nextCursor !== cursor) return page;
    } catch (error) {
      if (cursor !== null && error instanceof ExchangeError && error.reason === 'invalid_cursor') return null;
      throw error;
    }
    throw new Error('the exchange returned the same history cursor twice');
  }

  private async loseCursor(sync: HistorySync): Promise<PageEnd> {
    const nextSyncAt = sync.failures === 0 ? this.clock.now() : this.later(this.backOffMs(sync.failures));
    await this.store.move(sync, { ...sync, cursor: null, failures: sync.failures + 1 }, nextSyncAt);
    return 'invalid_cursor';
  }

  private commit(
    { wallet, sync }: SyncTask,
    { page, begins }: ReadPage,
    { priced, known, plan }: { priced: PricedRecord[]; known: KnownRecords; plan: Plan },
  ): Promise<{ sync: HistorySync; created: number } | null> {
    const times = priced.map(({ record }) => record.at);
    return this.db.transaction(async (tx) => {
      await this.wallets.lockConnected(tx, wallet.id);
      const awaited = sync.kind === 'withdrawal' ? await this.store.awaitedIds(tx, wallet) : [];
      // Only a record without a row may be a withdrawal of ours whose id at the exchange is not known yet.
      const mayBeOurs = ({ record }: PricedRecord): boolean =>
        !known.has(record.exchangeId) && awaited.some((own) => this.mayBe(record, own));
      const { after, nextSyncAt } = plan({
        ...page,
        records: priced.length,
        oldest: earliest(...times),
        deferredFrom: earliest(...priced.filter(mayBeOurs).map(({ record }) => record.at)),
      });
      const moved = await this.store.move(sync, after, nextSyncAt, tx);
      if (moved === null) return null;
      const created = await this.writer.write(
        tx,
        wallet,
        priced.filter((one) => !mayBeOurs(one)),
        // Records from before the wallet was connected raise no events.
        ({ occurredAt }) => sync.completeUntil !== null || occurredAt >= sync.eventsSince,
      );
      const showsProgress = sync.completeUntil === null || page.unlistedAt !== undefined;
      if (showsProgress) await this.store.recordProgress(tx, wallet.id, begins);
      return { sync: moved, created };
    });
  }

  /**
   * Whether a record may be `own`, a withdrawal of ours whose id at the exchange is not known yet. It may be if it has
   * the same asset and is younger than `own` by at most DEFER_MS, or older by at most WITHDRAWAL_CLOCK_SKEW_MS. The
   * sync leaves such a record for a later read. A record that is even younger gets a row, because the id may stay
   * unknown until an operator decides the withdrawal. If the record turns out to be the withdrawal, `Transactions.link`
   * supersedes that row.
   */
  private mayBe({ asset, at }: HistoryRecord, own: AwaitedId): boolean {
    const { WITHDRAWAL_CLOCK_SKEW_MS: skewMs } = this.config.constants;
    const sinceMs = at.getTime() - own.since.getTime();
    return asset === own.asset && sinceMs >= -skewMs && sinceMs <= DEFER_MS;
  }

  /** Adds fiat values to the records that have none. When no prices can be read, the history is still read. */
  private async price(
    { exchange }: SyncedWallet,
    records: readonly HistoryRecord[],
    known: KnownRecords,
  ): Promise<PricedRecord[]> {
    const open = records.filter((record) => !hasItsValue(record, known.get(record.exchangeId)));
    const questions = open.flatMap(({ asset, feeAsset, at }) => [
      { exchange, asset, at },
      { exchange, asset: feeAsset ?? asset, at },
    ]);
    const prices = await this.prices.at(questions).catch((error: unknown) => {
      logFailedWork(
        this.logger,
        error,
        'past prices could not be read; records are stored without values in US dollars',
      );
      return [];
    });
    const places = new Map(open.map((record, index) => [record, 2 * index]));
    return records.map((record) => {
      const place = places.get(record) ?? Infinity;
      return {
        record,
        amountInFiat: valueOf(record.amount, prices[place]),
        feeInFiat: valueOf(record.fee, prices[place + 1]),
      };
    });
  }

  /** Postpones the reading. Errors of an exchange are logged here; failures on our side are thrown again. */
  private async backOff(task: SyncTask, error: unknown): Promise<string> {
    const { wallet, sync } = task;
    await this.store.postpone({ ...sync, failures: sync.failures + 1 }, this.later(this.backOffMs(sync.failures)));
    const cause = error instanceof Error ? error.cause : undefined;
    if (!(cause instanceof ExchangeError)) throw error;
    this.pauses.failed(wallet, cause);
    const { kind, failures } = sync;
    logFailedWork(this.logger, error, 'the history of a wallet could not be read', {
      wallet: wallet.id,
      kind,
      failures: failures + 1,
    });
    return cause.kind;
  }

  private backOffMs(failures: number): number {
    return Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 2 ** Math.min(failures, 20));
  }

  private logMissing({ walletId, kind }: HistorySync, facts: { skipped: number; unlistedAt: Date | undefined }): void {
    const id = `${walletId} ${kind}`;
    if (this.logged.has(id)) return;
    this.logged.set(id, true);
    this.logger.error({ wallet: walletId, kind, ...facts }, 'some records of a wallet could not be read');
  }

  private get periodMs(): number {
    return this.config.values.TRANSACTION_SYNC_SECONDS * 1_000;
  }

  private later(ms: number): Date {
    return new Date(this.clock.now().getTime() + ms);
  }
}

/** Whether a known record needs no new fiat value: amount and fee are unchanged. */
function hasItsValue({ amount, fee }: HistoryRecord, known: KnownRecord | undefined): boolean {
  if (known === undefined || !known.isValued || !amount.equals(known.amount)) return false;
  return fee === null || (known.fee !== null && fee.equals(known.fee));
}

function valueOf(amount: Amount | null, price: Amount | null | undefined): Amount | null {
  if (amount === null || price === null || price === undefined) return null;
  return amount.times(price).truncate(FIAT_DECIMALS);
}

/** Returns a wallet's factor for the pause, from 0.9 to 1, so that wallets that are due together drift apart. */
function paceOf(walletId: string): number {
  return 0.9 + (0.1 * Number.parseInt(walletId.slice(-8), 16)) / 2 ** 32;
}
