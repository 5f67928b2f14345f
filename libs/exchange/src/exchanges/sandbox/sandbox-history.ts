import { ExchangeError } from '../../port/exchange-error.js';
import type { HistoryCapability, HistoryKind, HistoryPage } from '../../port/exchange.port.js';
import { readMovement, type SandboxListing } from './sandbox-responses.js';
import type { SandboxClient } from './sandbox-client.js';
import { fetchListing } from './sandbox-listing.js';
import { toHistory } from './sandbox-records.js';

/** Deposits and withdrawals of one account of the partner API. */
export class SandboxHistory implements HistoryCapability {
  readonly kinds = ['deposit', 'withdrawal'] as const;
  /** The date of Bitcoin's first block. No simulated history is older. */
  readonly begins = new Date(Date.UTC(2009, 0, 3));

  constructor(private readonly client: SandboxClient) {}

  async page(kind: HistoryKind, range: { since: Date; until: Date }, cursor: string | null): Promise<HistoryPage> {
    const { entries, nextCursor } = await this.ask(kind, range, cursor);
    const known = entries.map((entry) => readMovement(kind, entry)).filter((record) => record !== null);
    return {
      records: known.map((record) => toHistory(record, kind)),
      unreadable: entries.length - known.length,
      nextCursor,
    };
  }

  private async ask(
    kind: HistoryKind,
    { since, until }: { since: Date; until: Date },
    cursor: string | null,
  ): Promise<SandboxListing> {
    try {
      const range = { since: String(since.getTime()), until: String(until.getTime()) };
      return await fetchListing(this.client, kind, range, cursor);
    } catch (error) {
      // The same request without a cursor has succeeded, so the refusal is due to the cursor.
      if (cursor === null || !(error instanceof ExchangeError) || error.rawCode !== 'invalid_request') throw error;
      const { exchange, rawCode, message } = error;
      throw new ExchangeError('refused', exchange, message, { rawCode, reason: 'invalid_cursor', cause: error });
    }
  }
}
