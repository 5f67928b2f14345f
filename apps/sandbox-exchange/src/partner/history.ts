import { z } from 'zod';
import { Amount } from '#money';
import { assetById } from '../catalogue.js';
import { UnknownCursor, type History, type PageQuery } from '../ledger/history.js';
import { newestEntries } from '../ledger/movements.js';
import type { Deposit, LedgerEntry } from '../ledger/records.js';
import { endpoint, ok, parse } from './handler.js';
import { getAsset, networkIdOf } from './networks.js';
import { PartnerError } from './partner-error.js';
import { withdrawalRecord } from './withdrawals/withdrawals.js';

const LIMIT_DEFAULT = 100;
const LIMIT_MAX = 500;

const listQuery = {
  id: z.string().optional(),
  asset: z.string().optional(),
  /** Epoch milliseconds; both bounds are inclusive. */
  since: z.coerce.number().int().min(0).default(0),
  until: z.coerce.number().int().min(0).default(Number.MAX_SAFE_INTEGER),
  /** The `nextCursor` of the previous page: its last id. */
  cursor: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(LIMIT_MAX).default(LIMIT_DEFAULT),
};
const withdrawalsQuery = z.object({ ...listQuery, reference: z.string().optional() });
const depositsQuery = z.object(listQuery);
const movementsQuery = z.object(listQuery).omit({ id: true });

/** Lists withdrawals, newest first. */
export const withdrawals = endpoint({
  permission: 'read',
  handler: ({ exchange, account, query: raw, now }) => {
    const query = parse(withdrawalsQuery, raw);
    const { reference } = query;
    const isShown = filterOf(query);
    const { records, nextCursor } = pageOf(exchange.book(account).withdrawals, query, (one) => {
      const { partner } = one;
      if (partner === undefined || (partner.hiddenUntil ?? 0) > now.getTime()) return false;
      return (reference === undefined || partner.reference === reference) && isShown(one);
    });
    return ok({ withdrawals: records.map(withdrawalRecord), nextCursor });
  },
});

/** Lists deposits, newest first. */
export const deposits = endpoint({
  permission: 'read',
  handler: ({ exchange, account, query: raw }) => {
    const query = parse(depositsQuery, raw);
    const { records, nextCursor } = pageOf(exchange.book(account).deposits, query, filterOf(query));
    return ok({ deposits: records.map(depositRecord), nextCursor });
  },
});

/** Lists the ledger entries of the account, newest first: every change of a balance. */
export const movements = endpoint({
  permission: 'read',
  handler: ({ exchange, account, query: raw }) => {
    const { asset: code, since, until, cursor, limit } = parse(movementsQuery, raw);
    const asset = code === undefined ? null : getAsset(code).id;
    const entries = newestEntries(
      exchange.book(account),
      ({ asset: id, time }) => (asset === null || id === asset) && time >= since && time <= until,
    );
    const before = cursor === undefined ? -1 : entries.findIndex(({ id }) => id === cursor);
    if (cursor !== undefined && before === -1) {
      throw new PartnerError('invalid_request', 'the cursor is not from this list');
    }
    const page = entries.slice(before + 1, before + 1 + limit);
    const hasMore = before + 1 + limit < entries.length;
    return ok({ movements: page.map(movementRecord), nextCursor: hasMore ? (page.at(-1)?.id ?? null) : null });
  },
});

function movementRecord({ id, type, refid, asset, amount, fee, time }: LedgerEntry): unknown {
  const change = Amount.of(amount).minus(Amount.of(fee)).toString();
  // A transfer has no record besides its ledger entry.
  const recordId = type === 'transfer' ? null : refid;
  return { id, type, recordId, asset: assetById(asset).code, change, createdAt: time };
}

interface ListQuery extends Pick<PageQuery<unknown>, 'since' | 'until' | 'limit'> {
  id?: string | undefined;
  asset?: string | undefined;
  cursor?: string | undefined;
}

function filterOf({ id, asset: code }: ListQuery): (record: { refid: string; asset: string }) => boolean {
  const asset = code === undefined ? null : getAsset(code).id;
  return (record) => (id === undefined || record.refid === id) && (asset === null || record.asset === asset);
}

function pageOf<T extends { refid: string }>(
  history: History<T>,
  { since, until, limit, cursor }: ListQuery,
  matches: (record: T) => boolean,
): { records: T[]; nextCursor: string | null } {
  try {
    const { records, more } = history.page({ since, until, limit, cursor: cursor ?? null, matches });
    return { records, nextCursor: more ? (records.at(-1)?.refid ?? null) : null };
  } catch (error) {
    if (error instanceof UnknownCursor) throw new PartnerError('invalid_request', 'the cursor is not from this list');
    throw error;
  }
}

/** Statuses of deposits in the partner API. */
export const depositStatuses = { Settled: 'arriving', Success: 'confirmed', Failure: 'failed' } as const;

function depositRecord({
  refid,
  asset,
  network,
  address,
  memo = null,
  amount,
  status,
  txid,
  receivedAt,
}: Deposit): unknown {
  return {
    ...{ id: refid, asset: assetById(asset).code, network: networkIdOf(network), address, tag: memo, amount },
    ...{ fee: '0', status: depositStatuses[status], txHash: txid, createdAt: receivedAt },
  };
}
