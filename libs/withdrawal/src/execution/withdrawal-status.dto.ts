import { ApiField } from '#platform/http';
import { VerificationReportResponse } from '../verification/verification-report.dto.js';
import { QuoteResponse, toQuoteResponse } from '../quote/quote.dto.js';
import type { QuoteStatus } from './get-withdrawal.js';
import { transactionStatusOf, withdrawalStates, type WithdrawalState } from '../withdrawals/withdrawal-state.js';
import type { Withdrawal } from '../withdrawals/withdrawal.entity.js';

const statuses = ['open', 'expired', 'verification_required', 'pending', 'ok', 'failed', 'canceled'] as const;
type Status = (typeof statuses)[number];

class ExecutedWithdrawalResponse {
  @ApiField('Our withdrawal id (UUIDv7), as the execution returned it.', { format: 'uuid' })
  id: string;

  @ApiField('Our transaction id; see `GET /v0/wallet/transaction/{transactionId}`.', { format: 'uuid' })
  transactionId: string;

  @ApiField(
    'State inside the service. `submitting`: the withdrawal is being sent; `unknown`: it was sent, the exchange gave no definite response, and the worker settles it from the history of the exchange; `review`: an operator has to decide; `submitted`: accepted by the exchange; `rejected`: refused, and no money has moved.',
    { enum: [...withdrawalStates] },
  )
  state: WithdrawalState;

  @ApiField('Address tag or memo of the withdrawal; null = none.', { type: 'string', nullable: true })
  tag: string | null;

  @ApiField('The id of the withdrawal at the exchange; null until it is known.', { type: 'string', nullable: true })
  exchangeTransactionId: string | null;

  @ApiField('Time of the first execution, in epoch milliseconds.', { type: 'integer' })
  createdAt: number;

  @ApiField('Time of the last change of `state`, in epoch milliseconds.', { type: 'integer' })
  stateChangedAt: number;
}

class RecordedErrorResponse {
  @ApiField('The error code that the execution returned and returns at every repeat.')
  type: string;

  @ApiField('The error message, for people.')
  error: string;

  @ApiField('The details of the error; null = none.', { type: 'object', additionalProperties: true, nullable: true })
  result: Record<string, unknown> | null;
}

export class WithdrawalStatusResponse {
  @ApiField(
    '`open`: the quote can be executed; `verification_required`: it can be executed after a person has verified it; `expired`: it was never executed; `pending`, `ok`, `failed`, `canceled`: the status of its transaction. `pending` without a withdrawal: the database was restored and may lack an execution of the quote.',
    { enum: [...statuses] },
  )
  status: Status;

  @ApiField('The quote.', { type: () => QuoteResponse })
  quote: QuoteResponse;

  @ApiField('The withdrawal; null until the quote is executed for the first time.', {
    type: () => ExecutedWithdrawalResponse,
    nullable: true,
  })
  withdrawal: ExecutedWithdrawalResponse | null;

  @ApiField(
    'The open verification as the exchange last reported it; null = none. A dry run reads it again, for example after a face check.',
    { type: () => VerificationReportResponse, nullable: true },
  )
  verification: VerificationReportResponse | null;

  @ApiField('true: there were too many wrong codes; request a new quote.')
  locked: boolean;

  @ApiField(
    'The recorded refusal of the last execution; null = none. With the status `verification_required` it does not end the quote: a call that is being executed, or a later one, may still pay.',
    { type: () => RecordedErrorResponse, nullable: true },
  )
  error: RecordedErrorResponse | null;
}

export function toStatusResponse(quoteStatus: QuoteStatus): WithdrawalStatusResponse {
  const { quote, withdrawal, verification } = quoteStatus;
  return {
    status: statusOf(quoteStatus),
    quote: toQuoteResponse(quote),
    withdrawal: withdrawal === null ? null : toResponse(withdrawal),
    verification: verification?.report ?? null,
    locked: verification?.isLocked === true || withdrawal?.errorResult?.['locked'] === true,
    error:
      withdrawal?.errorCode == null
        ? null
        : { type: withdrawal.errorCode, error: withdrawal.errorMessage ?? '', result: withdrawal.errorResult },
  };
}

function statusOf({ withdrawal, isOpen, mayLackExecution, verification }: QuoteStatus): Status {
  if (mayLackExecution) return 'pending';
  if (isOpen)
    return verification === null && withdrawal?.state !== 'verification_required' ? 'open' : 'verification_required';
  if (withdrawal === null || withdrawal.errorCode === 'QUOTE_EXPIRED') return 'expired';
  return transactionStatusOf(withdrawal.state);
}

function toResponse(withdrawal: Withdrawal): ExecutedWithdrawalResponse {
  const { id, transactionId, state, tag, exchangeId, createdAt, stateChangedAt } = withdrawal;
  return {
    id,
    transactionId,
    state,
    tag,
    exchangeTransactionId: exchangeId,
    createdAt: createdAt.getTime(),
    stateChangedAt: stateChangedAt.getTime(),
  };
}
