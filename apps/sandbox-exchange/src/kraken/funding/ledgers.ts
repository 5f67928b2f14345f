import { assetById, findAsset, withAllDigits } from '../../catalogue.js';
import type { LedgerEntry } from '../../ledger/records.js';
import { KrakenError, type Call, type PrivateEndpoints } from '../handler.js';

/** Entries on a page. */
const PAGE = 50;
/** The default of `aclass`, and the only asset class of the sandbox. */
const ASSET_CLASS = 'currency';

/**
 * Source: https://docs.kraken.com/api-reference/account-data/get-ledgers-info. The call returns 50 entries on a page,
 * newest first, after `start` and up to `end`. The source documents no errors for unknown values; the texts here come
 * from other calls.
 */
function ledgers(call: Call): unknown {
  const { exchange, account, params } = call;
  const offset = Number(params.ofs ?? 0);
  if (!Number.isSafeInteger(offset) || offset < 0) throw new KrakenError('EGeneral:Invalid arguments');
  const { entries } = exchange.book(account);
  const filter = { ...periodOf(call), matches: conditionOf(params) };
  const page = entries.page({ ...filter, cursor: null, skipped: offset, limit: PAGE });
  const ledger = Object.fromEntries(page.records.map((entry) => [entry.id, ledgerRecord(entry)]));
  return params.without_count === 'true' ? { ledger } : { ledger, count: entries.count(filter) };
}

/** The start is exclusive. Entries have whole milliseconds. */
function periodOf(call: Call): { since: number; until: number } {
  const start = momentOf(call, 'start') ?? -1;
  return { since: Math.floor(start) + 1, until: momentOf(call, 'end') ?? Infinity };
}

/** Undefined = all entries are meant. */
function conditionOf(params: Call['params']): ((entry: LedgerEntry) => boolean) | undefined {
  const { asset, aclass = ASSET_CLASS, type = 'all' } = params;
  const ids = asset === undefined || asset === 'all' ? null : asset.split(',').map(assetIdOf);
  if (ids === null && type === 'all' && aclass === ASSET_CLASS) return undefined;
  return (entry) =>
    aclass === ASSET_CLASS && (ids === null || ids.includes(entry.asset)) && (type === 'all' || type === entry.type);
}

function assetIdOf(name: string): string {
  const asset = findAsset(name);
  if (asset === null) throw new KrakenError('EQuery:Unknown asset');
  return asset.id;
}

/** A bound in milliseconds. The parameter is a time in seconds, or the id of an entry, whose time is the bound. */
function momentOf({ exchange, account, params }: Call, name: 'start' | 'end'): number | null {
  const text = params[name];
  if (text === undefined || text === '') return null;
  const entry = exchange.book(account).entries.get(text);
  if (entry !== undefined) return entry.time;
  if (!/^[0-9]{1,11}(\.[0-9]+)?$/.test(text)) throw new KrakenError('EGeneral:Invalid arguments');
  return Number(text) * 1000;
}

function ledgerRecord({ asset: assetId, refid, time, type, amount, fee, balance }: LedgerEntry): unknown {
  const asset = assetById(assetId);
  return {
    refid,
    time: time / 1000,
    type,
    subtype: '',
    aclass: ASSET_CLASS,
    asset: assetId,
    amount: withAllDigits(amount, asset),
    fee: withAllDigits(fee, asset),
    balance: withAllDigits(balance, asset),
  };
}

export const ledgerEndpoints: PrivateEndpoints = { Ledgers: { handler: ledgers, permissions: ['query-ledger'] } };
