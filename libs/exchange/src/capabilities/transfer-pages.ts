import type { z } from 'zod';
import type { CcxtClient } from '../ccxt/ccxt-client.js';
import { ExchangeError } from '../port/exchange-error.js';
import type { HistoryCapability, HistoryKind, HistoryPage } from '../port/exchange.port.js';
import { UnusableResponse } from '../transport/failed-read.js';
import type { TransferReader } from './transfer-form.js';
import { toHistory, type TransferRecord } from './transfer-record.js';

/** Maximum number of pages that one complete listing reads. */
const PAGES_MAX = 40;

const UNREADABLE = 'an entry of the list is unreadable';

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

/** One page of entries as the exchange sends them, newest first. */
export interface EntryPage {
  readonly entries: readonly unknown[];
  /** Requests the next, older page of the same period; null = this is the last page of the period. */
  readonly nextCursor: string | null;
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

/** Reads an exchange's history, newest first: one period after the other, and the pages of each period in order. */
export class TransferHistory implements HistoryCapability {
  readonly kinds: readonly HistoryKind[] = ['deposit', 'withdrawal'];
  readonly begins: Date;
  readonly lateByMs?: number;

  constructor(
    private readonly client: CcxtClient,
    private readonly declared: TransferDeclaration,
  ) {
    this.begins = declared.begins;
    this.lateByMs = declared.lateByMs;
  }

  async page(kind: HistoryKind, range: Period, cursor: string | null): Promise<HistoryPage> {
    const { records, unreadable, nextCursor } = await this.readPage(kind, range, cursor);
    return { records: records.map((record) => toHistory(record, kind)), unreadable, nextCursor };
  }

  /** All records since a moment. @throws ExchangeError when the listing is incomplete */
  async all(kind: HistoryKind, since: Date): Promise<TransferRecord[]> {
    const range = { since, until: this.client.clock.now() };
    const found = new Map<string, TransferRecord>();
    let cursor: string | null = null;
    for (let pages = 0; pages < PAGES_MAX; pages++) {
      const page = await this.readPage(kind, range, cursor);
      if (page.unreadable > 0) throw this.unusable(UNREADABLE);
      for (const record of page.records) found.set(record.exchangeId, record);
      cursor = page.nextCursor;
      if (cursor === null) return [...found.values()];
    }
    throw this.unusable(`the list of records has more than ${PAGES_MAX} pages`);
  }

  /** Withdrawals that a search found. @throws ExchangeError when one of them is unreadable */
  readWithdrawals(entries: readonly unknown[]): TransferRecord[] {
    const records = entries.map((entry) => this.readEntry('withdrawal', entry)).filter((record) => record !== null);
    if (records.length === entries.length) return records;
    throw this.unusable(UNREADABLE);
  }

  private async readPage(
    kind: HistoryKind,
    range: Period,
    cursor: string | null,
  ): Promise<{ records: TransferRecord[]; unreadable: number; nextCursor: string | null }> {
    const { period, inner } = this.position(range, cursor);
    const page = await this.declared.page(kind, period, inner);
    const { dated } = this.declared;
    const entries = dated === undefined ? page.entries : entriesWithin(page.entries, dated, kind, period);
    const records = entries.map((entry) => this.readEntry(kind, entry)).filter((record) => record !== null);
    return { records, unreadable: entries.length - records.length, nextCursor: next(range, period, page) };
  }

  private readEntry(kind: HistoryKind, entry: unknown): TransferRecord | null {
    try {
      return this.declared.read(kind, entry, this.client.codeOf);
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

function next(range: Period, { since, until }: Period, { nextCursor }: EntryPage): string | null {
  if (nextCursor !== null) return `${until.getTime()}:${nextCursor}`;
  return since > range.since ? `${since.getTime() - 1}:` : null;
}

/** How an exchange lists records if its pages are requested by time. */
export interface TimePages {
  readonly pageSize: number;
  /** The newest records of the period, at most `pageSize`. */
  readonly fetch: (kind: HistoryKind, period: Period) => Promise<readonly unknown[]>;
  /** @throws when the entry has no time */
  readonly timeOf: (entry: unknown) => Date;
}

/**
 * Requests pages by time. Each page ends at the time of the oldest record of the page before it, so that records of
 * that moment are repeated rather than lost.
 */
export function pageByTime(exchange: string, { pageSize, fetch, timeOf }: TimePages): TransferDeclaration['page'] {
  return async (kind, period, cursor) => {
    const until = cursor === null ? period.until : new Date(Number(cursor));
    const entries = await fetch(kind, { since: period.since, until });
    if (entries.length < pageSize) return { entries, nextCursor: null };
    const oldest = Math.min(...entries.map((entry) => timeOf(entry).getTime()));
    if (oldest < until.getTime()) return { entries, nextCursor: String(oldest) };
    throw new UnusableResponse(exchange, 'more records have the same time than one page can contain');
  };
}

/** How an exchange lists records if its pages are requested by their position in the list of a period. */
export interface OffsetPages {
  readonly pageSize: number;
  /** The records of the period from the position `offset` on, at most `pageSize`. */
  readonly fetch: (kind: HistoryKind, period: Period, offset: number) => Promise<readonly unknown[]>;
}

/** Maximum number of requests for one period. */
const REQUESTS_MAX = 10;

/**
 * Reads all records of a period as one page, because the order in which the exchange lists them is not documented, and
 * pages must be newest first.
 */
export function wholePeriods(exchange: string, { pageSize, fetch }: OffsetPages): TransferDeclaration['page'] {
  return async (kind, period) => {
    const entries: unknown[] = [];
    for (let requests = 0; requests < REQUESTS_MAX; requests++) {
      const page = await fetch(kind, period, entries.length);
      entries.push(...page);
      if (page.length < pageSize) return { entries, nextCursor: null };
    }
    throw new UnusableResponse(exchange, `the records of one period need more than ${REQUESTS_MAX} requests`);
  };
}
