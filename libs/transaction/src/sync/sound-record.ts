import type { HistoryRecord } from '#exchange';

const ID_LENGTH_MAX = 256;
const TEXT_LENGTH_MAX = 1_024;
const LAST_YEAR = 9_999;

/**
 * Returns the record in a form that can be stored; null = the record is not valid: its amount is not positive, or its
 * id, asset or time is missing or not possible. PostgreSQL does not store NUL or half of a surrogate pair. NUL is
 * removed from the texts, and the half is replaced by U+FFFD.
 */
export function soundRecord(record: HistoryRecord): HistoryRecord | null {
  const exchangeId = wash(record.exchangeId);
  const asset = wash(record.asset);
  const year = record.at.getUTCFullYear();
  const isSound =
    record.amount.isPositive() &&
    [exchangeId, asset].every((text) => text !== '' && text.length <= ID_LENGTH_MAX) &&
    year >= 1970 &&
    year <= LAST_YEAR;
  if (!isSound) return null;
  const assetId = washed(record.assetId ?? null);
  const fee = record.fee === null || record.fee.isNegative() ? null : record.fee;
  const { assetId: _raw, ...rest } = record;
  return {
    ...rest,
    exchangeId,
    asset,
    ...(assetId !== null && assetId !== asset && { assetId }),
    fee,
    rawStatus: wash(record.rawStatus),
    feeAsset: fee === null ? null : (washed(record.feeAsset) ?? asset),
    network: washed(record.network),
    exchangeNetwork: washed(record.exchangeNetwork),
    address: washed(record.address),
    tag: washed(record.tag),
    hash: washed(record.hash),
  };
}

function washed(text: string | null): string | null {
  const clean = text === null ? '' : wash(text);
  return clean === '' ? null : clean;
}

function wash(text: string): string {
  return Buffer.from(text.slice(0, TEXT_LENGTH_MAX).replaceAll('\0', ''), 'utf8').toString('utf8');
}
