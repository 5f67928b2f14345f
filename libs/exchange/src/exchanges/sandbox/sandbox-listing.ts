import type { HistoryKind } from '../../exchange.port.js';
import { readListing, type SandboxListing } from './sandbox-answers.js';
import type { SandboxClient } from './sandbox-client.js';

/** Records of one page. */
const PAGE_SIZE = 500;

const paths = { deposit: '/deposits', withdrawal: '/withdrawals' } as const;

/** One page, newest first; the first without `cursor`. @throws ExchangeError */
export function askListing(
  client: SandboxClient,
  kind: HistoryKind,
  query: Record<string, string>,
  cursor: string | null,
): Promise<SandboxListing> {
  const paged = { ...query, limit: String(PAGE_SIZE), ...(cursor !== null && { cursor }) };
  return client.get(paths[kind], paged, readListing[kind]);
}
