import { ApiExtraModels, ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsUUID, MaxLength } from 'class-validator';
import { errorCodes, type ErrorCode } from '#platform/errors';
import type { TopicMessage, TopicMessageBody } from '#platform/events';
import { IsIdem } from '../session/idem.js';
import type { OutcomeStatus, ReadOutcome } from './read-outcome.js';

/** Our message ids are shorter. A longer value cannot be one of them. */
const MESSAGE_ID_LENGTH_MAX = 128;

const messageTypes: TopicMessageBody['type'][] = ['oauth2', 'connect', 'qr_code_auth', 'withdraw'];

export class OutcomeQuery {
  @IsIdem({
    description: 'The `idem` that the connect url was asked for with, or the id of a withdrawal quote.',
    example: '0193f2a1-7c44-7e1b-9b1a-5d2f6c0a9e77',
  })
  idem: string;

  @ApiPropertyOptional({
    description: 'Organization that it belongs to, where the header `x-svc-org-id` cannot be sent.',
    format: 'uuid',
  })
  @IsOptional()
  @IsUUID()
  orgId?: string;
}

export class SocketQuery extends OutcomeQuery {
  @ApiPropertyOptional({
    description:
      'Id of the last message that the client has: it gets what came after it. Without it, or when that is no longer kept, everything that is kept.',
    maxLength: MESSAGE_ID_LENGTH_MAX,
  })
  @IsOptional()
  @MaxLength(MESSAGE_ID_LENGTH_MAX)
  lastMessageId?: string;
}

export class EventsQuery extends OutcomeQuery {
  @ApiPropertyOptional({
    description:
      'Id of the last message that the client has, where the header `Last-Event-ID`, which counts more, cannot be sent.',
    maxLength: MESSAGE_ID_LENGTH_MAX,
  })
  @IsOptional()
  @MaxLength(MESSAGE_ID_LENGTH_MAX)
  lastEventId?: string;
}

class TopicErrorResponse {
  @ApiProperty({ description: 'In words.', type: 'string' }) error: string;
  @ApiProperty({ description: 'Error code of the interface.', enum: Object.keys(errorCodes) }) type: ErrorCode;
  @ApiPropertyOptional({ description: 'What belongs to the code.', type: 'object', additionalProperties: true })
  result?: Record<string, unknown>;
}

class TopicBodyResponse implements TopicMessageBody {
  @ApiProperty({
    description:
      'How it came about: at the page of the exchange, by a pasted key, by the app of the exchange, or a withdrawal.',
    enum: messageTypes,
  })
  type: TopicMessageBody['type'];

  @ApiPropertyOptional({ description: 'Absent: not decided yet.', type: 'boolean' }) success?: boolean;
  @ApiProperty({ description: 'Id of the wallet, as the application chose it.' }) walletId: string;
  @ApiProperty({ description: 'Exchange id.', example: 'kraken' }) exchange: string;
  @ApiPropertyOptional({ description: 'Where `success` is false.', type: TopicErrorResponse })
  error?: TopicErrorResponse;

  @ApiPropertyOptional({ description: 'Of a login by the app of the exchange that goes on.', type: 'string' })
  status?: string;

  @ApiPropertyOptional({ description: 'Of a withdrawal.', type: 'string' }) quoteId?: string;
  @ApiPropertyOptional({ description: 'Of a withdrawal that may have left: follow it.', type: 'string' })
  transactionId?: string;

  @ApiPropertyOptional({ description: 'Of a withdrawal that may have left.', enum: ['complete'] }) step?: 'complete';
}

export class TopicMessageResponse implements TopicMessage {
  @ApiProperty({ description: 'Names the message: listen from here on with it.', format: 'uuid' }) messageId: string;
  @ApiProperty({ description: 'The topic: what was listened to.' }) idem: string;
  @ApiProperty({ description: 'When it was published, epoch milliseconds.', type: 'integer' }) timestamp: number;
  @ApiProperty({ description: 'What has happened.', type: TopicBodyResponse }) body: TopicBodyResponse;
}

/**
 * The route requires no API key. The response therefore contains nothing of the wallet, the quote or the exchange, and
 * no error text.
 */
@ApiExtraModels(TopicMessageResponse)
export class OutcomeResponse {
  @ApiProperty({ description: 'The topic that was asked for.' }) idem: string;

  @ApiProperty({
    description:
      'Of a connect: `pending` until it has succeeded, or nothing more can come of it. Of a withdrawal quote: what its latest message says.',
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
      'Error code of the latest message, where that reports a failure; while `status` is `pending`, of an attempt that failed. null = it reports none. Listeners get the words and the details.',
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
