import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** A response of the script; `lost` closes the connection after the request has arrived. */
export type Scripted = { status: number; body?: object; headers?: Record<string, string> } | 'lost';

/** A server that records requests and gives the responses of a script, in order; the last one is repeated. */
export class ScriptedServer {
  readonly received: Received[] = [];

  private constructor(
    private readonly server: Server,
    readonly url: string,
    private readonly script: Scripted[],
  ) {
    server.on('request', (request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const { method = '', url: path = '', headers } = request;
        this.received.push({ method, path, headers, body: Buffer.concat(parts).toString() });
        const next = this.script.length > 1 ? this.script.shift() : this.script[0];
        if (next === undefined || next === 'lost') {
          request.socket.destroy();
          return;
        }
        response.writeHead(next.status, { 'content-type': 'application/json', ...next.headers });
        response.end(JSON.stringify(next.body ?? {}));
      });
    });
  }

  static async start(...script: Scripted[]): Promise<ScriptedServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new ScriptedServer(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`, script);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** The body of an error response of the service. */
export function refusal(type: string, result?: object): object {
  return { type, error: `the text of ${type}`, requestId: 'request-1', ...(result && { result }) };
}
