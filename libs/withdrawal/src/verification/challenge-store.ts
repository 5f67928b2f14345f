import { Injectable } from '@nestjs/common';
import type { VerificationChallenge, VerificationStep } from '#exchange';
import type { SealedRecord } from '#platform/crypto';
import { Database } from '#platform/database';
import type { Quote } from '../quote/quote.entity.js';
import type { CodeAttempt, CodeField } from './verification-report.js';

/** Maximum number of attempts that are kept and shown; the newest are kept. */
const ATTEMPTS_KEPT = 50;

/** The challenge of one quote: its last state at the exchange and the codes that were tried. */
export interface StoredChallenge {
  quoteId: string;
  /** The tag of the withdrawal that the challenge was opened for. */
  tag: string | null;
  bizNo: string;
  mode: VerificationChallenge['mode'];
  relation: VerificationChallenge['relation'];
  steps: VerificationStep[];
  attempts: CodeAttempt[];
  /** Collected codes that will be sent in one call. */
  sealedCodes: Partial<Record<CodeField, SealedRecord>>;
  wrongCodes: number;
  expiresAt: Date | null;
}

const COLUMNS = `quote_id as "quoteId", tag, biz_no as "bizNo", mode, relation, steps, attempts,
  coalesce(sealed_codes, '{}') as "sealedCodes", wrong_codes as "wrongCodes", expires_at as "expiresAt"`;

const OF_QUOTE = {
  name: 'challenge of a quote',
  text: `select ${COLUMNS} from withdrawal_challenges where quote_id = $1`,
};

/** Stores challenges. Only one call at a time holds a challenge, so that each code is sent to the exchange once. */
@Injectable()
export class ChallengeStore {
  constructor(private readonly db: Database) {}

  async find(quoteId: string): Promise<StoredChallenge | null> {
    const [row] = await this.db.read<StoredChallenge>(OF_QUOTE, [quoteId]);
    return row ?? null;
  }

  /** Inserts a challenge. When several calls open one at the same time, the first row stays. */
  async insert(
    quote: Pick<Quote, 'id' | 'projectId' | 'walletId'>,
    tag: string | null,
    { id, mode, relation, steps, expiresAt }: VerificationChallenge,
    now: Date,
  ): Promise<void> {
    await this.db.query(
      `insert into withdrawal_challenges (quote_id, project_id, wallet_id, tag, biz_no, mode, relation, steps, attempts,
         expires_at, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, '[]', $9, $10, $10)
       on conflict (quote_id) do nothing`,
      [quote.id, quote.projectId, quote.walletId, tag, id, mode, relation, JSON.stringify(steps), expiresAt, now],
    );
  }

  /**
   * Takes the challenge for this call until the challenge is saved or `until` has passed; null = another call holds it.
   */
  async take(quoteId: string, now: Date, until: Date): Promise<StoredChallenge | null> {
    const [row] = await this.db.query<StoredChallenge>(
      `update withdrawal_challenges set working_until = $3
       where quote_id = $1 and (working_until is null or working_until <= $2)
       returning ${COLUMNS}`,
      [quoteId, now, until],
    );
    return row ?? null;
  }

  /** Adds `more` to the count of wrong codes, even when another call holds the challenge. @returns the new count. */
  async countWrongCodes(quoteId: string, more: number): Promise<number> {
    const [row] = await this.db.query<{ wrong_codes: number }>(
      `update withdrawal_challenges set wrong_codes = wrong_codes + $2 where quote_id = $1 returning wrong_codes`,
      [quoteId, more],
    );
    return row?.wrong_codes ?? more;
  }

  /** Erases the collected codes of one quote after they were sent. */
  async eraseCodes(quoteId: string): Promise<void> {
    await this.db.query(`update withdrawal_challenges set sealed_codes = null where quote_id = $1`, [quoteId]);
  }

  /** Erases the collected codes of expired quotes. @returns how many challenges had codes. */
  async eraseAbandonedCodes(now: Date): Promise<number> {
    const erased = await this.db.query(
      `update withdrawal_challenges c set sealed_codes = null from quotes q
       where q.id = c.quote_id and c.sealed_codes is not null and q.expires_at <= $1 returning c.quote_id`,
      [now],
    );
    return erased.length;
  }

  /**
   * Saves the challenge and releases it. The count of wrong codes is not saved here; see `countWrongCodes`.
   * @returns false when another call has taken the challenge in the meantime.
   */
  async save(challenge: StoredChallenge, until: Date, now: Date): Promise<boolean> {
    const { quoteId, bizNo, mode, relation, steps, attempts, sealedCodes, expiresAt } = challenge;
    const rows = await this.db.query(
      `update withdrawal_challenges set biz_no = $3, mode = $4, relation = $5, steps = $6, attempts = $7,
         sealed_codes = $8, expires_at = $9, updated_at = $10, working_until = null
       where quote_id = $1 and working_until = $2 returning quote_id`,
      [
        quoteId,
        until,
        bizNo,
        mode,
        relation,
        JSON.stringify(steps),
        JSON.stringify(attempts.slice(-ATTEMPTS_KEPT)),
        Object.keys(sealedCodes).length === 0 ? null : JSON.stringify(sealedCodes),
        expiresAt,
        now,
      ],
    );
    return rows.length === 1;
  }
}
