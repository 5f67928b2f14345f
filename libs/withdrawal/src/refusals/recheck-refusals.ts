import { Injectable } from '@nestjs/common';
import { ExchangeError, type ExchangeSession } from '#exchange';
import { Config } from '#platform/config';
import { Database, type NamedStatement } from '#platform/database';
import type { DuplicateKeys } from '../withdrawals/duplicate-keys.js';
import { CompareRefusals } from './compare-refusals.js';

/** Age of a refusal up to which the history is read again. Older records were read by the sync of the history. */
const RECHECKED_FOR_MS = 86_400_000;

const TOO_MANY = 'the exchange has more withdrawals since an equal refused one than one search reads';

/** The condition is that of the indexes `withdrawal_attempts_refused_*`. */
const REFUSED: NamedStatement = {
  name: 'refused duplicate',
  text: `select min(started_at) as since from withdrawal_attempts
         where outcome in ('rejected', 'verification_required', 'not_sent', 'not_executed')
           and (debit_key = $1 or receipt_key = $2) and started_at > $3 and (outcome <> 'not_sent' or sent_at is not null)`,
};

/**
 * Compares the history of the exchange with refusals of equal withdrawals, before one more is sent. An exchange may
 * show a withdrawal that it has refused only after the refusal is confirmed, and the sync reads the history only every
 * quarter of an hour.
 */
@Injectable()
export class RecheckRefusals {
  constructor(
    private readonly db: Database,
    private readonly refusals: CompareRefusals,
    private readonly config: Config,
  ) {}

  /** Returns when the oldest refused equal attempt began; null = there is none to compare. */
  async find({ debitKey, receiptKey }: DuplicateKeys, now: Date): Promise<Date | null> {
    const after = new Date(now.getTime() - RECHECKED_FOR_MS);
    const [row] = await this.db.read<{ since: Date | null }>(REFUSED, [debitKey, receiptKey, after]);
    return row?.since ?? null;
  }

  /**
   * Moves a refused withdrawal that the exchange shows to `review`, which stops equal ones.
   * @throws ExchangeError when the history cannot be read in full
   */
  async compare(session: ExchangeSession, walletId: string, since: Date): Promise<void> {
    const from = new Date(since.getTime() - this.config.constants.WITHDRAWAL_CLOCK_SKEW_MS);
    const listed = await session.withdrawals?.list(from);
    if (listed === undefined) return;
    await this.refusals.compare(walletId, listed.records);
    if (!listed.isComplete) throw new ExchangeError('unavailable', session.exchange, TOO_MANY);
  }
}
