import { z } from 'zod';
import { Amount } from '#money';
import { assetById } from '../catalogue.js';
import { UnknownCursor, type History, type PageQuery } from '../ledger/history.js';
import type { Deposit, LedgerEntry, Withdrawal } from '../ledger/records.js';
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
    const matches = (one: Withdrawal): boolean => {
      const { partner } = one;
      if (partner === undefined || (partner.hiddenUntil ?? 0) > now.getTime()) return false;
      return (reference === undefined || partner.reference === reference) && isShown(one);
    };
    const { records, more } = pageOf(exchange.book(account).withdrawals, { ...query, matches });
    return ok({
      withdrawals: records.map(withdrawalRecord),
      nextCursor: more ? (records.at(-1)?.refid ?? null) : null,
    });
  },
});

/** Lists deposits, newest first. */
export const deposits = endpoint({
  permission: 'read',
  handler: ({ exchange, account, query: raw }) => {
    const query = parse(depositsQuery, raw);
    const { records, more } = pageOf(exchange.book(account).deposits, { ...query, matches: filterOf(query) });
    return ok({ deposits: records.map(depositRecord), nextCursor: more ? (records.at(-1)?.refid ?? null) : null });
  },
});

/** Lists the ledger entries of the account, newest first: every change of a balance. */
export const movements = endpoint({
  permission: 'read',
  handler: ({ exchange, account, query: raw }) => {
    const { asset: code, since, until, cursor, limit } = parse(movementsQuery, raw);
    const asset = code === undefined ? null : getAsset(code).id;
    const matches = asset === null ? undefined : ({ asset: id }: LedgerEntry) => id === asset;
    const query = { since, until, limit, cursor, matches };
    const { records, more } = pageOf(exchange.book(account).entries, query);
    return ok({ movements: records.map(movementRecord), nextCursor: more ? (records.at(-1)?.id ?? null) : null });
  },
});

function movementRecord({ id, type, refid, asset, amount, fee, time }: LedgerEntry): unknown {
  const change = Amount.of(amount).minus(Amount.of(fee)).toString();
  // A transfer has no record besides its ledger entry.
  const recordId = type === 'transfer' ? null : refid;
  return { id, type, recordId, asset: assetById(asset).code, change, createdAt: time };
}

interface Sought {
  id?: string | undefined;
  asset?: string | undefined;
}

function filterOf({ id, asset: code }: Sought): (record: { refid: string; asset: string }) => boolean {
  const asset = code === undefined ? null : getAsset(code).id;
  return (record) => (id === undefined || record.refid === id) && (asset === null || record.asset === asset);
}

type ListQuery<T> = Omit<PageQuery<T>, 'cursor'> & { cursor?: string | undefined };

/** @throws PartnerError when the cursor is unknown */
function pageOf<T>(history: History<T>, query: ListQuery<T>): { records: T[]; more: boolean } {
  const { since, until, limit, cursor, matches } = query;
  try {
    return history.page({ since, until, limit, cursor: cursor ?? null, matches });
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
    id: refid,
    asset: assetById(asset).code,
    network: networkIdOf(network),
    address,
    tag: memo,
    amount,
    fee: '0',
    status: depositStatuses[status],
    txHash: txid,
    createdAt: receivedAt,
  };
}
