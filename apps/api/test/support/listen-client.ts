import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { WebSocket, type ClientOptions } from 'ws';
import type { TopicMessage } from '#platform/events';

const TIMEOUT_MS = 10_000;

/** The messages that a client has received. Its methods wait for a condition, and fail after a time-out. */
abstract class Listening {
  readonly messages: TopicMessage[] = [];
  protected isOver = false;
  private readonly waiting = new Set<() => void>();

  /** Resolves with all messages when at least `count` have arrived. */
  async received(count: number): Promise<TopicMessage[]> {
    await this.until(
      () => this.messages.length >= count,
      () => `${this.messages.length} of ${count} messages`,
    );
    return this.messages;
  }

  async over(timeoutMs = TIMEOUT_MS): Promise<void> {
    await this.until(
      () => this.isOver,
      () => 'still listening',
      timeoutMs,
    );
  }

  protected changed(): void {
    for (const look of [...this.waiting]) look();
  }

  protected until(holds: () => boolean, explain: () => string, timeoutMs = TIMEOUT_MS): Promise<void> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        if (!holds()) return;
        clearTimeout(timer);
        this.waiting.delete(look);
        resolve();
      };
      const timer = setTimeout(() => reject(new Error(`after ${timeoutMs} ms: ${explain()}`)), timeoutMs);
      this.waiting.add(look);
      look();
    });
  }
}

export class SocketListening extends Listening {
  code: number | null = null;
  reason = '';

  private constructor(readonly socket: WebSocket) {
    super();
    socket.on('message', (data: Buffer) => {
      this.messages.push(JSON.parse(data.toString()) as TopicMessage);
      this.changed();
    });
    socket.on('close', (code, reason) => {
      this.isOver = true;
      this.code = code;
      this.reason = reason.toString();
      this.changed();
    });
  }

  /** @returns the open socket, or the response that refused the upgrade */
  static open(
    url: string,
    options?: ClientOptions,
  ): Promise<SocketListening | { status: number; headers: IncomingMessage['headers']; body: string }> {
    const socket = new WebSocket(url.replace(/^http/, 'ws'), options);
    const listening = new SocketListening(socket);
    return new Promise((resolve, reject) => {
      socket.on('open', () => resolve(listening));
      socket.on('error', reject);
      socket.on('unexpected-response', (_request: ClientRequest, response: IncomingMessage) => {
        let body = '';
        response.on('data', (part: Buffer) => (body += part.toString()));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
      });
    });
  }

  /** @throws when the upgrade is refused */
  static async to(url: string, options?: ClientOptions): Promise<SocketListening> {
    const opened = await SocketListening.open(url, options);
    if (opened instanceof SocketListening) return opened;
    throw new Error(`${opened.status} ${opened.body}`);
  }

  async close(): Promise<void> {
    this.socket.close();
    await this.over();
  }
}

export class EventsListening extends Listening {
  /** The ids of the messages in the event stream. */
  readonly ids: string[] = [];
  comments = 0;
  retryMs: number | null = null;
  private rest = '';

  private constructor(
    private readonly sent: ClientRequest,
    readonly answer: IncomingMessage,
  ) {
    super();
    answer.setEncoding('utf8');
    answer.on('data', (text: string) => this.read(text));
    answer.on('error', () => undefined);
    answer.on('close', () => {
      this.isOver = true;
      this.changed();
    });
  }

  static to(url: string, headers: Record<string, string> = {}): Promise<EventsListening> {
    return new Promise((resolve, reject) => {
      const sent = request(url, { headers, agent: false }, (answer) => resolve(new EventsListening(sent, answer)));
      sent.on('error', reject);
      sent.end();
    });
  }

  async heartbeats(count: number): Promise<void> {
    await this.until(
      () => this.comments >= count,
      () => `${this.comments} of ${count} heartbeats`,
    );
  }

  async close(): Promise<void> {
    this.sent.destroy();
    await this.over();
  }

  private read(text: string): void {
    const blocks = (this.rest + text).split('\n\n');
    this.rest = blocks.pop() ?? '';
    for (const block of blocks) {
      for (const line of block.split('\n')) this.take(line);
    }
    this.changed();
  }

  private take(line: string): void {
    if (line.startsWith(':')) this.comments += 1;
    if (line.startsWith('retry: ')) this.retryMs = Number(line.slice(7));
    if (line.startsWith('id: ')) this.ids.push(line.slice(4));
    if (line.startsWith('data: ')) this.messages.push(JSON.parse(line.slice(6)) as TopicMessage);
  }
}
