import { ExchangeError } from '../../port/exchange-error.js';
import type { AccountMovement, HistoryKind } from '../../port/exchange.port.js';
import {
  readAccountMovements,
  readListing,
  type SandboxAccountMovement,
  type SandboxListing,
} from './sandbox-responses.js';
import type { SandboxClient } from './sandbox-client.js';

/** Records per page. */
const PAGE_SIZE = 500;

/** Most pages of a listing that must be complete. */
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
    if (found.size !== listed) throw incomplete(client, 'the movements have changed while they were read');
    if (cursor === null) return [...found.values()].map(toAccountMovement);
  }
  throw incomplete(client, 'too many movements to list');
}

function incomplete({ exchange }: SandboxClient, what: string): ExchangeError {
  return new ExchangeError('unavailable', exchange, what);
}

function toAccountMovement({ id, type, recordId, change, createdAt }: SandboxAccountMovement): AccountMovement {
  const kind = type === 'withdrawal' ? 'withdrawal' : NO_WITHDRAWAL.has(type) ? 'other' : 'unknown';
  return { id, kind, reference: recordId, change, at: createdAt };
}
