import { Injectable } from '@nestjs/common';
import { ExchangeError, type ListedWithdrawal } from '#exchange';
import { Database } from '#platform/database';
import { WalletNotFound, WalletSessions } from '#wallet';
import { hasSameCredentials, isAlike, LONG_LIST_PAGES, RECORD_LOOKBACK_MS } from '../withdrawals/exchange-records.js';
import type { Withdrawal } from '../withdrawals/withdrawal.entity.js';

/** A record of the exchange, compared with one of our withdrawals. */
export interface HistoryRecord extends ListedWithdrawal {
  /**
   * Whether the record has the id or the reference of the withdrawal, or its amount and address. A record of another
   * withdrawal with the same credentials fits only by id or reference.
   */
  fits: boolean;
  /** Id of the withdrawal, of any project, that the record belongs to; null = it belongs to no known withdrawal. */
  linkedTo: string | null;
}

/** The exchange's history as it is now, or why it cannot be read. */
export type HistoryAnswer =
  /** `isComplete` = these are all records. If it is false, a record that is not shown may exist. */
  | { kind: 'shown'; records: HistoryRecord[]; isComplete: boolean }
  /** The exchange did not respond. It may respond a little later. */
  | { kind: 'unavailable'; reason: string }
  /** The exchange refuses the wallet's key, or does not let it read the history. */
  | { kind: 'refused'; reason: string }
  /** The credentials that the withdrawal was made with are erased. */
  | { kind: 'erased' };

/** The withdrawal to which a record is linked. */
type RecordOwner = Pick<Withdrawal, 'id' | 'walletId' | 'credentialVersion'>;
/** The owner of each linked record, by the exchange's id. */
type Owners = ReadonlyMap<string, RecordOwner>;

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
      const listed = await session.withdrawals?.list(since, LONG_LIST_PAGES);
      const { records: all, isComplete } = listed ?? { records: [], isComplete: true };
      const ofAsset = all.filter(({ asset }) => asset === withdrawal.asset);
      const owners = await this.ownersOf(withdrawal, ofAsset);
      const records = ofAsset.map((record) => compare(withdrawal, record, owners));
      records.sort((a, b) => Number(b.fits) - Number(a.fits) || b.at.getTime() - a.at.getTime());
      return { kind: 'shown', records, isComplete };
    } catch (error) {
      if (error instanceof WalletNotFound) return { kind: 'erased' };
      if (!(error instanceof ExchangeError)) throw error;
      const isPassing = error.kind === 'unavailable' || error.kind === 'rate_limited';
      return { kind: isPassing ? 'unavailable' : 'refused', reason: error.message };
    }
  }

  private async ownersOf({ mode, exchange }: Withdrawal, records: ListedWithdrawal[]): Promise<Owners> {
    const rows = await this.db.query<RecordOwner & { exchangeId: string }>(
      `select id, wallet_id as "walletId", credential_version as "credentialVersion", exchange_id as "exchangeId"
       from withdrawals
       where mode = $1 and exchange = $2 and exchange_id = any($3)`,
      [mode, exchange, records.map(({ exchangeId }) => exchangeId)],
    );
    return new Map(rows.map((row) => [row.exchangeId, row]));
  }
}

function compare(withdrawal: Withdrawal, record: ListedWithdrawal, owners: Owners): HistoryRecord {
  const owner = owners.get(record.exchangeId) ?? null;
  const isNamed = record.exchangeId === withdrawal.exchangeId || record.clientRef === withdrawal.clientRef;
  // A link of other credentials does not prove that the record belongs to another withdrawal; see `Candidates`.
  const isOfAnother = owner !== null && owner.id !== withdrawal.id && hasSameCredentials(owner, withdrawal);
  const fits = isNamed || (!isOfAnother && isAlike(withdrawal, record));
  return { ...record, fits, linkedTo: owner?.id ?? null };
}
