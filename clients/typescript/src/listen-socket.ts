import { topicUrl, type Connection, type ConnectionOptions, type Topic, type TopicMessage } from './topic.js';

/** The part of a WebSocket that is used here; Node has it from release 22. */
interface Socket {
  close(): void;
  addEventListener(type: string, listener: (event: { data?: unknown; code?: number }) => void): void;
}

/** The service closes with this code when a connection has lived long enough, or when its process stops. */
const GOING_AWAY = 1001;

export function socketIsPossible(): boolean {
  return socketClass() !== undefined;
}

function socketClass(): (new (url: string) => Socket) | undefined {
  return (globalThis as { WebSocket?: new (url: string) => Socket }).WebSocket;
}

export async function* listenBySocket(topic: Topic, options: ConnectionOptions): Connection {
  const { lastMessageId, signal } = options;
  const Socket = socketClass();
  if (Socket === undefined) throw new TypeError('This runtime has no WebSocket: listen by events or poll');
  const socket = new Socket(topicUrl(topic, '/v0/ws/oauth2/listen', { lastMessageId }).replace(/^http/, 'ws'));
  const arrived: TopicMessage[] = [];
  const state = { wasOpen: false, closedWith: null as number | null };
  let wake = (): void => undefined;
  const on = (type: string, change: (event: { data?: unknown; code?: number }) => void): void =>
    socket.addEventListener(type, (event) => {
      change(event);
      wake();
    });
  on('open', () => (state.wasOpen = true));
  on('message', ({ data }) => arrived.push(JSON.parse(String(data)) as TopicMessage));
  on('close', ({ code = 0 }) => (state.closedWith = code));
  on('error', () => undefined);
  const stop = (): void => socket.close();
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted === true) stop();
  try {
    for (;;) {
      for (const message of arrived.splice(0)) yield message;
      if (arrived.length > 0) continue;
      if (state.closedWith !== null) break;
      await new Promise<void>((resolve) => (wake = resolve));
    }
    return { wasOpen: state.wasOpen, isOrderly: state.closedWith === GOING_AWAY };
  } finally {
    signal?.removeEventListener('abort', stop);
    socket.close();
  }
}
