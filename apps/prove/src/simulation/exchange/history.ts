import {
  ExchangeError,
  STATUS_IN_HISTORY,
  type HistoryCapability,
  type HistoryKind,
  type HistoryPage,
  type HistoryRecord,
} from '#exchange';
import { timeOfDay } from '../world/process.js';
import { ASSET, type Account } from './account.js';

/** Records on one page; few, so that a history has several pages. */
const PAGE = 4;
/** A time before every record of the exchange. */
const BEGINS = timeOfDay(-86_400_000, 0);

/**
 * Returns the part of an exchange session that lists deposits and withdrawals. The history shows only what was booked
 * up to the virtual time that `moment` returns.
 */
export function historyOf(
  account: () => Account,
  moment: () => number,
): Pick<HistoryCapability, 'begins' | 'kinds'> & {
  page: (kind: HistoryKind, range: { since: Date; until: Date }, cursor: string | null) => HistoryPage;
} {
  return {
    kinds: ['deposit', 'withdrawal'],
    begins: BEGINS,
    page: (kind, { since, until }, cursor) => {
      const now = moment();
      const records = (kind === 'withdrawal' ? withdrawalsOf(account(), since, now) : depositsOf(account(), since, now))
        .filter(({ at }) => at <= until)
        .sort((a, b) => b.at.getTime() - a.at.getTime());
      const from = cursor === null ? 0 : records.findIndex(({ exchangeId }) => exchangeId === cursor) + 1;
      if (cursor !== null && from === 0) {
        throw new ExchangeError('refused', 'kraken', 'unknown cursor', { reason: 'invalid_cursor' });
      }
      const page = records.slice(from, from + PAGE);
      const isLast = from + PAGE >= records.length;
      return { records: page, unreadable: 0, nextCursor: isLast ? null : (page.at(-1)?.exchangeId ?? null) };
    },
  };
}

function withdrawalsOf(account: Account, since: Date, moment: number): HistoryRecord[] {
  return account.list(since, moment).map(({ status, clientRef, amountNoFee: amount, ...record }) => ({
    ...record,
    kind: 'withdrawal',
    status: STATUS_IN_HISTORY[status],
    amount,
    feeAsset: record.fee === null ? null : ASSET,
    network: 'bitcoin',
    exchangeNetwork: 'Bitcoin',
    tag: null,
    ...(clientRef !== null && { clientRef }),
  }));
}

function depositsOf(account: Account, since: Date, moment: number): HistoryRecord[] {
  return account
    .movements(since, moment)
    .filter(({ kind, change }) => kind === 'other' && change.isPositive())
    .map(({ id, change, at }) => ({
      kind: 'deposit',
      exchangeId: id,
      status: 'ok',
      rawStatus: 'settled',
      asset: ASSET,
      amount: change,
      at,
      fee: null,
      feeAsset: null,
      network: 'bitcoin',
      exchangeNetwork: 'Bitcoin',
      address: null,
      tag: null,
      hash: null,
    }));
}
