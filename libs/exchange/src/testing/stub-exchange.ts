import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request that arrived whole. */
export interface ReceivedCall {
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
}

/** What a path does with a request: a body to answer with as JSON, or anything with the response and its socket. */
export type Behaviour = { json: unknown } | ((request: IncomingMessage, response: ServerResponse) => void);

/** An HTTP server that answers, or misbehaves, as a test says. */
export class StubExchange {
  readonly calls: ReceivedCall[] = [];
  private readonly behaviours = new Map<string, ((call: ReceivedCall) => Behaviour) | Behaviour>();

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => void this.serve(request, response));
  }

  static async start(): Promise<StubExchange> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new StubExchange(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The last behaviour that was given for a path holds. */
  on(path: string, behaviour: ((call: ReceivedCall) => Behaviour) | Behaviour): void {
    this.behaviours.set(path, behaviour);
  }

  callsOf(path: string): ReceivedCall[] {
    return this.calls.filter((call) => call.path === path);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.url);
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const call: ReceivedCall = {
      path: url.pathname,
      params: Object.fromEntries([...url.searchParams, ...new URLSearchParams(body)]),
    };
    this.calls.push(call);
    const known = this.behaviours.get(call.path) ?? { json: { error: ['EGeneral:Unknown method'] } };
    if (typeof known !== 'function') return void response.end(JSON.stringify(known.json));
    const behaviour: Behaviour | void =
      known.length === 1
        ? (known as (call: ReceivedCall) => Behaviour)(call)
        : (known as (q: IncomingMessage, r: ServerResponse) => void)(request, response);
    if (behaviour === undefined) return;
    if (typeof behaviour === 'function') return behaviour(request, response);
    response.end(JSON.stringify(behaviour.json));
  }
}
