import type { z } from 'zod';
import type { CodeOf } from '../declaration/asset-names.js';
import type { ExchangeClient } from '../client/exchange-client.js';
import { ExchangeError } from '../port/exchange-error.js';
import type { HistoryCapability, HistoryKind, HistoryPage, PageFacts } from '../port/exchange.port.js';
import { UnusableResponse } from '../transport/failed-read.js';
import type { TransferReader } from './transfer-form.js';
import { toHistory, type TransferRecord } from './transfer-record.js';

/** Maximum number of pages that a listing reads, unless its caller states another number. */
const PAGES_MAX = 40;

const UNREADABLE = 'an entry of the list is unreadable';
const INCOMPLETE = 'the list has more records than one search may read';

/** A period that includes both its ends. */
export interface Period {
  readonly since: Date;
  readonly until: Date;
}

/**
 * Returns a function that makes the request parameters of a period, in epoch milliseconds.
 * @param margin milliseconds that are added at both ends
 */
export function periodParams(from: string, to: string, margin = 0): (period: Period) => Record<string, string> {
  return ({ since, until }) => ({ [from]: String(since.getTime() - margin), [to]: String(until.getTime() + margin) });
}

/** One page of entries as the exchange sends them. */
export interface EntryPage extends PageFacts {
  readonly entries: readonly unknown[];
  /** Requests the next page of the same period; null = this is the last page of the period. */
  readonly nextCursor: string | null;
}

/** Records of one kind, newest first unless the exchange documents no order. */
export interface TransferList {
  readonly records: TransferRecord[];
  /** false = there are more records than a listing may read. A record that is not in the list may exist. */
  readonly isComplete: boolean;
}

/** The time of an entry, and its kind if the list has several; null = neither a deposit nor a withdrawal. */
export interface Dated {
  readonly at: Date;
  readonly kind?: HistoryKind | null;
}

/** How an exchange lists deposits and withdrawals. */
export interface TransferDeclaration {
  /** The exchange has no records before this moment. */
  readonly begins: Date;
  /** Longest period of one request; absent = unlimited. */
  readonly periodMaxMs?: number;
  /**
   * The exchange may select records by another time than the time in the record. `lateByMs` is the maximum by which the
   * time in the record is later; absent = the two times are equal.
   */
  readonly lateByMs?: number;
  readonly page: (kind: HistoryKind, period: Period, cursor: string | null) => Promise<EntryPage>;
  /** Reads time and kind, to leave out entries of other periods or kinds; absent = the pages have no such entries. */
  readonly dated?: z.ZodType<Dated>;
  /** @throws when the entry is unreadable. */
  readonly read: TransferReader;
}

/** A page of records. */
interface RecordPage extends PageFacts {
  readonly records: TransferRecord[];
  readonly unreadable: number;
  readonly nextCursor: string | null;
}

/** Reads an exchange's history: one period after the other, the newest first, and the pages of each period in order. */
export class TransferHistory implements HistoryCapability {
  readonly kinds: readonly HistoryKind[] = ['deposit', 'withdrawal'];
  readonly begins: Date;
  readonly lateByMs?: number;

  constructor(
    private readonly client: ExchangeClient,
    private readonly declared: TransferDeclaration,
  ) {
    this.begins = declared.begins;
    this.lateByMs = declared.lateByMs;
  }

  async page(kind: HistoryKind, range: Period, cursor: string | null): Promise<HistoryPage> {
    const { records, ...page } = await this.readPage(kind, range, cursor);
    return { ...page, records: records.map((record) => toHistory(record, kind)) };
  }

  /** The records since a moment, in at most `pagesMax` pages. @throws ExchangeError when one of them is unreadable */
  async list(kind: HistoryKind, since: Date, pagesMax = PAGES_MAX): Promise<TransferList> {
    const range = { since, until: this.client.clock.now() };
    const found = new Map<string, TransferRecord>();
    let cursor: string | null = null;
    let isComplete = true;
    for (let pages = 0; pages < pagesMax; pages++) {
      const page = await this.readPage(kind, range, cursor);
      if (page.unreadable > 0) throw this.unusable(UNREADABLE);
      for (const record of page.records) found.set(record.exchangeId, record);
      isComplete &&= page.unlistedAt === undefined;
      cursor = page.nextCursor;
      if (cursor === null) break;
    }
    return { records: [...found.values()], isComplete: isComplete && cursor === null };
  }

  /** All records since a moment. @throws ExchangeError when the listing is incomplete */
  async all(kind: HistoryKind, since: Date): Promise<TransferRecord[]> {
    const { records, isComplete } = await this.list(kind, since);
    if (isComplete) return records;
    throw this.incomplete();
  }

  /** The error of a search that must be complete and is not. A record that it did not find may exist. */
  incomplete(): ExchangeError {
    return this.unusable(INCOMPLETE);
  }

  /** Withdrawals that a search found, which has no further pages. @throws ExchangeError when one is unreadable */
  async found(search: Promise<readonly unknown[]>): Promise<TransferList> {
    return { records: await this.readWithdrawals(await search), isComplete: true };
  }

  /** @throws ExchangeError when one of the entries is unreadable */
  async readWithdrawals(entries: readonly unknown[]): Promise<TransferRecord[]> {
    const codeOf = await this.client.codes();
    const records = entries
      .map((entry) => this.readEntry('withdrawal', entry, codeOf))
      .filter((record) => record !== null);
    if (records.length === entries.length) return records;
    throw this.unusable(UNREADABLE);
  }

  private async readPage(kind: HistoryKind, range: Period, cursor: string | null): Promise<RecordPage> {
    const { period, inner } = this.position(range, cursor);
    const { entries: listed, nextCursor: innerCursor, ...facts } = await this.declared.page(kind, period, inner);
    const { dated } = this.declared;
    const codeOf = await this.client.codes();
    const entries = dated === undefined ? listed : entriesWithin(listed, dated, kind, period);
    const records = entries.map((entry) => this.readEntry(kind, entry, codeOf)).filter((record) => record !== null);
    const nextCursor = next(range, period, innerCursor);
    // Between two periods, all records of the first one have been read, even if it had none.
    const reachedAt = innerCursor === null ? { reachedAt: new Date(period.since.getTime() - 1) } : {};
    return { ...facts, ...reachedAt, records, unreadable: entries.length - records.length, nextCursor };
  }

  private readEntry(kind: HistoryKind, entry: unknown, codeOf: CodeOf): TransferRecord | null {
    try {
      return this.declared.read(kind, entry, codeOf);
    } catch {
      return null;
    }
  }

  /** Splits our cursor into the last millisecond of its period and the exchange's own cursor in that period. */
  private position({ since, until }: Period, cursor: string | null): { period: Period; inner: string | null } {
    const [, last, inner = ''] = cursor === null ? [] : (/^(\d{1,15}):(.*)$/s.exec(cursor) ?? []);
    if (cursor !== null && last === undefined) {
      throw new ExchangeError('refused', this.client.exchange, 'the cursor is not valid', { reason: 'invalid_cursor' });
    }
    const end = last === undefined ? until.getTime() : Number(last);
    const start = Math.max(since.getTime(), end - (this.declared.periodMaxMs ?? Number.MAX_SAFE_INTEGER) + 1);
    return { period: { since: new Date(start), until: new Date(end) }, inner: inner === '' ? null : inner };
  }

  private unusable(what: string): ExchangeError {
    return new UnusableResponse(this.client.exchange, what);
  }
}

/**
 * The entries of a kind and a period, newest first. An entry without a readable time is kept for every kind and period,
 * so that it is counted as unreadable.
 */
function entriesWithin(
  entries: readonly unknown[],
  form: z.ZodType<Dated>,
  kind: HistoryKind,
  { since, until }: Period,
): unknown[] {
  // Some exchanges state times in whole seconds, so a record can seem older than the start of the period.
  const start = Math.floor(since.getTime() / 1000) * 1000;
  const found = entries.flatMap((entry) => {
    const { at = null, kind: own = kind } = form.safeParse(entry).data ?? {};
    if (at === null) return [{ entry, time: 0 }];
    const time = at.getTime();
    return own === kind && time >= start && at <= until ? [{ entry, time }] : [];
  });
  return found.sort((a, b) => b.time - a.time).map(({ entry }) => entry);
}

function next(range: Period, { since, until }: Period, innerCursor: string | null): string | null {
  if (innerCursor !== null) return `${until.getTime()}:${innerCursor}`;
  return since > range.since ? `${since.getTime() - 1}:` : null;
}
