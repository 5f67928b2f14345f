import { findAsset } from '../catalogue.js';
import { KrakenError } from './handler.js';

const LIMIT_DEFAULT = 500;
const LIMIT_MAX = 500;

interface Row {
  refid: string;
  asset: string;
  method: string;
}

/**
 * The answer of WithdrawStatus and DepositStatus: the newest first; a plain list, or, once `cursor` was given, a page
 * with `next_cursor`. What a cursor is made of is not documented: here it is the last refid of the page.
 */
export function historyPage<T extends Row>(
  records: Iterable<T>,
  { params, name, timeOf, toRecord }: HistoryForm<T>,
): unknown {
  const asset = params.asset === undefined ? null : findAsset(params.asset);
  if (params.asset !== undefined && asset === null) throw new KrakenError('EFunding:Unknown asset');
  const start = secondsOf(params.start) ?? 0;
  const end = secondsOf(params.end) ?? Infinity;
  const matches = [...records]
    .filter((record) => asset === null || record.asset === asset.id)
    .filter((record) => params.method === undefined || record.method === params.method)
    .filter((record) => timeOf(record) / 1000 >= start && timeOf(record) / 1000 <= end)
    .reverse();
  const limit = Math.min(secondsOf(params.limit) ?? LIMIT_DEFAULT, LIMIT_MAX);
  const { cursor } = params;
  if (cursor === undefined || cursor === 'false') return matches.slice(0, limit).map(toRecord);
  const from = cursor === 'true' ? 0 : matches.findIndex(({ refid }) => refid === cursor) + 1;
  if (cursor !== 'true' && from === 0) throw new KrakenError('EGeneral:Invalid arguments');
  const page = matches.slice(from, from + limit);
  const more = from + limit < matches.length;
  return { [name]: page.map(toRecord), next_cursor: more ? (page.at(-1)?.refid ?? null) : null };
}

interface HistoryForm<T> {
  params: Record<string, string>;
  /** Of the list in a page. */
  name: 'withdrawals' | 'deposits';
  /** Epoch milliseconds. */
  timeOf: (record: T) => number;
  toRecord: (record: T) => unknown;
}

function secondsOf(text: string | undefined): number | null {
  if (text === undefined || text === '') return null;
  const value = Number(text);
  if (!Number.isFinite(value) || value < 0) throw new KrakenError('EGeneral:Invalid arguments');
  return value;
}
