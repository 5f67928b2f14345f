import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A complete request. */
export interface ReceivedCall {
  /** The last part of the path, such as `BalanceEx`. */
  readonly endpoint: string;
  /** Method and path, such as `POST /partner/v1/challenges`. */
  readonly route: string;
  readonly headers: IncomingHttpHeaders;
  /** Path and query as they were sent. */
  readonly target: string;
  /** The body as it was sent. */
  readonly body: string;
  /** The body as JSON; undefined = it is not JSON. */
  readonly json: unknown;
  readonly params: Readonly<Record<string, string>>;
  /** The number of the request's connection, counted from 1. */
  readonly connection: number;
}

/** Returns the response as JSON, or undefined when it has handled the response or its socket itself. */
export type Behaviour = (call: ReceivedCall, response: ServerResponse) => unknown;

/** An HTTP server on a real socket that responds, or misbehaves, as a test defines. */
export class StubExchange {
  readonly calls: ReceivedCall[] = [];
  connections = 0;
  /** The behaviour of all endpoints for which the test has set none; undefined = they never respond. */
  otherwise: Behaviour | undefined = undefined;
  private readonly behaviours = new Map<string, Behaviour>();

  private constructor(private readonly server: Server) {
    const numbers = new WeakMap<object, number>();
    server.on('connection', (socket) => numbers.set(socket, ++this.connections));
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const url = new URL(request.url ?? '/', this.url);
        const text = Buffer.concat(chunks).toString();
        const isJson = request.headers['content-type'] === 'application/json' && text !== '';
        const form = new URLSearchParams(isJson ? '' : text);
        this.serve(
          {
            endpoint: url.pathname.split('/').at(-1) ?? '',
            route: `${request.method} ${url.pathname}`,
            headers: request.headers,
            target: request.url ?? '/',
            body: text,
            json: isJson ? (JSON.parse(text) as unknown) : undefined,
            params: Object.fromEntries([...url.searchParams, ...form]),
            connection: numbers.get(request.socket) ?? 0,
          },
          response,
        );
      });
    });
  }

  static async start(): Promise<StubExchange> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new StubExchange(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /**
   * Sets the behaviour of an endpoint, named by the last part of its path or by its route. A part of a route in braces,
   * such as `{id}`, stands for any text.
   */
  on(endpoint: string, behaviour: Behaviour): void {
    this.behaviours.set(endpoint, behaviour);
  }

  callsOf(endpoint: string): ReceivedCall[] {
    return this.calls.filter((call) => call.endpoint === endpoint || call.route === endpoint);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private serve(call: ReceivedCall, response: ServerResponse): void {
    this.calls.push(call);
    const { route, endpoint } = call;
    const named = this.behaviours.get(route) ?? this.behaviours.get(endpoint);
    const behaviour = named ?? this.templateOf(route) ?? this.otherwise;
    const json = behaviour?.(call, response);
    if (json !== undefined) response.end(JSON.stringify(json));
  }

  private templateOf(route: string): Behaviour | undefined {
    const parts = route.split('/');
    const isMatch = (template: string): boolean => {
      const expected = template.split('/');
      return (
        expected.length === parts.length && expected.every((part, at) => part.startsWith('{') || part === parts[at])
      );
    };
    return [...this.behaviours].find(([template]) => template.includes('{') && isMatch(template))?.[1];
  }
}
