import { ApiProperty } from '@nestjs/swagger';
import { VerificationReportResponse } from '../verification/verification-report.dto.js';
import { QuoteResponse, toQuoteResponse } from '../quote/quote.dto.js';
import type { QuoteStatus } from './get-withdrawal.js';
import { transactionStatusOf, withdrawalStates, type WithdrawalState } from './withdrawal-state.js';
import type { Withdrawal } from './withdrawal.entity.js';

const statuses = ['open', 'expired', 'verification_required', 'pending', 'ok', 'failed', 'canceled'] as const;
type Status = (typeof statuses)[number];

class ExecutedWithdrawalResponse {
  @ApiProperty({ description: 'Our withdrawal id (UUIDv7), as Execute answered it.', format: 'uuid' })
  id: string;

  @ApiProperty({ description: 'Its transaction: `GET /v0/wallet/transaction/{transactionId}`.', format: 'uuid' })
  transactionId: string;

  @ApiProperty({
    description:
      'Where it stands inside the service. `submitting`: being sent; `unknown`: sent, but no definite answer, being settled from the history of the exchange; `review`: an operator has to decide; `submitted`: the exchange has it; `rejected`: refused, nothing moved.',
    enum: [...withdrawalStates],
  })
  state: WithdrawalState;

  @ApiProperty({ description: 'Address tag or memo that it carries; null = none.', type: 'string', nullable: true })
  tag: string | null;

  @ApiProperty({ description: 'The id of the exchange; null until it is known.', type: 'string', nullable: true })
  exchangeTransactionId: string | null;

  @ApiProperty({ description: 'First execution, in epoch milliseconds.', type: 'integer' })
  createdAt: number;

  @ApiProperty({ description: 'Last change of `state`, in epoch milliseconds.', type: 'integer' })
  stateChangedAt: number;
}

class RecordedErrorResponse {
  @ApiProperty({ description: 'The code that Execute answered, and answers at every repeat.' })
  type: string;

  @ApiProperty({ description: 'For people.' })
  error: string;

  @ApiProperty({
    description: 'The details of that answer; null = none.',
    type: 'object',
    additionalProperties: true,
    nullable: true,
  })
  result: Record<string, unknown> | null;
}

export class WithdrawalStandingResponse {
  @ApiProperty({
    description:
      '`open`: can be executed; `verification_required`: can be, and a person has to verify it first; `expired`: was never executed; then that of the transaction: `pending`, `ok`, `failed`, `canceled`.',
    enum: [...statuses],
  })
  status: Status;

  @ApiProperty({ description: 'The quote as it was given.', type: () => QuoteResponse })
  quote: QuoteResponse;

  @ApiProperty({
    description: 'null until the quote is executed for the first time.',
    type: () => ExecutedWithdrawalResponse,
    nullable: true,
  })
  withdrawal: ExecutedWithdrawalResponse | null;

  @ApiProperty({
    description:
      'The open verification as the exchange reported it last; null = none. A dry run looks again, for example for a face check.',
    type: () => VerificationReportResponse,
    nullable: true,
  })
  verification: VerificationReportResponse | null;

  @ApiProperty({ description: 'true: too many wrong codes; ask for a new quote.' })
  locked: boolean;

  @ApiProperty({
    description: 'The recorded refusal of an execution; null = none.',
    type: () => RecordedErrorResponse,
    nullable: true,
  })
  error: RecordedErrorResponse | null;
}

export function toStandingResponse(standing: QuoteStatus): WithdrawalStandingResponse {
  const { quote, withdrawal, verification } = standing;
  return {
    status: statusOf(standing),
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

function statusOf({ withdrawal, isOpen, verification }: QuoteStatus): Status {
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
