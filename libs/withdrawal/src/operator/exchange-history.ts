import { Injectable } from '@nestjs/common';
import { ExchangeError, type ListedWithdrawal } from '#exchange';
import { Database } from '#platform/database';
import { WalletNotFound, WalletSessions } from '#wallet';
import { isAlike, RECORD_LOOKBACK_MS } from '../withdrawals/exchange-records.js';
import type { Withdrawal } from '../withdrawals/withdrawal.entity.js';

/** A record of the exchange, compared with one of our withdrawals. */
export interface HistoryRecord extends ListedWithdrawal {
  /**
   * Whether the record has the id or the reference of the withdrawal, or its amount and address. A record of another
   * withdrawal fits only by id or reference.
   */
  fits: boolean;
  /** Id of the project's withdrawal that the record belongs to; null = it belongs to no known withdrawal. */
  linkedTo: string | null;
}

/** The exchange's history as it is now, or why it cannot be read. */
export type HistoryAnswer =
  | { kind: 'shown'; records: HistoryRecord[] }
  /** The exchange did not respond. It may respond a little later. */
  | { kind: 'unavailable'; reason: string }
  /** The exchange refuses the wallet's key, or does not let it read the history. */
  | { kind: 'refused'; reason: string }
  /** The credentials that the withdrawal was made with are erased. */
  | { kind: 'erased' };

/** Reads the exchange's history for an operator who decides about a withdrawal. */
@Injectable()
export class ExchangeHistory {
  constructor(
    private readonly db: Database,
    private readonly sessions: WalletSessions,
  ) {}

  /** Lists the records of the asset since the withdrawal was made. Matching records (`fits`) come before the others. */
  async ask(withdrawal: Withdrawal): Promise<HistoryAnswer> {
    const since = new Date(withdrawal.createdAt.getTime() - RECORD_LOOKBACK_MS);
    try {
      const session = await this.sessions.openVersion(withdrawal.walletId, withdrawal.credentialVersion);
      const all = (await session.withdrawals?.list(since)) ?? [];
      const ofAsset = all.filter(({ asset }) => asset === withdrawal.asset);
      const owners = await this.ownersOf(withdrawal, ofAsset);
      const records = ofAsset.map((record) => compare(withdrawal, record, owners));
      records.sort((a, b) => Number(b.fits) - Number(a.fits) || b.at.getTime() - a.at.getTime());
      return { kind: 'shown', records };
    } catch (error) {
      if (error instanceof WalletNotFound) return { kind: 'erased' };
      if (!(error instanceof ExchangeError)) throw error;
      const isPassing = error.kind === 'unavailable' || error.kind === 'rate_limited';
      return { kind: isPassing ? 'unavailable' : 'refused', reason: error.message };
    }
  }

  private async ownersOf(withdrawal: Withdrawal, records: ListedWithdrawal[]): Promise<Map<string, string>> {
    const rows = await this.db.query<{ id: string; exchange_id: string }>(
      `select id, exchange_id from withdrawals where project_id = $1 and exchange = $2 and exchange_id = any($3)`,
      [withdrawal.projectId, withdrawal.exchange, records.map(({ exchangeId }) => exchangeId)],
    );
    return new Map(rows.map((row) => [row.exchange_id, row.id]));
  }
}

function compare(withdrawal: Withdrawal, record: ListedWithdrawal, owners: Map<string, string>): HistoryRecord {
  const linkedTo = owners.get(record.exchangeId) ?? null;
  const isNamed = record.exchangeId === withdrawal.exchangeId || record.clientRef === withdrawal.clientRef;
  const fits = isNamed || ((linkedTo === null || linkedTo === withdrawal.id) && isAlike(withdrawal, record));
  return { ...record, fits, linkedTo };
}
