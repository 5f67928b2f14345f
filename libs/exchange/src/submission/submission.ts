import { assertOutsideTransaction } from '#platform/database';
import type { ReadParts } from '../transport/send-read.js';
import type { SubmitOptions } from '../port/exchange.port.js';
import { evidenceOf, type Acceptance, type Evidence, type Submission } from './submit-evidence.js';
import { parseBody } from '../transport/error-map.js';
import { OverBudget } from '../transport/call-queue.js';
import { NoResponse, type HttpResponse, type HttpRequest } from '../transport/transport.js';

/** The shared parts of all submissions of one credential. */
export interface SubmissionParts extends ReadParts {
  /** Limits the time from the writing of the request to its response. `timeoutMs` limits the time until the writing. */
  readonly submitTimeoutMs: number;
}

/** A complete request, and the function that releases its exclusive nonce. */
export interface SignedSubmission {
  readonly request: HttpRequest;
  readonly release?: () => Promise<void>;
}

/** One call that moves money. */
export interface SubmissionCall {
  /** The endpoint's name in metrics. */
  readonly operation: string;
  /** The address to connect to. */
  readonly address: string;
  /** For how many calls this call counts in the exchange's limit; absent = one. */
  readonly cost?: number;
  /** Creates and signs the request. It is called when the call has left the queue and its connection is open. */
  readonly sign: () => Promise<SignedSubmission>;
}

/**
 * Sends one call that moves money. The request is sent at most once, on a dedicated connection. Throws only
 * `InsideTransaction`, before it does anything else.
 */
export async function submitOnce<Receipt, Outcome extends { kind: string }>(
  parts: SubmissionParts,
  call: SubmissionCall,
  submission: Submission<Receipt, Outcome>,
  options: Pick<SubmitOptions, 'beforeSend'>,
): Promise<Outcome> {
  const { exchange, meter } = parts;
  const { operation } = call;
  assertOutsideTransaction(`a submission to ${exchange}`);
  return meter.submit({ exchange, operation }, async (begin) =>
    submission.toOutcome(await queued(parts, { ...call, begin }, submission.acceptance, options)),
  );
}

async function queued<Receipt>(
  parts: SubmissionParts,
  call: SubmissionCall & { begin: () => void },
  acceptance: Acceptance<Receipt>,
  { beforeSend }: Pick<SubmitOptions, 'beforeSend'>,
): Promise<Evidence<Receipt>> {
  let written = false;
  const beforeWrite = (): void => {
    beforeSend();
    written = true;
  };
  const endpoint = `submission ${call.operation}`;
  try {
    return await parts.queue.run(
      async () => {
        call.begin();
        const response = await send(parts, call, beforeWrite);
        parts.queue.heedSubmission(response, endpoint);
        const { exchange, errors, meter } = parts;
        meter.warned({ exchange, operation: call.operation }, errors.warningsIn?.(parseBody(response.body)));
        return evidenceOf(parts.errors, acceptance, response);
      },
      { endpoint, cost: call.cost },
    );
  } catch (error) {
    const reason = error instanceof NoResponse ? error.reason : String(error);
    if (written) return { kind: 'unknown', reason, answer: {} };
    // The transport wraps what `sign` throws.
    const cause = error instanceof NoResponse ? error.cause : error;
    return { kind: 'not_sent', reason, ...(cause instanceof OverBudget && { retryAfterMs: cause.retryAfterMs }) };
  }
}

async function send(
  { transport, timeoutMs, submitTimeoutMs, limits }: SubmissionParts,
  { address, sign }: SubmissionCall,
  beforeWrite: () => void,
): Promise<HttpResponse> {
  let release: SignedSubmission['release'];
  let isOver = false;
  const signInTime = async (): Promise<HttpRequest> => {
    const signed = await sign();
    release = signed.release;
    // The request has timed out already, so its nonce must not block other calls.
    if (isOver) await release?.();
    return signed.request;
  };
  try {
    return await transport.sendOnce(address, signInTime, {
      timeoutMs,
      responseTimeoutMs: submitTimeoutMs,
      limits,
      beforeWrite,
    });
  } finally {
    isOver = true;
    await release?.();
  }
}
