import type { ExchangeClient } from '../../../client/exchange-client.js';
import { ExchangeError } from '../../../port/exchange-error.js';
import { toHistory } from '../../../capabilities/transfer-record.js';
import type { HistoryCapability, HistoryKind, HistoryPage } from '../../../port/exchange.port.js';
import { readRecord, type KrakenListing } from '../protocol/kraken-responses.js';
import { fetchListing, DEPOSIT_STATUS, WITHDRAW_STATUS } from '../protocol/kraken-listing.js';
import { toTransfer } from './kraken-records.js';

const endpoints = { deposit: DEPOSIT_STATUS, withdrawal: WITHDRAW_STATUS } as const;

/** The deposits and withdrawals of one Kraken account. Each listing contains all assets. */
export class KrakenHistory implements HistoryCapability {
  readonly kinds = ['deposit', 'withdrawal'] as const;
  /** Kraken was founded in July 2011, and opened two years later. */
  readonly begins = new Date(Date.UTC(2011, 6, 1));

  constructor(private readonly client: ExchangeClient) {}

  async page(kind: HistoryKind, range: { since: Date; until: Date }, cursor: string | null): Promise<HistoryPage> {
    const assets = await this.client.assets();
    const { entries, nextCursor } = await this.ask(kind, range, cursor);
    const known = entries.map(readRecord).filter((record) => record !== null);
    return {
      records: known.map((record) => toHistory(toTransfer(record, kind, assets.codeOf(record.asset)), kind)),
      unreadable: entries.length - known.length,
      nextCursor,
    };
  }

  private async ask(
    kind: HistoryKind,
    { since, until }: { since: Date; until: Date },
    cursor: string | null,
  ): Promise<KrakenListing> {
    const params = {
      start: String(Math.floor(since.getTime() / 1000)),
      // Kraken rounds the times of records down to seconds. It does not document whether `end` applies to the rounded
      // or to the exact time, so we add a second.
      end: String(Math.floor(until.getTime() / 1000) + 1),
    };
    try {
      return await fetchListing(this.client, endpoints[kind], params, cursor);
    } catch (error) {
      // Kraken does not document how it refuses a cursor, so any refusal of a later page counts as an invalid cursor.
      const isCursor = cursor !== null && error instanceof ExchangeError && error.kind === 'refused';
      if (!isCursor) throw error;
      throw new ExchangeError('refused', this.client.exchange, 'the cursor is no longer valid', {
        rawCode: error.rawCode,
        reason: 'invalid_cursor',
        cause: error,
      });
    }
  }
}
