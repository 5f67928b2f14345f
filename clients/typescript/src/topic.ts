import type { components } from './generated/types.js';

/** One message of a topic. A message that comes from a poll has only the type, the success and the code. */
export type TopicMessage = components['schemas']['TopicMessageResponse'];

/** The topic of a connect (its `idem`) or of a withdrawal (the id of the quote). */
export interface Topic {
  baseUrl: string;
  orgId: string;
  idem: string;
}

/** One connection: it yields messages, and returns how it ended. */
export type Connection = AsyncGenerator<TopicMessage, ConnectionEnd, undefined>;

export interface ConnectionEnd {
  /** Whether the service accepted the connection. */
  wasOpen: boolean;
  /** Whether the service closed the connection in an orderly way, so that a new one can follow at once. */
  isOrderly: boolean;
}

export interface ConnectionOptions {
  lastMessageId: string;
  pollMs: number;
  signal?: AbortSignal;
}

/** The address of a listening endpoint, with the topic in the query. */
export function topicUrl({ baseUrl, orgId, idem }: Topic, path: string, more: Record<string, string> = {}): string {
  const query = new URLSearchParams({ idem, orgId, ...more });
  return `${baseUrl.replace(/\/+$/, '')}${path}?${query.toString()}`;
}
