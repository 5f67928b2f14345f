import { ExchangeError, totalHeld, type ExchangeSession, type PreparedWithdrawal, type SubmitOutcome } from '#exchange';
import type { Amount } from '#money';
import { KNOWN_BEFORE_LOOKBACK_MS } from './record-lookback.js';

type Refused = Extract<SubmitOutcome, { kind: 'rejected' | 'verification_required' }>;

/** A withdrawal that the exchange has refused, and what was known of its account before it was sent. */
export interface RefusedSubmission {
  asset: string;
  prepared: PreparedWithdrawal;
  balanceBefore: Amount | null;
  knownIds: readonly string[];
  startedAt: Date;
}

/**
 * A refusal counts only when the account shows that nothing has left. Something between us and the exchange can deliver a
 * request twice: then this is the answer to the second copy, such as "insufficient funds" because the first one was paid.
 * @returns the refusal, or an unknown outcome when something may have left or the account cannot be read.
 */
export async function confirmRefusal(
  session: ExchangeSession,
  refused: Refused,
  { asset, prepared, balanceBefore, knownIds, startedAt }: RefusedSubmission,
): Promise<SubmitOutcome> {
  const unknown = (why: string): SubmitOutcome => {
    return { kind: 'unknown', reason: `${refused.rawCode}, but ${why}`, answer: refused.answer };
  };
  const { withdrawals } = session;
  if (withdrawals === undefined) return unknown('its records cannot be read');
  try {
    const balance = totalHeld(await session.balances(), asset);
    if (balanceBefore !== null && balance.lessThan(balanceBefore)) return unknown('the balance is lower than before');
    const notBefore = new Date(startedAt.getTime() - KNOWN_BEFORE_LOOKBACK_MS);
    const records = await withdrawals.find({ asset, ...prepared, exchangeId: null, notBefore });
    // Also one that has failed by now: it left, and the person is told of the withdrawal that failed.
    const isNew = records.some(({ exchangeId }) => !knownIds.includes(exchangeId));
    return isNew ? unknown('a record of the exchange fits') : refused;
  } catch (error) {
    if (!(error instanceof ExchangeError)) throw error;
    return unknown(`the account could not be read: ${error.kind}`);
  }
}
