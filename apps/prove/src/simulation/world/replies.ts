import { DomainError, type ErrorCode } from '#platform/errors';

export interface Refused {
  kind: 'refused';
  code: ErrorCode;
  status: number;
  result: Record<string, unknown>;
  /** Whether the response is the recorded result of a withdrawal. */
  isRecorded: boolean;
  /** Whether the refusal only asks the client to repeat the call. */
  isPause: boolean;
}

/** The response to one call. */
export type Reply =
  | { kind: 'ok'; id: string; transactionId: string }
  | Refused
  /** 500: an internal error. */
  | { kind: 'broken' }
  /** The process died. */
  | { kind: 'lost' };

export function refusalIn(error: unknown): Reply {
  if (!(error instanceof DomainError)) return { kind: 'broken' };
  const { code, status, details, name, retryAfterSeconds } = error;
  const isPause = retryAfterSeconds !== undefined;
  return {
    kind: 'refused',
    code,
    status,
    result: details.result ?? {},
    isRecorded: name === 'WithdrawalRefused',
    isPause,
  };
}

export function textOf(reply: Reply): string {
  if (reply.kind === 'ok') return `ok ${reply.id}`;
  return reply.kind === 'refused' ? `${reply.status} ${reply.code}` : reply.kind;
}

/** Whether the response reports that the quote will never be paid, so that a client may request a new quote. */
export function isFinalRefusal(reply: Reply): boolean {
  if (reply.kind !== 'refused') return false;
  if (reply.code === 'QUOTE_EXPIRED') return true;
  return reply.isRecorded && !reply.code.startsWith('WITHDRAWAL_2FA_');
}

/** Whether the response reports that the wallet, and with it the quote, no longer exists. */
export function isGone(reply: Reply): boolean {
  return reply.kind === 'refused' && reply.status === 404;
}

/**
 * Whether no repeat of the call can pay, although an earlier call may have paid: the wallet no longer exists, or the
 * restored database may lack an execution of the quote.
 */
export function isPointless(reply: Reply): boolean {
  if (reply.kind !== 'refused') return false;
  return isGone(reply) || (reply.status === 409 && reply.result['reason'] === 'database_restored');
}

/** A call of a client and its response. The times are numbers of steps of the run. */
export interface Answer {
  client: string;
  quoteId: string;
  startedAt: number;
  endedAt: number;
  isDryRun: boolean;
  tag: string | undefined;
  reply: Reply;
}
