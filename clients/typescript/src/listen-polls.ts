import type { Output } from './call.js';
import { sleep } from './time.js';
import { topicUrl, type Connection, type ConnectionOptions, type Topic, type TopicMessage } from './topic.js';

/** Returns the short form of the newest message of a topic, or null when it cannot be read now. */
export async function readStatus(topic: Topic, signal?: AbortSignal): Promise<Output<'getOutcome'> | null> {
  const response = await fetch(topicUrl(topic, '/v0/oauth2/status'), { signal }).catch(() => null);
  return response?.ok === true ? ((await response.json()) as Output<'getOutcome'>) : null;
}

/** Yields a message for each change of the status. */
export async function* listenByPolls(topic: Topic, { pollMs, signal }: ConnectionOptions): Connection {
  let before = '';
  while (signal?.aborted !== true) {
    const status = await readStatus(topic, signal);
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
