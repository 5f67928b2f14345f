import { topicUrl, type Connection, type ConnectionOptions, type Topic, type TopicMessage } from './topic.js';

/** The longest event that is read; the messages of the service are far smaller. */
const EVENT_MAX_CHARS = 1_000_000;

/** Reads server-sent events with `fetch`, because not every runtime has `EventSource`. */
export async function* listenByEvents(topic: Topic, options: ConnectionOptions): Connection {
  const { lastMessageId, signal } = options;
  const url = topicUrl(topic, '/v0/oauth2/events', { lastEventId: lastMessageId });
  const own = new AbortController();
  const both = signal === undefined ? own.signal : AbortSignal.any([signal, own.signal]);
  let wasOpen = false;
  try {
    const response = await fetch(url, { headers: { accept: 'text/event-stream' }, signal: both });
    if (!response.ok || response.body === null) return { wasOpen, isOrderly: false };
    wasOpen = true;
    const reader = response.body.getReader();
    const decoder = new TextDecoder();
    for (let rest = ''; rest.length < EVENT_MAX_CHARS;) {
      const { done, value } = await reader.read();
      if (done) return { wasOpen, isOrderly: true };
      const events = (rest + decoder.decode(value, { stream: true })).split('\n\n');
      rest = events.pop() ?? '';
      for (const event of events) {
        const message = messageOf(event);
        if (message !== null) yield message;
      }
    }
    return { wasOpen, isOrderly: false };
  } catch {
    return { wasOpen, isOrderly: false };
  } finally {
    own.abort();
  }
}

/** Returns null for comments and for the retry time, which carry no message. */
function messageOf(event: string): TopicMessage | null {
  const lines = event.split('\n').flatMap((line) => (line.startsWith('data:') ? [line.slice('data:'.length)] : []));
  return lines.length === 0 ? null : (JSON.parse(lines.join('\n')) as TopicMessage);
}
