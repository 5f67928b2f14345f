import type { VerificationChallenge } from '#exchange';
import type { Quote } from '../../quote/quote.entity.js';
import type { ChallengeStore, StoredChallenge } from '../../verification/challenge-store.js';
import type { MemoryTables } from './memory-tables.js';

const ATTEMPTS_KEPT = 50;

/** The methods of `ChallengeStore` that `VerifyWithdrawal` calls. */
export type ChallengePort = Pick<
  ChallengeStore,
  'find' | 'insert' | 'take' | 'countWrongCodes' | 'eraseCodes' | 'save'
>;

/** `ChallengeStore` in memory; a test runs it next to the real class and compares the results. */
export class MemoryChallengeStore implements ChallengePort {
  constructor(private readonly tables: MemoryTables) {}

  async find(quoteId: string): Promise<StoredChallenge | null> {
    return this.read(quoteId);
  }

  async insert(
    quote: Pick<Quote, 'id' | 'projectId' | 'walletId'>,
    tag: string | null,
    { id, mode, relation, steps, expiresAt }: VerificationChallenge,
    now: Date,
  ): Promise<void> {
    if (this.tables.challenges.get(quote.id) !== null) return;
    this.tables.challenges.insert(quote.id, {
      quoteId: quote.id,
      tag,
      bizNo: id,
      mode,
      relation,
      expiresAt,
      steps: structuredClone(steps),
      attempts: [],
      sealedCodes: {},
      wrongCodes: 0,
      workingUntil: null,
      updatedAt: now,
    });
  }

  async take(quoteId: string, now: Date, until: Date): Promise<StoredChallenge | null> {
    const row = this.tables.challenges.get(quoteId);
    if (row === null || (row.workingUntil !== null && row.workingUntil > now)) return null;
    this.tables.challenges.update(quoteId, { workingUntil: until });
    return this.read(quoteId);
  }

  async countWrongCodes(quoteId: string, more: number): Promise<number> {
    const row = this.tables.challenges.get(quoteId);
    if (row === null) return more;
    const wrongCodes = row.wrongCodes + more;
    this.tables.challenges.update(quoteId, { wrongCodes });
    return wrongCodes;
  }

  async eraseCodes(quoteId: string): Promise<void> {
    if (this.tables.challenges.get(quoteId) !== null) this.tables.challenges.update(quoteId, { sealedCodes: {} });
  }

  async save(challenge: StoredChallenge, until: Date, now: Date): Promise<boolean> {
    const row = this.tables.challenges.get(challenge.quoteId);
    if (row?.workingUntil?.getTime() !== until.getTime()) return false;
    const { bizNo, mode, relation, steps, attempts, sealedCodes, expiresAt } = structuredClone(challenge);
    this.tables.challenges.update(challenge.quoteId, {
      bizNo,
      mode,
      relation,
      steps,
      sealedCodes,
      expiresAt,
      attempts: attempts.slice(-ATTEMPTS_KEPT),
      updatedAt: now,
      workingUntil: null,
    });
    return true;
  }

  private read(id: string): StoredChallenge | null {
    const row = this.tables.challenges.get(id);
    if (row === null) return null;
    const { quoteId, tag, bizNo, mode, relation, steps, attempts, sealedCodes, wrongCodes, expiresAt } = row;
    return structuredClone({
      quoteId,
      tag,
      bizNo,
      mode,
      relation,
      steps,
      attempts,
      sealedCodes,
      wrongCodes,
      expiresAt,
    });
  }
}
