import { findAsset } from '../../catalogue.js';
import { UnknownCursor, type History } from '../../ledger/history.js';
import { KrakenError } from '../handler.js';

const LIMIT_DEFAULT = 500;
const LIMIT_MAX = 500;

interface Row {
  refid: string;
  asset: string;
  method: string;
}

interface HistoryForm<T> {
  params: Record<string, string>;
  /** Name of the list in a page. */
  name: 'withdrawals' | 'deposits';
  toRecord: (record: T) => unknown;
}

/**
 * The result of WithdrawStatus and DepositStatus, newest first: a plain list, or, with `cursor`, a page with
 * `next_cursor`. The content of a cursor is not documented: here it is the last refid of the page.
 */
export function historyPage<T extends Row>(history: History<T>, { params, name, toRecord }: HistoryForm<T>): unknown {
  const { cursor } = params;
  const isPaged = cursor !== undefined && cursor !== 'false';
  const query = {
    since: (numberOf(params.start) ?? 0) * 1000,
    until: (numberOf(params.end) ?? Infinity) * 1000,
    matches: filterOf(params),
    cursor: isPaged && cursor !== 'true' ? cursor : null,
    limit: Math.min(numberOf(params.limit) ?? LIMIT_DEFAULT, LIMIT_MAX),
  };
  try {
    const { records, more } = history.page(query);
    const shown = records.map(toRecord);
    return isPaged ? { [name]: shown, next_cursor: more ? (records.at(-1)?.refid ?? null) : null } : shown;
  } catch (error) {
    if (error instanceof UnknownCursor) throw new KrakenError('EGeneral:Invalid arguments');
    throw error;
  }
}

/** Undefined = all records are meant. */
function filterOf({ asset: name, method }: Record<string, string>): ((record: Row) => boolean) | undefined {
  const asset = name === undefined ? null : findAsset(name);
  if (name !== undefined && asset === null) throw new KrakenError('EFunding:Unknown asset');
  if (asset === null && method === undefined) return undefined;
  return (record) =>
    (asset === null || record.asset === asset.id) && (method === undefined || record.method === method);
}

function numberOf(text: string | undefined): number | null {
  if (text === undefined || text === '') return null;
  const value = Number(text);
  if (!Number.isFinite(value) || value < 0) throw new KrakenError('EGeneral:Invalid arguments');
  return value;
}
