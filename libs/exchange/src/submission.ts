import { assertOutsideTransaction } from '#platform/database';
import type { CallMeter } from './call-meter.js';
import type { CallQueue } from './call-queue.js';
import type { ErrorDialect } from './error-dialect.js';
import type { SubmitOptions } from './exchange.port.js';
import { evidenceOf, type Acceptance, type Evidence, type Submission } from './submit-evidence.js';
import { NoAnswer, type HttpRequest, type Transport } from './transport.js';

/** Through what a submission goes, and how it is answered. */
export interface SubmissionParts {
  readonly exchange: string;
  readonly queue: CallQueue;
  readonly transport: Transport;
  readonly errors: ErrorDialect;
  readonly meter: CallMeter;
  /** Until the request is written, and from then on until the answer is read. */
  readonly timeoutMs: number;
  readonly submitTimeoutMs: number;
}

/**
 * One call that moves money: sent exactly once, on a connection of its own, and never repeated. Does not throw, but for
 * `InsideTransaction` before anything else.
 * @param operation the endpoint, as it is measured.
 * @param sign the finished request, made when its turn has come.
 */
export async function submitOnce<Receipt, Outcome extends { kind: string }>(
  parts: SubmissionParts,
  operation: string,
  sign: () => HttpRequest,
  submission: Submission<Receipt, Outcome>,
  options: Pick<SubmitOptions, 'beforeSend'>,
): Promise<Outcome> {
  const { exchange, meter } = parts;
  assertOutsideTransaction(`a submission to ${exchange}`);
  return meter.submit({ exchange, operation }, async (begin) => {
    const signInTurn = (): HttpRequest => {
      begin();
      return sign();
    };
    return submission.tell(await send(parts, signInTurn, submission.acceptance, options));
  });
}

async function send<Receipt>(
  { queue, transport, errors, timeoutMs, submitTimeoutMs }: SubmissionParts,
  sign: () => HttpRequest,
  acceptance: Acceptance<Receipt>,
  { beforeSend }: Pick<SubmitOptions, 'beforeSend'>,
): Promise<Evidence<Receipt>> {
  let written = false;
  const beforeWrite = (): void => {
    beforeSend();
    written = true;
  };
  try {
    return await queue.run(async () => {
      const answer = await transport.send(sign(), {
        timeoutMs,
        answerTimeoutMs: submitTimeoutMs,
        beforeWrite,
        ownConnection: true,
      });
      return evidenceOf(errors, acceptance, answer);
    });
  } catch (error) {
    const reason = error instanceof NoAnswer ? error.reason : String(error);
    return written ? { kind: 'unknown', reason, answer: {} } : { kind: 'not_sent', reason };
  }
}
