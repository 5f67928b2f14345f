import type { Output } from './call.js';
import { sleep } from './time.js';
import { topicUrl, type Connection, type ConnectionOptions, type Topic, type TopicMessage } from './topic.js';

type Status = Output<'getOutcome'>;

/**
 * Returns the short form of the newest message of a topic. Returns null when it cannot be read now, and `unknown` when
 * the service itself refuses to report it, because it does not know the topic.
 */
export async function readStatus(topic: Topic, signal?: AbortSignal): Promise<Status | 'unknown' | null> {
  try {
    const response = await fetch(topicUrl(topic, '/v0/oauth2/status'), { signal });
    const body = (await response.json()) as Status | { type?: string };
    if (response.ok) return body as Status;
    // A proxy that refuses the request does not know the outcome, and its response has no error code of the service.
    const hasCode = typeof body.type === 'string' && /^[A-Z][A-Z0-9_]+$/.test(body.type);
    const isOfService = hasCode && response.status < 500 && response.status !== 429;
    return isOfService ? 'unknown' : null;
  } catch {
    return null;
  }
}

/** Yields a message for each change of the status. */
export async function* listenByPolls(topic: Topic, { pollMs, signal }: ConnectionOptions): Connection {
  let before = '';
  while (signal?.aborted !== true) {
    const read = await readStatus(topic, signal);
    const status = read === 'unknown' ? null : read;
    const now = JSON.stringify(status);
    if (status?.type != null && now !== before) yield messageOf(topic, status);
    if (status !== null) before = now;
    await sleep(pollMs, signal).catch(() => undefined);
  }
  return { wasOpen: true, isOrderly: true };
}

function messageOf({ idem }: Topic, { type, status, code }: Output<'getOutcome'>): TopicMessage {
  // `pending` with a code: an attempt has failed, and the person may try again.
  const success = status === 'success' ? true : code === null && status === 'pending' ? undefined : false;
  const body = { type, success, ...(code !== null && { code }) } as TopicMessage['body'];
  return { messageId: '', idem, timestamp: Date.now(), body };
}
