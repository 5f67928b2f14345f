import type { EventType } from '#platform/events';

export const disabledReasons = ['requested', 'failing', 'gone'] as const;
/** `gone`: the endpoint answered with status 410. */
export type DisabledReason = (typeof disabledReasons)[number];

/** An address of an application that receives the events of one project. */
export interface WebhookEndpoint {
  id: string;
  projectId: string;
  url: string;
  description: string;
  /** Empty = all types. */
  eventTypes: EventType[];
  createdAt: Date;
  updatedAt: Date;
  /**
   * The time since which every attempt has failed. null = the last attempt has succeeded, or there was none since the
   * endpoint was registered, enabled or moved to another address.
   */
  failingSince: Date | null;
  disabledAt: Date | null;
  disabledReason: DisabledReason | null;
}

/** The columns of a `WebhookEndpoint`. */
export const ENDPOINT_COLUMNS = `id, project_id as "projectId", url, description, event_types as "eventTypes",
  created_at as "createdAt", updated_at as "updatedAt", failing_since as "failingSince", disabled_at as "disabledAt",
  disabled_reason as "disabledReason"`;
