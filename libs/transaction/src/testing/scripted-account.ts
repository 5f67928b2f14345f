import {
  ExchangeError,
  type ExchangeErrorKind,
  type Exchanges,
  type ExchangeSession,
  type ExchangeSpec,
  type HistoryCapability,
  type HistoryKind,
  type HistoryPage,
  type HistoryRecord,
} from '#exchange';
import { Amount } from '#money';
import { assertOutsideTransaction } from '#platform/database';

/** A record that the scripted exchange lists. A test may change it later. */
export interface ScriptedRecord extends HistoryRecord {
  /** The time that decides whether a range contains the record; absent = the time of the record. */
  selectedAt?: Date;
}

/**
 * One account at an exchange, whose records a test writes. These records are the source of truth. Every wallet opens
 * this account.
 */
export class ScriptedAccount implements Pick<Exchanges, 'open' | 'openFresh' | 'find' | 'specs'> {
  readonly records: ScriptedRecord[] = [];
  pageSize = 3;
  /** Number of unreadable entries on each page. */
  unreadable = 0;
  /** Whether the exchange lists the oldest records first. */
  isOldestFirst = false;
  /** The moment of which the exchange lists only a part of the records; absent = none. */
  unlistedAt?: Date;
  /** The error of every call; null = calls succeed. */
  failure: ExchangeErrorKind | null = null;
  /** Every listing awaits this hook before it returns a page. */
  onPage: (cursor: string | null) => void | Promise<void> = () => undefined;
  hasHistory = true;
  lateByMs?: number;
  readonly asked: { kind: HistoryKind; since: Date; until: Date; cursor: string | null }[] = [];
  private cursorGeneration = 0;
  private made = 0;

  specs(): ExchangeSpec[] {
    return [];
  }

  find(): null {
    return null;
  }

  openFresh(): Promise<ExchangeSession> {
    return this.open();
  }

  open(): Promise<ExchangeSession> {
    assertOutsideTransaction('opening a session');
    return Promise.resolve({
      exchange: 'kraken',
      connectorVersion: 'scripted 1',
      asksInParallel: false,
      balances: () => Promise.reject(new Error('this test exchange has no balances')),
      assetNames: () => Promise.reject(new Error('this test exchange names no assets')),
      keyInfo: () => Promise.reject(this.refusal()),
      history: this.hasHistory ? this.history() : undefined,
    });
  }

  /** Adds a record to the listing. */
  add(at: Date, rest: Partial<ScriptedRecord> = {}): ScriptedRecord {
    const record: ScriptedRecord = {
      kind: 'deposit',
      exchangeId: `R${++this.made}`,
      status: 'ok',
      rawStatus: 'Success',
      asset: 'BTC',
      amount: Amount.of('0.5'),
      fee: null,
      feeAsset: null,
      network: 'bitcoin',
      exchangeNetwork: 'Bitcoin',
      address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
      tag: null,
      hash: null,
      at,
      ...rest,
    };
    this.records.push(record);
    return record;
  }

  /** Invalidates all cursors. */
  forgetCursors(): void {
    this.cursorGeneration++;
  }

  private history(): HistoryCapability {
    return {
      kinds: ['deposit', 'withdrawal'],
      begins: new Date(Date.UTC(2020, 0, 1)),
      lateByMs: this.lateByMs,
      page: async (kind, range, cursor) => {
        assertOutsideTransaction('calling an exchange');
        this.asked.push({ kind, ...range, cursor });
        await this.onPage(cursor);
        if (this.failure !== null) throw this.refusal();
        return this.page(kind, range, cursor);
      },
    };
  }

  private page(kind: HistoryKind, { since, until }: { since: Date; until: Date }, cursor: string | null): HistoryPage {
    const listed = this.records
      .map((record, place) => ({ record, place }))
      .filter(({ record: { at, selectedAt = at, ...record } }) => {
        return record.kind === kind && selectedAt >= since && selectedAt <= until;
      })
      .sort((a, b) => b.record.at.getTime() - a.record.at.getTime() || b.place - a.place)
      .map(({ record }) => ({ ...record }));
    if (this.isOldestFirst) listed.reverse();
    const from = cursor === null ? 0 : this.placeAfter(cursor, listed);
    const records = listed.slice(from, from + this.pageSize);
    const isLast = from + this.pageSize >= listed.length;
    const last = records.at(-1);
    return {
      records,
      unreadable: this.unreadable,
      ...(this.isOldestFirst && !isLast && { reachedAt: until }),
      ...(this.unlistedAt !== undefined && { unlistedAt: this.unlistedAt }),
      nextCursor: isLast || last === undefined ? null : `${this.cursorGeneration} ${last.exchangeId}`,
    };
  }

  private placeAfter(cursor: string, listed: HistoryRecord[]): number {
    const place = listed.findIndex(({ exchangeId }) => cursor === `${this.cursorGeneration} ${exchangeId}`);
    if (place === -1) throw new ExchangeError('refused', 'kraken', 'scripted', { reason: 'invalid_cursor' });
    return place + 1;
  }

  private refusal(): ExchangeError {
    return new ExchangeError(this.failure ?? 'unavailable', 'kraken', `scripted ${this.failure}`);
  }
}
