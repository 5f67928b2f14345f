import { ApiExtraModels, ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsUUID, MaxLength } from 'class-validator';
import { exampleExchange } from '#exchange';
import { errorCodes, type ErrorCode } from '#platform/errors';
import type { TopicMessage, TopicMessageBody } from '#platform/events';
import { IsIdem } from '../session/idem.js';
import type { OutcomeStatus, ReadOutcome } from './read-outcome.js';

/** Our message ids are shorter. A longer value cannot be one of them. */
const MESSAGE_ID_LENGTH_MAX = 128;

const messageTypes: TopicMessageBody['type'][] = ['oauth2', 'connect', 'qr_code_auth', 'withdraw'];

export class OutcomeQuery {
  @IsIdem({
    description: 'The `idem` of the request for the connect url, or the id of a withdrawal quote.',
    example: '0193f2a1-7c44-7e1b-9b1a-5d2f6c0a9e77',
  })
  idem: string;

  @ApiPropertyOptional({
    description: 'Organization of the topic, for clients that cannot send the header `x-svc-org-id`.',
    format: 'uuid',
  })
  @IsOptional()
  @IsUUID()
  orgId?: string;
}

export class SocketQuery extends OutcomeQuery {
  @ApiPropertyOptional({
    description:
      'Id of the last message that the client has received. Later messages follow. Without it, or if that message is no longer stored, all stored messages follow.',
    maxLength: MESSAGE_ID_LENGTH_MAX,
  })
  @IsOptional()
  @MaxLength(MESSAGE_ID_LENGTH_MAX)
  lastMessageId?: string;
}

export class EventsQuery extends OutcomeQuery {
  @ApiPropertyOptional({
    description:
      'Id of the last message that the client has received, for clients that cannot send the header `Last-Event-ID`. The header takes precedence.',
    maxLength: MESSAGE_ID_LENGTH_MAX,
  })
  @IsOptional()
  @MaxLength(MESSAGE_ID_LENGTH_MAX)
  lastEventId?: string;
}

class TopicErrorResponse {
  @ApiProperty({ description: 'Message for people.', type: 'string' }) error: string;
  @ApiProperty({ description: 'Error code of the interface.', enum: Object.keys(errorCodes) }) type: ErrorCode;
  @ApiPropertyOptional({ description: 'Details of the error.', type: 'object', additionalProperties: true })
  result?: Record<string, unknown>;
}

class TopicBodyResponse implements TopicMessageBody {
  @ApiProperty({
    description:
      '`oauth2`: connect at the page of the exchange; `connect`: by a pasted key; `qr_code_auth`: with the app of the exchange; `withdraw`: a withdrawal.',
    enum: messageTypes,
  })
  type: TopicMessageBody['type'];

  @ApiPropertyOptional({ description: 'Absent while the outcome is open.', type: 'boolean' }) success?: boolean;
  @ApiProperty({ description: 'Id of the wallet, as the application chose it.' }) walletId: string;
  @ApiProperty({ description: 'Exchange id.', example: exampleExchange.id }) exchange: string;
  @ApiPropertyOptional({ description: 'Where `success` is false.', type: TopicErrorResponse })
  error?: TopicErrorResponse;

  @ApiPropertyOptional({ description: 'Progress of a login with the app of the exchange.', type: 'string' })
  status?: string;

  @ApiPropertyOptional({ description: 'Quote of a withdrawal.', type: 'string' }) quoteId?: string;
  @ApiPropertyOptional({ description: 'Transaction of a withdrawal that may have left the exchange.', type: 'string' })
  transactionId?: string;

  @ApiPropertyOptional({ description: 'Set for a withdrawal that may have left the exchange.', enum: ['complete'] })
  step?: 'complete';
}

export class TopicMessageResponse implements TopicMessage {
  @ApiProperty({ description: 'Id of the message. A client continues after it.', format: 'uuid' }) messageId: string;
  @ApiProperty({ description: 'The topic.' }) idem: string;
  @ApiProperty({ description: 'When it was published, epoch milliseconds.', type: 'integer' }) timestamp: number;
  @ApiProperty({ description: 'The content of the message.', type: TopicBodyResponse }) body: TopicBodyResponse;
}

/**
 * The route requires no API key. The response therefore contains nothing of the wallet, the quote or the exchange, and
 * no error text.
 */
@ApiExtraModels(TopicMessageResponse)
export class OutcomeResponse {
  @ApiProperty({ description: 'The topic of the request.' }) idem: string;

  @ApiProperty({
    description:
      'For a connect: `pending` until it has succeeded or can no longer succeed. For a withdrawal quote: the outcome in its latest message.',
    enum: ['pending', 'success', 'failed'],
  })
  status: OutcomeStatus;

  @ApiProperty({ description: 'null while `status` is `pending`.', type: 'boolean', nullable: true })
  success: boolean | null;

  @ApiProperty({
    description: 'Type of the latest message of the topic. null = it has no message.',
    enum: [...messageTypes, null],
    type: 'string',
    nullable: true,
  })
  type: TopicMessageBody['type'] | null;

  @ApiProperty({
    description:
      'Error code of the latest message; while `status` is `pending`, of a failed attempt. null = the message reports no error. Listeners get the text and the details.',
    enum: [...Object.keys(errorCodes), null],
    type: 'string',
    nullable: true,
  })
  code: ErrorCode | null;
}

export function toOutcomeResponse(
  idem: string,
  { status, message }: Awaited<ReturnType<ReadOutcome['execute']>>,
): OutcomeResponse {
  const { type = null, error } = message?.body ?? {};
  const success = status === 'pending' ? null : status === 'success';
  return { idem, status, success, type, code: error?.type ?? null };
}
