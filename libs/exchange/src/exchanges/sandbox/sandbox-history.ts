import { ExchangeError } from '../../port/exchange-error.js';
import { toHistory } from '../../capabilities/transfer-record.js';
import type { AccountMovement, HistoryCapability, HistoryKind, HistoryPage } from '../../port/exchange.port.js';
import type { SandboxClient } from './sandbox-client.js';
import { toTransfer } from './sandbox-records.js';
import {
  readAccountMovements,
  readListing,
  readMovement,
  type SandboxAccountMovement,
  type SandboxListing,
} from './sandbox-responses.js';

/** Records per page. */
const PAGE_SIZE = 500;

/** Maximum number of pages of a listing that must be complete. */
export const PAGES_MAX = 20;

/** Types of the partner API's movements that are not withdrawals. */
const NO_WITHDRAWAL: ReadonlySet<string> = new Set(['deposit', 'trade', 'transfer']);

const paths = { deposit: '/deposits', withdrawal: '/withdrawals' } as const;

/** Reads one page, newest first; the first page without a `cursor`. @throws ExchangeError */
export function fetchListing(
  client: SandboxClient,
  kind: HistoryKind,
  query: Record<string, string>,
  cursor: string | null,
): Promise<SandboxListing> {
  const paged = { ...query, limit: String(PAGE_SIZE), ...(cursor !== null && { cursor }) };
  return client.get(paths[kind], paged, readListing[kind]);
}

/** Reads all movements of one asset since `since`. @throws ExchangeError when the list is incomplete */
export async function listMovements(client: SandboxClient, asset: string, since: Date): Promise<AccountMovement[]> {
  const query = { asset, since: String(since.getTime()), limit: String(PAGE_SIZE) };
  const found = new Map<string, SandboxAccountMovement>();
  let listed = 0;
  let cursor: string | null = null;
  for (let pages = 0; pages < PAGES_MAX; pages++) {
    const asked: Record<string, string> = cursor === null ? query : { ...query, cursor };
    const page = await client.get('/movements', asked, readAccountMovements);
    for (const movement of page.movements) found.set(movement.id, movement);
    listed += page.movements.length;
    cursor = page.nextCursor;
    if (found.size !== listed) throw incomplete(client, 'the list of movements changed while it was read');
    if (cursor === null) return [...found.values()].map(toAccountMovement);
  }
  throw incomplete(client, `the list of movements has more than ${PAGES_MAX} pages`);
}

function incomplete({ exchange }: SandboxClient, what: string): ExchangeError {
  return new ExchangeError('unavailable', exchange, what);
}

function toAccountMovement({ id, type, recordId, change, createdAt }: SandboxAccountMovement): AccountMovement {
  const kind = type === 'withdrawal' ? 'withdrawal' : NO_WITHDRAWAL.has(type) ? 'other' : 'unknown';
  return { id, kind, reference: recordId, change, at: createdAt };
}

/** Deposits and withdrawals of one account of the partner API. */
export class SandboxHistory implements HistoryCapability {
  readonly kinds = ['deposit', 'withdrawal'] as const;
  /** The date of Bitcoin's first block. No simulated history is older. */
  readonly begins = new Date(Date.UTC(2009, 0, 3));

  constructor(private readonly client: SandboxClient) {}

  async page(kind: HistoryKind, range: { since: Date; until: Date }, cursor: string | null): Promise<HistoryPage> {
    const { entries, nextCursor } = await this.ask(kind, range, cursor);
    const known = entries.map(readMovement[kind]).filter((record) => record !== null);
    return {
      records: known.map((record) => toHistory(toTransfer(record), kind)),
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
      // The request for the first page, which has no cursor, has succeeded. So the exchange refuses the cursor.
      if (cursor === null || !(error instanceof ExchangeError) || error.rawCode !== 'invalid_request') throw error;
      const { exchange, rawCode, message } = error;
      throw new ExchangeError('refused', exchange, message, { rawCode, reason: 'invalid_cursor', cause: error });
    }
  }
}
