import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that a receiver has got. */
export interface ReceivedRequest {
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}

type Behavior = (response: ServerResponse, request: ReceivedRequest) => void;

/** An HTTP server of an application that receives webhooks. By default it answers 200. */
export class Receiver {
  readonly requests: ReceivedRequest[] = [];
  private readonly waiting = new Set<() => void>();
  /** Answers the next requests. */
  behave: Behavior = (response) => response.end('thanks');

  private constructor(private readonly server: Server) {}

  static async start(): Promise<Receiver> {
    const server = createServer();
    const receiver = new Receiver(server);
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { url: path = '', headers } = request;
        const received = { path, headers, body: Buffer.concat(chunks).toString('utf8') };
        receiver.requests.push(received);
        receiver.behave(response, received);
        for (const look of receiver.waiting) look();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/hook`;
  }

  answer(status: number, headers: Record<string, string> = {}): void {
    this.behave = (response) => response.writeHead(status, headers).end('body');
  }

  /** Resolves when the condition holds. It is tested now, and after each request. */
  async until(isReached: (requests: readonly ReceivedRequest[]) => boolean): Promise<void> {
    await new Promise<void>((resolve) => {
      const look = (): void => {
        if (!isReached(this.requests)) return;
        this.waiting.delete(look);
        resolve();
      };
      this.waiting.add(look);
      look();
    });
  }

  /** Calls back for every connection, whether or not a request follows. */
  onConnection(callback: () => void): void {
    this.server.on('connection', callback);
  }

  /** The values of `webhook-id` of all requests. */
  get ids(): string[] {
    return this.requests.map(({ headers }) => String(headers['webhook-id']));
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
