import type { EventType } from '#platform/events';

export const deliveryStates = ['pending', 'delivered', 'failed'] as const;
/** `failed`: the last retry has failed; only a re-send makes another attempt. */
export type DeliveryState = (typeof deliveryStates)[number];

/** One event for one endpoint. */
export interface WebhookDelivery {
  id: string;
  endpointId: string;
  eventId: string;
  eventType: EventType;
  state: DeliveryState;
  /** All attempts that have begun. */
  attempts: number;
  /** How many of the attempts were made before the last re-send. */
  attemptsBefore: number;
  resends: number;
  nextAttemptAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

/** The columns of a `WebhookDelivery`, of the table alias `d`. */
export const DELIVERY_COLUMNS = `d.id, d.endpoint_id as "endpointId", d.event_id as "eventId", d.event_type as "eventType", d.state, d.attempts,
  d.attempts_before as "attemptsBefore", d.resends, d.next_attempt_at as "nextAttemptAt", d.created_at as "createdAt",
  d.updated_at as "updatedAt"`;

/** One request of a delivery, as the log shows it. */
export interface WebhookAttempt {
  number: number;
  url: string;
  startedAt: Date;
  /** null = the attempt is in progress, or its result was not stored, for example because the process died. */
  finishedAt: Date | null;
  requestHeaders: Record<string, string> | null;
  responseStatus: number | null;
  responseHeaders: Record<string, string> | null;
  /** The first bytes of the response's body. */
  responseBody: string | null;
  /** null = the attempt has succeeded, or has not ended. */
  error: string | null;
}
