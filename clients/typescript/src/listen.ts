import { listenByEvents } from './listen-events.js';
import { listenByPolls } from './listen-polls.js';
import { listenBySocket, socketIsPossible } from './listen-socket.js';
import { sleep } from './time.js';
import type { Topic, TopicMessage } from './topic.js';

/** `auto` takes the first of socket, events and poll that works. */
export type ListenMethod = 'auto' | 'socket' | 'events' | 'poll';

export interface ListenOptions {
  via?: ListenMethod;
  signal?: AbortSignal;
  /** Continues after the message with this id. */
  lastMessageId?: string;
  /** The pause between two polls. Default: 2 s. */
  pollMs?: number;
}

const CONNECTIONS = { socket: listenBySocket, events: listenByEvents, poll: listenByPolls };
const POLL_MS = 2_000;
const FIRST_PAUSE_MS = 1_000;
const PAUSE_MAX_MS = 30_000;

/** Yields the stored and the new messages of a topic, in order, until the caller stops or aborts the signal. */
export async function* listen(
  topic: Topic,
  options: ListenOptions = {},
): AsyncGenerator<TopicMessage, void, undefined> {
  const { via = 'auto', signal, pollMs = POLL_MS } = options;
  const methods = methodsOf(via);
  let { lastMessageId = '' } = options;
  let pauseMs = FIRST_PAUSE_MS;
  while (signal?.aborted !== true) {
    const [method = 'poll'] = methods;
    const connection = CONNECTIONS[method](topic, { lastMessageId, pollMs, signal });
    let next = await connection.next();
    try {
      while (next.done !== true) {
        lastMessageId = next.value.messageId;
        yield next.value;
        next = await connection.next();
      }
    } finally {
      await connection.return({ wasOpen: true, isOrderly: true });
    }
    if (next.value.wasOpen) pauseMs = FIRST_PAUSE_MS;
    if (!next.value.wasOpen && methods.length > 1) {
      methods.shift();
    } else if (!next.value.isOrderly) {
      await sleep(pauseMs, signal).catch(() => undefined);
      pauseMs = Math.min(pauseMs * 2, PAUSE_MAX_MS);
    }
  }
}

function methodsOf(via: ListenMethod): (keyof typeof CONNECTIONS)[] {
  if (via !== 'auto') return [via];
  return socketIsPossible() ? ['socket', 'events', 'poll'] : ['events', 'poll'];
}
