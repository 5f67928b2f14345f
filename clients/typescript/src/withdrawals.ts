import type { Output } from './call.js';
import { challengeOf, type Challenge, type Codes } from './challenge.js';
import { CausewayError, isCausewayError, type ErrorCode } from './errors.js';
import type { Operations } from './generated/operations.js';
import { sleep } from './time.js';

export interface RunOptions {
  /** The wallet of the quote. Default: the wallet of the client's options. */
  walletId?: string;
  /**
   * Asks the person for codes, and returns them; null when the person gives up. It is called again for missing and
   * wrong codes. Without it, a withdrawal that needs a verification ends as `abandoned`.
   */
  onChallenge?: (challenge: Challenge) => Promise<Codes | null> | Codes | null;
  /** Ends the run. It does not stop a withdrawal that was sent; run the same quote again to follow that withdrawal. */
  signal?: AbortSignal;
  /** How long to follow the transaction until it is final. Default: 10 minutes. */
  followMs?: number;
  /** How long to look for the outcome of an execution without a clear response. Default: 2 minutes. */
  doubtMs?: number;
  /** The pause between two polls. Default: 2 s. */
  pollMs?: number;
}

export type Transaction = Output<'getTransaction'>;

/** How a run ended. */
export type RunResult =
  /** The withdrawal has arrived (`ok`), nothing has left (`failed`, `canceled`), or it is still under way. */
  | { status: 'ok' | 'failed' | 'canceled' | 'pending'; transactionId: string; transaction: Transaction }
  /** The person gave up, or `onChallenge` is absent. Nothing has left; the quote can be run again until it expires. */
  | { status: 'abandoned'; challenge: Challenge };

const FOLLOW_MS = 600_000;
const DOUBT_MS = 120_000;
const POLL_MS = 2_000;
/** Maximum number of executions in one run. Each one after the first answers a verification of the exchange. */
const ROUNDS_MAX = 500;

interface Plan extends Required<Pick<RunOptions, 'followMs' | 'doubtMs' | 'pollMs'>> {
  quoteId: string;
  walletId?: string;
  signal?: AbortSignal;
}

export class Withdrawals {
  constructor(private readonly operations: Operations) {}

  /**
   * Executes a quote, asks the person for what the exchange wants to know, and follows the withdrawal to its end.
   *
   * The quote is paid at most once. When an execution gets no clear response, it is not sent again: the run looks for
   * its outcome. The error `CLIENT_OUTCOME_UNKNOWN` means that money may have left: run the **same** quote again later,
   * and never a new one in its place.
   *
   * @throws CausewayError with another code when the withdrawal was refused; this run has moved no money then
   */
  async run(quote: { id: string }, options: RunOptions = {}): Promise<RunResult> {
    const { onChallenge, walletId, signal } = options;
    const { followMs = FOLLOW_MS, doubtMs = DOUBT_MS, pollMs = POLL_MS } = options;
    const plan = { quoteId: quote.id, walletId, signal, followMs, doubtMs, pollMs };
    let body: Codes & { bizNo?: string } = {};
    let challenge: Challenge | null = null;
    for (let round = 0; round < ROUNDS_MAX; round += 1) {
      const executed = await this.execute(plan, body, challenge);
      if (typeof executed === 'string') return await this.follow(plan, executed);
      const isSame = challenge !== null && isFaceCheck(executed) && isFaceCheck(challenge);
      challenge = executed;
      // A face check happens in the app of the exchange: the same call reads its state.
      if (isSame) await sleep(pollMs, signal);
      const codes: Codes | null = isSame ? {} : ((await onChallenge?.(challenge)) ?? null);
      if (codes === null) return { status: 'abandoned', challenge };
      body = { ...codes, ...(challenge.bizNo !== null && { bizNo: challenge.bizNo }) };
    }
    throw outcomeUnknown(
      quote.id,
      `The exchange still asks for a verification after ${ROUNDS_MAX} executions of the quote.`,
    );
  }

  /** Returns the id of the transaction, or what the exchange asks for. */
  private async execute(plan: Plan, body: object, before: Challenge | null): Promise<string | Challenge> {
    const { quoteId, walletId, signal } = plan;
    try {
      const { result } = await this.operations.executeQuote({ ...body, quoteId, walletId }, { signal });
      return result.transactionId;
    } catch (error) {
      if (!isCausewayError(error)) throw error;
      const challenge = challengeOf(quoteId, error, before);
      if (challenge !== null) return challenge;
      if (isDoubtful(error)) return await this.resolveDoubt(plan, error);
      throw error;
    }
  }

  /** Waits for the outcome of an execution that may be in progress, and sends nothing. */
  private async resolveDoubt(plan: Plan, cause: CausewayError): Promise<string> {
    const { quoteId, walletId, signal, doubtMs, pollMs } = plan;
    const deadline = Date.now() + doubtMs;
    for (;;) {
      const found = await readable(quoteId, this.operations.getWithdrawal({ quoteId, walletId }, { signal }));
      // While the quote can still be executed, `error` is the refusal of an earlier execution.
      if (found?.error && !isOpen(found.status)) throw recordedError(found.error);
      if (found?.status === 'expired')
        throw new CausewayError({
          code: 'QUOTE_EXPIRED',
          status: 410,
          message: 'The quote expired and was not executed',
        });
      if (found?.withdrawal && !isOpen(found.status)) return found.withdrawal.transactionId;
      if (Date.now() > deadline) break;
      await sleep(pollMs, signal);
    }
    throw outcomeUnknown(quoteId, 'It is not known yet whether the quote was executed.', cause);
  }

  private async follow(plan: Plan, transactionId: string): Promise<RunResult> {
    const { quoteId, signal, followMs, pollMs } = plan;
    const deadline = Date.now() + followMs;
    for (;;) {
      const transaction = await readable(quoteId, this.operations.getTransaction({ transactionId }, { signal }));
      const isOver = Date.now() > deadline;
      if (transaction !== null && (transaction.status !== 'pending' || isOver))
        return { status: transaction.status, transactionId, transaction };
      if (isOver) throw outcomeUnknown(quoteId, 'The withdrawal was accepted, and its transaction cannot be read now.');
      await sleep(pollMs, signal);
    }
  }
}

function isFaceCheck({ steps }: Challenge): boolean {
  return steps.length > 0 && steps.every(({ field }) => field === null);
}

/**
 * Whether the money may be leaving after this error: no response, a response that is not from the service, 500, 503, or
 * 409 with `Retry-After` (another call executes the quote).
 */
function isDoubtful({ code, status, retryAfterMs }: CausewayError): boolean {
  if (code === 'CLIENT_NO_RESPONSE' || code === 'CLIENT_UNEXPECTED_RESPONSE') return true;
  return status === 500 || status === 503 || (status === 409 && retryAfterMs !== null);
}

/** Whether the quote can still be executed, as far as the service has recorded. */
function isOpen(status: Output<'getWithdrawal'>['status']): boolean {
  return status === 'open' || status === 'verification_required';
}

/**
 * Returns null after a failure that the next poll may not have; the client has repeated the read already.
 *
 * @throws CLIENT_OUTCOME_UNKNOWN after every other failure: a refused read says nothing about the execution before it
 */
async function readable<Read>(quoteId: string, reading: Promise<Read>): Promise<Read | null> {
  try {
    return await reading;
  } catch (error) {
    if (!isCausewayError(error)) throw error;
    const { code, status } = error;
    if (status === null || status === 429 || status >= 500 || code === 'CLIENT_UNEXPECTED_RESPONSE') return null;
    throw outcomeUnknown(quoteId, `The outcome of the quote cannot be read: ${error.message}.`, error);
  }
}

function outcomeUnknown(quoteId: string, reason: string, cause?: unknown): CausewayError {
  const message = `${reason} Run the same quote again, never a new one.`;
  return new CausewayError({ code: 'CLIENT_OUTCOME_UNKNOWN', message, result: { quoteId }, cause });
}

/** The refusal that has ended the quote; every further execution of the quote gets this refusal. */
function recordedError({ type, error, result }: NonNullable<Output<'getWithdrawal'>['error']>): CausewayError {
  return new CausewayError({ code: type as ErrorCode, message: error, result: (result ?? undefined) as never });
}
