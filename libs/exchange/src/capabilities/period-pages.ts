import type { HistoryKind } from '../port/exchange.port.js';
import type { EntryPage, Period, TransferDeclaration } from './transfer-pages.js';

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
 * that moment are repeated rather than lost. If a page contains only records of one moment, there may be more of them,
 * which no request can reach. The page says so, and the next one ends before that moment.
 */
export function pageByTime({ pageSize, fetch, timeOf }: TimePages): TransferDeclaration['page'] {
  return async (kind, period, cursor) => {
    const until = cursor === null ? period.until : new Date(Number(cursor));
    const entries = await fetch(kind, { since: period.since, until });
    if (entries.length < pageSize) return { entries, nextCursor: null };
    const oldest = Math.min(...entries.map((entry) => timeOf(entry).getTime()));
    if (oldest < until.getTime()) return { entries, nextCursor: String(oldest) };
    const nextCursor = until > period.since ? String(until.getTime() - 1) : null;
    return { entries, nextCursor, unlistedAt: until };
  };
}

/** How an exchange lists records if its pages are requested by their position in the list of a period. */
export interface OffsetPages {
  readonly pageSize: number;
  /** The shortest period of a request, in milliseconds. */
  readonly unitMs: number;
  /** The records of the period from the position `offset` on, at most `pageSize`, in any order. */
  readonly fetch: (kind: HistoryKind, period: Period, offset: number) => Promise<readonly unknown[]>;
}

/** Maximum number of requests of one page. A part of a period is split if its records need more requests. */
const REQUESTS_MAX = 5;

/** Where the reading of a period continues. */
export interface Part {
  /** The last millisecond of the part of the period that is read next. */
  readonly end: number;
  /** The length of this part in milliseconds. */
  readonly lengthMs: number;
  /** Number of entries of this part that were read. */
  readonly offset: number;
}

/**
 * Reads a period in parts, the newest first, because the order in which the exchange lists the records of a period is
 * not documented. A part that needs more than `REQUESTS_MAX` requests is split in halves: what was read of it is
 * returned, and the next page reads the newer half. A part that cannot be split is read by position, in several pages.
 */
export function splitPeriods(pages: OffsetPages): TransferDeclaration['page'] {
  const { pageSize, unitMs, fetch } = pages;
  const most = REQUESTS_MAX * pageSize;
  return async (kind, whole, cursor): Promise<EntryPage> => {
    const part = partAt(whole, cursor);
    const period = periodOf(whole, part);
    const entries = [...(await fetch(kind, period, part.offset))];
    let isFull = entries.length === pageSize;
    const isShortest = period.until.getTime() - period.since.getTime() < unitMs;
    if (isFull && !isShortest) {
      const beyond = await fetch(kind, period, most);
      if (beyond.length > 0) return splitAfter(whole, part, [...entries, ...beyond]);
    }
    for (let requests = 1; isFull && requests < REQUESTS_MAX; requests++) {
      const page = await fetch(kind, period, part.offset + entries.length);
      entries.push(...page);
      isFull = page.length === pageSize;
    }
    if (!isFull) return nextPart(whole, part, { entries, isDense: entries.length > most / 2 });
    return isShortest ? atOffset(part, entries) : splitAfter(whole, part, entries);
  };
}

/** The part with which a period is read at a cursor of `nextPart`, `splitAfter` or `atOffset`. */
export function partAt({ since, until }: Period, cursor: string | null, firstMs = Infinity): Part {
  const [, end, length, offset] = /^(\d{1,15})\+(\d{1,15})\+(\d{1,10})$/.exec(cursor ?? '') ?? [];
  if (end !== undefined) return { end: Number(end), lengthMs: Number(length), offset: Number(offset) };
  const lengthMs = Math.max(1, Math.min(firstMs, until.getTime() - since.getTime() + 1));
  return { end: until.getTime(), lengthMs, offset: 0 };
}

export function periodOf({ since }: Period, { end, lengthMs }: Part): Period {
  return { since: new Date(Math.max(since.getTime(), end - lengthMs + 1)), until: new Date(end) };
}

/** A page that ends a part. The next part is as long, or twice as long if this one had few records. */
export function nextPart(
  whole: Period,
  part: Part,
  { entries, isDense }: { entries: readonly unknown[]; isDense: boolean },
): EntryPage {
  const { since } = periodOf(whole, part);
  if (since <= whole.since) return { entries, nextCursor: null };
  const end = since.getTime() - 1;
  const lengthMs = isDense ? part.lengthMs : 2 * part.lengthMs;
  return { entries, nextCursor: cursorOf({ end, lengthMs, offset: 0 }), reachedAt: new Date(end) };
}

/** A page of a part that has too many records. The next page reads its newer half, which repeats some of them. */
export function splitAfter(whole: Period, part: Part, entries: readonly unknown[]): EntryPage {
  const { since, until } = periodOf(whole, part);
  const lengthMs = Math.ceil((until.getTime() - since.getTime() + 1) / 2);
  return { entries, nextCursor: cursorOf({ ...part, lengthMs }), reachedAt: until, isRepeated: true };
}

/** A page of a part that continues after `entries`. */
function atOffset(part: Part, entries: readonly unknown[]): EntryPage {
  const offset = part.offset + entries.length;
  return { entries, nextCursor: cursorOf({ ...part, offset }), reachedAt: new Date(part.end) };
}

function cursorOf({ end, lengthMs, offset }: Part): string {
  return `${end}+${lengthMs}+${offset}`;
}
