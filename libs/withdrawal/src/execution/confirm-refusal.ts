import {
  ExchangeError,
  holdingsOf,
  type ExchangeSession,
  type PreparedWithdrawal,
  type SubmitOutcome,
} from '#exchange';
import type { Amount } from '#money';
import { KNOWN_BEFORE_LOOKBACK_MS } from '../withdrawals/exchange-records.js';

type Refused = Extract<SubmitOutcome, { kind: 'rejected' | 'verification_required' }>;

/** A submission that the exchange has refused, and the state of the account before it was sent. */
export interface RefusedSubmission {
  asset: string;
  network: string;
  prepared: PreparedWithdrawal;
  totalBefore: Amount;
  freeBefore: Amount;
  knownIds: readonly string[];
  startedAt: Date;
}

/**
 * Confirms a refusal: a refusal counts only when the account shows that no money has left. A network component can
 * deliver a request twice. We may then get the response to the second copy, for example "insufficient funds" because
 * the first copy was paid.
 * @returns the refusal, or an unknown outcome when money may have left or the account cannot be read.
 */
export async function confirmRefusal(
  session: ExchangeSession,
  refused: Refused,
  { asset, network, prepared, totalBefore, freeBefore, knownIds, startedAt }: RefusedSubmission,
): Promise<SubmitOutcome> {
  const unknown = (why: string): SubmitOutcome => {
    return { kind: 'unknown', reason: `${refused.rawCode}, but ${why}`, answer: refused.answer };
  };
  const { withdrawals } = session;
  if (withdrawals === undefined) return unknown('the withdrawals of the exchange cannot be read');
  try {
    const { total, free } = holdingsOf(await session.balances(), asset);
    // The free balance is compared, too, because some exchanges keep a withdrawal in the total until they have sent it.
    if (total.lessThan(totalBefore) || free.lessThan(freeBefore)) return unknown('the balance is lower than before');
    const notBefore = new Date(startedAt.getTime() - KNOWN_BEFORE_LOOKBACK_MS);
    const records = await withdrawals.find({ asset, network, ...prepared, exchangeId: null, notBefore });
    // A record that has already failed counts, too, because it shows that the exchange had accepted the submission.
    const isNew = records.some(({ exchangeId }) => !knownIds.includes(exchangeId));
    return isNew ? unknown('a new record in the history of the exchange matches') : refused;
  } catch (error) {
    if (!(error instanceof ExchangeError)) throw error;
    return unknown(`the account could not be read: ${error.kind}`);
  }
}
