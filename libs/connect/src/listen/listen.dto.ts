import { ApiExtraModels, getSchemaPath } from '@nestjs/swagger';
import { IsOptional, IsString, IsUUID, MaxLength } from 'class-validator';
import { exampleExchange } from '#exchange';
import { errorCodes, type ErrorCode } from '#platform/errors';
import type { ConnectMessageBody, TopicMessage, TopicMessageBody, WithdrawMessageBody } from '#platform/events';
import { ApiField, ApiOptionalField } from '#platform/http';
import { IsIdem } from '../session/idem.js';
import type { OutcomeStatus, ReadOutcome } from './read-outcome.js';

/** Every message id of ours is shorter than this, so a longer value is refused. */
const MESSAGE_ID_LENGTH_MAX = 128;

const messageTypes: TopicMessageBody['type'][] = ['oauth2', 'qr_code_auth', 'withdraw'];

export class OutcomeQuery {
  @IsIdem({
    description: 'The `idem` of the request for the connect url, or the id of a withdrawal quote.',
    example: '0193f2a1-7c44-7e1b-9b1a-5d2f6c0a9e77',
  })
  idem: string;

  @ApiOptionalField('Organization of the topic, for clients that cannot send the header `x-svc-org-id`.', {
    format: 'uuid',
  })
  @IsOptional()
  @IsUUID()
  orgId?: string;
}

export class SocketQuery extends OutcomeQuery {
  @ApiOptionalField(
    'Id of the last message that the client has received. Later messages follow. Without it, or if that message is no longer stored, all stored messages follow.',
    { maxLength: MESSAGE_ID_LENGTH_MAX },
  )
  @IsOptional()
  @MaxLength(MESSAGE_ID_LENGTH_MAX)
  @IsString()
  lastMessageId?: string;
}

export class EventsQuery extends OutcomeQuery {
  @ApiOptionalField(
    'Id of the last message that the client has received, for clients that cannot send the header `Last-Event-ID`. The header takes precedence.',
    { maxLength: MESSAGE_ID_LENGTH_MAX },
  )
  @IsOptional()
  @MaxLength(MESSAGE_ID_LENGTH_MAX)
  @IsString()
  lastEventId?: string;
}

class WithdrawErrorResponse {
  @ApiField('Message for people.', { type: 'string' }) error: string;
  @ApiField('Error code of the interface.', { enum: Object.keys(errorCodes) }) type: ErrorCode;
  @ApiField('The same as `type`.', { enum: Object.keys(errorCodes) }) code: ErrorCode;
  @ApiField('The same as `error`.', { type: 'string' }) message: string;
  @ApiOptionalField('Details of the error.', { type: 'object', additionalProperties: true })
  result?: Record<string, unknown>;
}

class ConnectMessageResponse implements ConnectMessageBody {
  @ApiField(
    '`qr_code_auth`: a login with the app of the exchange; `oauth2`: the other connect methods, and every cancelled connect session.',
    { enum: ['oauth2', 'qr_code_auth'] satisfies ConnectMessageBody['type'][] },
  )
  type: ConnectMessageBody['type'];

  @ApiOptionalField('Absent while the outcome is open.', { type: 'boolean' }) success?: boolean;
  @ApiField('Id of the wallet, as the application chose it.') walletId: string;
  @ApiOptionalField('Exchange id. Absent when the session ended before the person had chosen an exchange.', {
    type: String,
    example: exampleExchange.id,
  })
  exchange?: string;

  @ApiOptionalField('The connect method. Absent while the person has chosen none.', {
    enum: ['oauth2', 'api_key', 'qr_code'] satisfies ConnectMessageBody['way'][],
  })
  way?: 'oauth2' | 'api_key' | 'qr_code';

  @ApiOptionalField('Message for people. Set where `success` is false.', { type: 'string' })
  error?: string;

  @ApiOptionalField('Error code of the interface. Set where `success` is false.', { enum: Object.keys(errorCodes) })
  code?: ErrorCode;

  @ApiOptionalField(
    'Details of the error. `reason` is `cancelled` or `denied` when the person ended the attempt, on our page or at the exchange.',
    { type: 'object', additionalProperties: true },
  )
  result?: Record<string, unknown>;

  @ApiOptionalField('Content of the QR code that the person scans with the app of the exchange.', { type: 'string' })
  qrCodeUrl?: string;

  @ApiOptionalField('Progress of a login with the app of the exchange.', {
    enum: ['available', 'scanned', 'confirmed', 'expired'] satisfies ConnectMessageBody['qrCodeStatus'][],
  })
  qrCodeStatus?: 'available' | 'scanned' | 'confirmed' | 'expired';

  @ApiOptionalField('When the QR code expires, epoch milliseconds.', { type: 'integer' })
  qrCodeExpiresAt?: number;
}

class WithdrawMessageResponse implements WithdrawMessageBody {
  @ApiField('Always `withdraw`: the message is about a withdrawal.', { enum: ['withdraw'] })
  type: 'withdraw';

  @ApiField(
    'true: the money may have left. false: nothing has left; see `error`. A complete dry run is false, with the code WITHDRAWAL_DRY_RUN_COMPLETE.',
    { type: 'boolean' },
  )
  success: boolean;

  @ApiField('Id of the wallet, as the application chose it.') walletId: string;
  @ApiField('Exchange id.', { example: exampleExchange.id }) exchange: string;
  @ApiField('The quote.') quoteId: string;
  @ApiOptionalField('Transaction of a withdrawal that may have left the exchange.', { type: 'string' })
  transactionId?: string;

  @ApiOptionalField(
    '`verification`: the person must verify the withdrawal; `dry_run`: result of a dry run; `complete`: the withdrawal may have left the exchange. Absent for other refusals.',
    { enum: ['verification', 'dry_run', 'complete'] satisfies WithdrawMessageBody['step'][] },
  )
  step?: 'verification' | 'dry_run' | 'complete';

  @ApiOptionalField('How many steps of the verification are verified.', { type: 'integer', minimum: 0 })
  stepIndex?: number;

  @ApiOptionalField('How many steps the verification needs.', { type: 'integer', minimum: 1 })
  totalSteps?: number;

  @ApiOptionalField('The error. Present where `success` is false.', { type: WithdrawErrorResponse })
  error?: WithdrawErrorResponse;
}

const bodies = [ConnectMessageResponse, WithdrawMessageResponse];

@ApiExtraModels(...bodies)
export class TopicMessageResponse implements TopicMessage {
  @ApiField('Id of the message. A client that reconnects sends the last id, and receives the later messages.', {
    format: 'uuid',
  })
  messageId: string;
  @ApiField('The topic.') idem: string;
  @ApiField('When the message was published, in epoch milliseconds.', { type: 'integer' })
  timestamp: number;
  @ApiField('The content of the message.', { oneOf: bodies.map((body) => ({ $ref: getSchemaPath(body) })) })
  body: TopicMessageBody;
}

/**
 * The route requires no API key. The response therefore contains nothing of the wallet, the quote or the exchange, and
 * no error text.
 */
@ApiExtraModels(TopicMessageResponse)
export class OutcomeResponse {
  @ApiField('The topic of the request.') idem: string;

  @ApiField(
    'For a connect session: `pending` until it has succeeded or can no longer succeed. For a withdrawal quote: the outcome in its latest message.',
    { enum: ['pending', 'success', 'failed'] },
  )
  status: OutcomeStatus;

  @ApiField('null while `status` is `pending`.', { type: 'boolean', nullable: true })
  success: boolean | null;

  @ApiField('Type of the latest message of the topic. null = it has no message.', {
    enum: [...messageTypes, null],
    type: 'string',
    nullable: true,
  })
  type: TopicMessageBody['type'] | null;

  @ApiField(
    'Error code of the latest message. While `status` is `pending`, it is the code of a failed attempt. null = the message reports no error. Only listeners get the text and the details of the error.',
    { enum: [...Object.keys(errorCodes), null], type: 'string', nullable: true },
  )
  code: ErrorCode | null;
}

export function toOutcomeResponse(
  idem: string,
  { status, message }: Awaited<ReturnType<ReadOutcome['execute']>>,
): OutcomeResponse {
  const body = message?.body;
  const success = status === 'pending' ? null : status === 'success';
  const code = body?.type === 'withdraw' ? body.error?.code : body?.code;
  return { idem, status, success, type: body?.type ?? null, code: code ?? null };
}
