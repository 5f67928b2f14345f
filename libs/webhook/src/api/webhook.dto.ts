import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
} from 'class-validator';
import type { EventType } from '#platform/events';
import { ApiField, ApiOptionalField, ApiTimeOrNull, MayBeAbsent, PaginationResponse } from '#platform/http';
import type { CreatedWebhookEndpoint } from '../endpoints/create-webhook-endpoint.js';
import {
  DESCRIPTION_LENGTH_MAX,
  DESCRIPTION_PATTERN,
  SECRET_OVERLAP_SECONDS_DEFAULT,
  SECRET_OVERLAP_SECONDS_MAX,
} from '../endpoints/endpoint-rules.js';
import { eventTypes } from '../endpoints/event-catalogue.js';
import type { RotatedWebhookSecret } from '../endpoints/rotate-webhook-secret.js';
import { disabledReasons, type DisabledReason, type WebhookEndpoint } from '../endpoints/webhook-endpoint.js';
import { URL_LENGTH_MAX } from '../targets/targets.js';

const DESCRIPTION_MESSAGE = `description must be at most ${DESCRIPTION_LENGTH_MAX} printable characters`;
const URL_TEXT =
  'Address that receives the events. It must begin with `https://` and have a public address; redirects are not followed.';
const TYPES_TEXT =
  'The types of events that the endpoint receives. Empty: all types, including those of later releases.';

const IsEndpointUrl = (): PropertyDecorator => applyDecorators(IsString(), MaxLength(URL_LENGTH_MAX));

/** @param absent the meaning of a request without the field, in words */
const OptionalDescription = (absent: string): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({ description: `Text for people. Absent: ${absent}.`, maxLength: DESCRIPTION_LENGTH_MAX }),
    MayBeAbsent(),
    IsString(),
    Matches(DESCRIPTION_PATTERN, { message: DESCRIPTION_MESSAGE }),
  );

/** @param absent the meaning of a request without the field, in words */
const OptionalEventTypes = (absent: string): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({
      description: `${TYPES_TEXT} Absent: ${absent}.`,
      enum: eventTypes,
      isArray: true,
      uniqueItems: true,
    }),
    MayBeAbsent(),
    IsArray(),
    ArrayUnique(),
    ArrayMaxSize(eventTypes.length),
    IsIn(eventTypes, { each: true }),
  );

export class CreateWebhookEndpointRequest {
  @ApiField(URL_TEXT, { maxLength: URL_LENGTH_MAX, example: 'https://shop.example.com/causeway' })
  @IsEndpointUrl()
  url: string;

  @OptionalDescription('empty')
  description?: string;

  @OptionalEventTypes('all')
  eventTypes?: EventType[];
}

export class UpdateWebhookEndpointRequest {
  @ApiOptionalField(`${URL_TEXT} Absent: unchanged.`, { maxLength: URL_LENGTH_MAX })
  @MayBeAbsent()
  @IsEndpointUrl()
  url?: string;

  @OptionalDescription('unchanged')
  description?: string;

  @OptionalEventTypes('unchanged')
  eventTypes?: EventType[];

  @ApiOptionalField(
    'false: nothing is delivered, and events that are recorded while the endpoint is disabled get no delivery. true: pending deliveries continue. Absent: unchanged.',
  )
  @MayBeAbsent()
  @IsBoolean()
  enabled?: boolean;
}

export class RotateWebhookSecretRequest {
  @ApiOptionalField(
    `Seconds for which the old secret signs beside the new one. Default: ${SECRET_OVERLAP_SECONDS_DEFAULT}.`,
    { type: 'integer', minimum: 0, maximum: SECRET_OVERLAP_SECONDS_MAX },
  )
  @MayBeAbsent()
  @Min(0)
  @Max(SECRET_OVERLAP_SECONDS_MAX)
  @IsInt()
  overlapSeconds: number = SECRET_OVERLAP_SECONDS_DEFAULT;
}

export class WebhookEndpointResponse {
  @ApiField('Id of the endpoint.', { format: 'uuid' })
  id: string;

  @ApiField('The project whose events the endpoint receives.', { format: 'uuid' })
  projectId: string;

  @ApiField('Address that receives the events.')
  url: string;

  @ApiField('Text for people; may be empty.')
  description: string;

  @ApiField('The types of events that the endpoint receives; empty: all types.', { enum: eventTypes, isArray: true })
  eventTypes: EventType[];

  @ApiField('When the endpoint was created; ISO 8601.', { format: 'date-time' })
  createdAt: string;

  @ApiTimeOrNull(
    'Time of the first failure since the last success; ISO 8601. null: the last attempt succeeded, or there was none.',
  )
  failingSince: string | null;

  @ApiTimeOrNull('When the endpoint was disabled; ISO 8601. null: it is enabled.')
  disabledAt: string | null;

  @ApiField(
    'Why the endpoint was disabled. `requested`: by a call of `updateWebhookEndpoint`; `failing`: every attempt of several days has failed; `gone`: it has responded with 410. null: it is enabled.',
    { type: 'string', enum: [...disabledReasons], nullable: true },
  )
  disabledReason: DisabledReason | null;
}

export class CreatedWebhookEndpointResponse extends WebhookEndpointResponse {
  @ApiField(
    'The secret that signs the webhooks to this endpoint. It is shown only in this response and cannot be read again.',
    { example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw2RkUQwQo1zY=' },
  )
  secret: string;
}

export class RotatedWebhookSecretResponse extends CreatedWebhookEndpointResponse {
  @ApiField('When the old secret stops signing; ISO 8601.', { format: 'date-time' })
  previousSignsUntil: string;
}

export class WebhookEndpointListResponse {
  @ApiField('One page, newest first.', { type: [WebhookEndpointResponse] })
  endpoints: WebhookEndpointResponse[];

  @ApiField('The number of this page, and the numbers of all pages and entries.', { type: PaginationResponse })
  pagination: PaginationResponse;
}

export function toEndpointResponse(endpoint: WebhookEndpoint): WebhookEndpointResponse {
  return {
    id: endpoint.id,
    projectId: endpoint.projectId,
    url: endpoint.url,
    description: endpoint.description,
    eventTypes: endpoint.eventTypes,
    createdAt: endpoint.createdAt.toISOString(),
    failingSince: endpoint.failingSince?.toISOString() ?? null,
    disabledAt: endpoint.disabledAt?.toISOString() ?? null,
    disabledReason: endpoint.disabledReason,
  };
}

export function toCreatedEndpointResponse({
  endpoint,
  secret,
}: CreatedWebhookEndpoint): CreatedWebhookEndpointResponse {
  return { ...toEndpointResponse(endpoint), secret: secret.reveal() };
}

export function toRotatedSecretResponse(rotated: RotatedWebhookSecret): RotatedWebhookSecretResponse {
  return { ...toCreatedEndpointResponse(rotated), previousSignsUntil: rotated.previousSignsUntil.toISOString() };
}
