import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import type { TopicMessage } from '#platform/events';

export type ListenerKind = 'websocket' | 'events';

/** The connection to one listener. */
export interface ListenerConnection {
  readonly kind: ListenerKind;
  /** Bytes that the listener has not read yet. */
  readonly bufferedBytes: number;
  send(message: TopicMessage): void;
  /**
   * Sends a heartbeat. @returns false when the listener did not respond to the previous one, or the stream has ended
   */
  beat(): boolean;
  /** Closes the connection in an orderly manner. */
  end(reason: string): void;
  /** Closes the connection in an orderly manner, because the process needs its place. */
  letGo(reason: string): void;
  /** Closes the connection at once and drops unsent bytes. */
  cutOff(): void;
}

/**
 * Maximum number of bytes that a WebSocket client may send between two heartbeats: its pongs, and some frames that are
 * ignored.
 */
const INCOMING_BYTES_MAX = 16_384;

/** Close code of RFC 6455: the server goes away without an error. */
const GOING_AWAY = 1001;
/** Close code of IANA's registry: the client should connect again later. */
const TRY_AGAIN_LATER = 1013;

export class SocketConnection implements ListenerConnection {
  readonly kind = 'websocket';
  private hasAnswered = true;
  /** Bytes that the client has sent since the last heartbeat. */
  private incomingBytes = 0;

  /** @param stream the connection of `socket` */
  constructor(
    private readonly socket: WebSocket,
    stream: Socket,
  ) {
    stream.on('data', ({ length }: Buffer) => {
      this.incomingBytes += length;
      // Calls `cutOff`, because `end` would read further frames of the client until the client has closed its side of
      // the connection.
      if (this.incomingBytes > INCOMING_BYTES_MAX) this.cutOff();
    });
    socket.on('pong', () => {
      this.hasAnswered = true;
    });
    // The library closes the socket after a faulty frame of the client, so this handler does nothing.
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
    this.incomingBytes = 0;
    this.socket.ping();
    return true;
  }

  end(reason: string): void {
    this.socket.close(GOING_AWAY, reason);
  }

  letGo(reason: string): void {
    this.socket.close(TRY_AGAIN_LATER, reason);
  }

  cutOff(): void {
    this.socket.terminate();
  }
}

/** Pause after which a client reconnects when its event stream has ended. */
const RETRY_MS = 2_000;

/** Server-sent events as the HTML standard defines them. */
export class StreamConnection implements ListenerConnection {
  readonly kind = 'events';

  constructor(private readonly response: ServerResponse) {
    response.write(`retry: ${RETRY_MS}\n\n`);
  }

  get bufferedBytes(): number {
    return this.response.writableLength;
  }

  send(message: TopicMessage): void {
    // A write after the end emits an error that no handler receives, which would end the process.
    if (this.response.writableEnded) return;
    // The JSON contains no line breaks, so it is one line of the event.
    this.response.write(`id: ${message.messageId}\ndata: ${JSON.stringify(message)}\n\n`);
  }

  beat(): boolean {
    if (this.response.writableEnded) return false;
    this.response.write(':\n\n');
    return true;
  }

  end(): void {
    this.response.end();
  }

  letGo(): void {
    this.response.end();
  }

  cutOff(): void {
    this.response.destroy();
  }
}
