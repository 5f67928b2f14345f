import { IsBoolean, IsIn, IsISO8601, IsOptional, Matches } from 'class-validator';
import type { EventType } from '#platform/events';
import { ApiField, ApiOptionalField, ApiTimeOrNull, MayBeAbsent, PageQuery, PaginationResponse } from '#platform/http';
import {
  deliveryStates,
  type DeliveryState,
  type WebhookAttempt,
  type WebhookDelivery,
} from '../deliveries/delivery.js';
import type { ResentRange } from '../deliveries/resend-webhooks.js';
import { eventTypes } from '../endpoints/event-catalogue.js';

const ZONED_TIME = /T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/;
const zonedMessage = (field: string): string => `${field} must be an ISO 8601 time with a time zone`;
const STATE_TEXT =
  '`pending`: an attempt is due or will be; `delivered`: the endpoint has responded with a status from 200 to 299; `failed`: the last retry has failed.';

export class WebhookDeliveryListQuery extends PageQuery {
  @ApiOptionalField(`Only deliveries in this state. ${STATE_TEXT}`, { enum: deliveryStates })
  @IsOptional()
  @IsIn(deliveryStates)
  state?: DeliveryState;
}

export class ResendWebhooksRequest {
  @ApiField('Time of the first event, inclusive; ISO 8601 with a time zone.', {
    format: 'date-time',
    example: '2026-11-20T00:00:00Z',
  })
  @IsISO8601({ strict: true, strictSeparator: true })
  @Matches(ZONED_TIME, { message: zonedMessage('from') })
  from: string;

  @ApiOptionalField('Time after the last event, exclusive; ISO 8601 with a time zone. Absent: now.', {
    format: 'date-time',
  })
  @MayBeAbsent()
  @IsISO8601({ strict: true, strictSeparator: true })
  @Matches(ZONED_TIME, { message: zonedMessage('to') })
  to?: string;

  @ApiOptionalField('Whether events that the endpoint has accepted are sent again, too. Absent: false.')
  @MayBeAbsent()
  @IsBoolean()
  includeDelivered: boolean = false;
}

export class ResentWebhooksResponse {
  @ApiField('The number of deliveries that are due now.', { type: 'integer' })
  count: number;

  @ApiTimeOrNull(
    'The `from` of the next request, if the range has more events than one request sends; null: the range has no more events.',
  )
  continueFrom: string | null;
}

export class WebhookDeliveryResponse {
  @ApiField('Id of the delivery.', { format: 'uuid' })
  id: string;

  @ApiField('The endpoint.', { format: 'uuid' })
  endpointId: string;

  @ApiField('The event; the value of `webhook-id` of every attempt.', { format: 'uuid' })
  eventId: string;

  @ApiField('The type of the event.', { enum: eventTypes })
  eventType: EventType;

  @ApiField(STATE_TEXT, { enum: [...deliveryStates] })
  state: DeliveryState;

  @ApiField('Attempts that have begun.', { type: 'integer' })
  attempts: number;

  @ApiField('Number of times that the delivery was sent again on request.', { type: 'integer' })
  resends: number;

  @ApiTimeOrNull('When the next attempt is due; ISO 8601. null: there is none.')
  nextAttemptAt: string | null;

  @ApiField('When the delivery was created; ISO 8601.', { format: 'date-time' })
  createdAt: string;
}

export class WebhookAttemptResponse {
  @ApiField('Number of the attempt, counted from 1.', { type: 'integer' })
  number: number;

  @ApiField('Address to which the request was sent.')
  url: string;

  @ApiField('When the attempt began; ISO 8601.', { format: 'date-time' })
  startedAt: string;

  @ApiField(
    'How long the attempt took, in milliseconds; null: the attempt is in progress, or the process that made it has ended before its result.',
    { type: 'integer', nullable: true },
  )
  durationMs: number | null;

  @ApiField('The headers of the request that belong to the webhook; null: the attempt has not ended.', {
    type: 'object',
    additionalProperties: { type: 'string' },
    nullable: true,
  })
  requestHeaders: Record<string, string> | null;

  @ApiField('Status of the response; null: there was none.', { type: 'integer', nullable: true })
  responseStatus: number | null;

  @ApiField('Headers of the response; null: there was none.', {
    type: 'object',
    additionalProperties: { type: 'string' },
    nullable: true,
  })
  responseHeaders: Record<string, string> | null;

  @ApiField('The first 4 KiB of the body of the response; null: there was no response.', {
    type: 'string',
    nullable: true,
  })
  responseBody: string | null;

  @ApiField('Why the attempt has failed; null: it has succeeded or has not ended.', { type: 'string', nullable: true })
  error: string | null;
}

export class WebhookDeliveryDetailResponse extends WebhookDeliveryResponse {
  @ApiField('The body of every attempt, as text.')
  requestBody: string;

  @ApiField('All attempts, oldest first.', { type: [WebhookAttemptResponse] })
  log: WebhookAttemptResponse[];
}

export class WebhookDeliveryListResponse {
  @ApiField('One page, newest first.', { type: [WebhookDeliveryResponse] })
  deliveries: WebhookDeliveryResponse[];

  @ApiField('The number of this page, and the numbers of all pages and entries.', { type: PaginationResponse })
  pagination: PaginationResponse;
}

export function toDeliveryResponse(delivery: WebhookDelivery): WebhookDeliveryResponse {
  const { id, endpointId, eventId, eventType, state, attempts, resends, nextAttemptAt, createdAt } = delivery;
  return {
    id,
    endpointId,
    eventId,
    eventType,
    state,
    attempts,
    resends,
    nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  };
}

export function toAttemptResponse({ startedAt, finishedAt, ...attempt }: WebhookAttempt): WebhookAttemptResponse {
  return {
    ...attempt,
    startedAt: startedAt.toISOString(),
    durationMs: finishedAt === null ? null : finishedAt.getTime() - startedAt.getTime(),
  };
}

export function toResentResponse({ count, continueFrom }: ResentRange): ResentWebhooksResponse {
  return { count, continueFrom: continueFrom?.toISOString() ?? null };
}
