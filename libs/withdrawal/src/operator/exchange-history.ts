import { Injectable } from '@nestjs/common';
import { ExchangeError, type ListedWithdrawal } from '#exchange';
import { Database } from '#platform/database';
import { WalletNotFound, WalletSessions } from '#wallet';
import { isAlike } from '../execution/record-likeness.js';
import { RECORD_LOOKBACK_MS } from '../execution/record-lookback.js';
import type { Withdrawal } from '../execution/withdrawal.entity.js';

/** A record of the exchange beside a withdrawal of ours. */
export interface HistoryRecord extends ListedWithdrawal {
  /** It has the id or the reference of the withdrawal, or its amount and address. */
  fits: boolean;
  /** The withdrawal of the project that it belongs to; null = none that we know. */
  linkedTo: string | null;
}

/** What the exchange shows now. */
export type HistoryAnswer =
  | { kind: 'shown'; records: HistoryRecord[] }
  /** It proves nothing, and a little later it may answer. */
  | { kind: 'unavailable'; reason: string }
  /** It takes the key of the wallet no more, or not for this. */
  | { kind: 'refused'; reason: string }
  /** The credentials that it was made with are erased: nobody can ask with them any more. */
  | { kind: 'erased' };

/** Asks the exchange about one withdrawal, on behalf of an operator. */
@Injectable()
export class ExchangeHistory {
  constructor(
    private readonly db: Database,
    private readonly sessions: WalletSessions,
  ) {}

  /** Its records of the same asset since the withdrawal was made: those that fit first, then the newest. */
  async ask(w: Withdrawal): Promise<HistoryAnswer> {
    const since = new Date(w.createdAt.getTime() - RECORD_LOOKBACK_MS);
    try {
      const session = await this.sessions.openVersion(w.walletId, w.credentialVersion);
      const all = (await session.withdrawals?.list(since)) ?? [];
      const ofAsset = all.filter(({ asset }) => asset === w.asset);
      const owners = await this.ownersOf(w, ofAsset);
      const records = ofAsset.map((record) => beside(w, record, owners));
      records.sort((a, b) => Number(b.fits) - Number(a.fits) || b.at.getTime() - a.at.getTime());
      return { kind: 'shown', records };
    } catch (error) {
      if (error instanceof WalletNotFound) return { kind: 'erased' };
      if (!(error instanceof ExchangeError)) throw error;
      const isPassing = error.kind === 'unavailable' || error.kind === 'rate_limited';
      return { kind: isPassing ? 'unavailable' : 'refused', reason: error.message };
    }
  }

  private async ownersOf(w: Withdrawal, records: ListedWithdrawal[]): Promise<Map<string, string>> {
    const rows = await this.db.query<{ id: string; exchange_id: string }>(
      `select id, exchange_id from withdrawals where project_id = $1 and exchange = $2 and exchange_id = any($3)`,
      [w.projectId, w.exchange, records.map(({ exchangeId }) => exchangeId)],
    );
    return new Map(rows.map((row) => [row.exchange_id, row.id]));
  }
}

function beside(w: Withdrawal, record: ListedWithdrawal, owners: Map<string, string>): HistoryRecord {
  const linkedTo = owners.get(record.exchangeId) ?? null;
  const isNamed = record.exchangeId === w.exchangeId || record.clientRef === w.clientRef;
  const fits = isNamed || ((linkedTo === null || linkedTo === w.id) && isAlike(w, record));
  return { ...record, fits, linkedTo };
}
