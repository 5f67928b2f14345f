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
 * Waits until the account shows everything that the exchange has executed before this call.
 * @returns false when there is no time for that; then it has not waited.
 */
export type WaitForLag = () => Promise<boolean>;

/**
 * Confirms a refusal: it counts only when two looks at the account show no trace of the withdrawal. There are two
 * reasons to doubt a refusal. A network component can deliver a request twice, and we may get the response to the
 * second copy, for example "insufficient funds" because the first copy was paid. And the exchange itself may refuse
 * what it has executed. The second look comes after the lag of the exchange's histories and balances.
 * @returns the refusal, or an unknown outcome when money may have left or the account cannot be read.
 */
export async function confirmRefusal(
  session: ExchangeSession,
  refused: Refused,
  submission: RefusedSubmission,
  waitForLag: WaitForLag,
): Promise<SubmitOutcome> {
  const doubt = (await doubtIn(session, submission)) ?? (await laterDoubt(session, submission, waitForLag));
  if (doubt === null) return refused;
  const { rawCode, answer } = refused;
  return { kind: 'unknown', reason: `${rawCode}, but ${doubt}`, answer: { ...answer, refusedWith: rawCode } };
}

async function laterDoubt(
  session: ExchangeSession,
  submission: RefusedSubmission,
  waitForLag: WaitForLag,
): Promise<string | null> {
  return (await waitForLag()) ? doubtIn(session, submission) : 'there is no time for a second look at the account';
}

/**
 * Looks at the account once. Only unchanged balances agree with a refusal. A lower balance may lack the withdrawal, and
 * a higher one may contain a deposit that hides it.
 * @returns the reason to doubt that nothing has left; null = there is none.
 */
async function doubtIn(
  session: ExchangeSession,
  { asset, network, prepared, totalBefore, freeBefore, knownIds, startedAt }: RefusedSubmission,
): Promise<string | null> {
  const { withdrawals } = session;
  if (withdrawals === undefined) return 'the withdrawals of the exchange cannot be read';
  try {
    const { total, free } = holdingsOf(session.exchange, await session.balances(), asset);
    // The free balance is compared, too, because some exchanges keep a withdrawal in the total until they have sent it.
    if (!total.equals(totalBefore) || !free.equals(freeBefore)) return 'the balance is not the one from before';
    const notBefore = new Date(startedAt.getTime() - KNOWN_BEFORE_LOOKBACK_MS);
    const records = await withdrawals.find({ asset, network, ...prepared, exchangeId: null, notBefore });
    // A record that has already failed counts, too, because it shows that the exchange had accepted the submission.
    const isNew = records.some(({ exchangeId }) => !knownIds.includes(exchangeId));
    return isNew ? 'a new record in the history of the exchange matches' : null;
  } catch (error) {
    if (!(error instanceof ExchangeError)) throw error;
    return `the account could not be read: ${error.kind}`;
  }
}
