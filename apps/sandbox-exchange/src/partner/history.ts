import { z } from 'zod';
import type { Withdrawal } from '../ledger/records.js';
import { endpoint, ok, parse } from './handler.js';
import { getAsset } from './networks.js';
import { PartnerError } from './partner-error.js';
import { withdrawalRecord } from './withdrawals.js';

const LIMIT_DEFAULT = 100;
const LIMIT_MAX = 500;

const queryInput = z.object({
  reference: z.string().optional(),
  id: z.string().optional(),
  asset: z.string().optional(),
  /** Epoch milliseconds, inclusive. */
  since: z.coerce.number().int().min(0).optional(),
  /** What `nextCursor` was: the last id of the page before. */
  cursor: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(LIMIT_MAX).default(LIMIT_DEFAULT),
});

/** The newest first. */
export const withdrawals = endpoint({
  permission: 'read',
  handler: ({ exchange, account, query: raw, now }) => {
    const query = parse(queryInput, raw);
    const asset = query.asset === undefined ? null : getAsset(query.asset).id;
    const matches = [...exchange.book(account).withdrawals.values()]
      .filter(({ partner }) => partner !== undefined && (partner.hiddenUntil ?? 0) <= now.getTime())
      .filter(({ partner }) => query.reference === undefined || partner?.reference === query.reference)
      .filter(({ refid }) => query.id === undefined || refid === query.id)
      .filter((one) => asset === null || one.asset === asset)
      .filter(({ requestedAt }) => requestedAt >= (query.since ?? 0))
      .reverse();
    const from = startOf(matches, query.cursor);
    const page = matches.slice(from, from + query.limit);
    const more = from + query.limit < matches.length;
    return ok({ withdrawals: page.map(withdrawalRecord), nextCursor: more ? (page.at(-1)?.refid ?? null) : null });
  },
});

function startOf(matches: Withdrawal[], cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const last = matches.findIndex(({ refid }) => refid === cursor);
  if (last === -1) throw new PartnerError('invalid_request', 'the cursor is none of this list');
  return last + 1;
}
