import type { ServerResponse } from 'node:http';
import type { WebSocket } from 'ws';
import type { TopicMessage } from '#platform/events';

export type ListenerKind = 'websocket' | 'events';

/** The way to one listener. */
export interface ListenerConnection {
  readonly kind: ListenerKind;
  /** Bytes that wait for it to read. */
  readonly bufferedBytes: number;
  send(message: TopicMessage): void;
  /** Shows that it lives. @returns false when the other side does not. */
  beat(): boolean;
  /** Says goodbye. */
  end(reason: string): void;
  /** Drops it, with what waits. */
  cutOff(): void;
}

/** Close code of RFC 6455: this side goes away, and nothing was wrong. */
const GOING_AWAY = 1001;

export class SocketConnection implements ListenerConnection {
  readonly kind = 'websocket';
  private hasAnswered = true;

  constructor(private readonly socket: WebSocket) {
    socket.on('pong', () => {
      this.hasAnswered = true;
    });
    // What is wrong with a frame of the client closes the socket; nothing of it is ours to mend.
    socket.on('error', () => undefined);
  }

  get bufferedBytes(): number {
    return this.socket.bufferedAmount;
  }

  send(message: TopicMessage): void {
    this.socket.send(JSON.stringify(message));
  }

  beat(): boolean {
    if (!this.hasAnswered) return false;
    this.hasAnswered = false;
    this.socket.ping();
    return true;
  }

  end(reason: string): void {
    this.socket.close(GOING_AWAY, reason);
  }

  cutOff(): void {
    this.socket.terminate();
  }
}

/** After this long the client of an event stream that ended connects again. */
const RETRY_MS = 2_000;

/** Server-sent events, as the HTML standard has them. */
export class StreamConnection implements ListenerConnection {
  readonly kind = 'events';

  constructor(private readonly response: ServerResponse) {
    response.write(`retry: ${RETRY_MS}\n\n`);
  }

  get bufferedBytes(): number {
    return this.response.writableLength;
  }

  send(message: TopicMessage): void {
    // JSON has no line breaks of its own.
    this.response.write(`id: ${message.messageId}\ndata: ${JSON.stringify(message)}\n\n`);
  }

  beat(): boolean {
    this.response.write(':\n\n');
    return true;
  }

  end(): void {
    this.response.end();
  }

  cutOff(): void {
    this.response.destroy();
  }
}
