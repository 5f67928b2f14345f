import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { isCausewayError, type Causeway } from '#client';
import { WithdrawalDesk, type Order } from './withdrawal-desk.js';

export interface ShopOptions {
  /** The client with the API key. The key stays in this process; the page gets links and balances. */
  causeway: Causeway;
  exchange: string;
  /** Your application knows its customer. This example has one. */
  walletId: string;
  /** An address to which the example suggests to withdraw. */
  address: string;
  port: number;
  /** The folder of the repository. */
  root: string;
}

interface Reply {
  status: number;
  type: string;
  body: string | Buffer;
}

const BODY_MAX_BYTES = 10_000;
const JSON_TYPE = 'application/json';

/** The server of a small application. In your own application `#client` is `@causeway/client`. */
export class Shop {
  private readonly desk: WithdrawalDesk;

  private constructor(
    private readonly options: ShopOptions,
    private readonly server: Server,
  ) {
    this.desk = new WithdrawalDesk(options.causeway, options.walletId);
    server.on('request', (request, response) => void this.respond(request, response));
  }

  static async start(options: ShopOptions): Promise<Shop> {
    const server = createServer();
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(options.port, '127.0.0.1', resolve);
    });
    return new Shop(options, server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, type, body } = await this.reply(request).catch(refused);
    response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
  }

  private async reply(request: IncomingMessage): Promise<Reply> {
    const { causeway, exchange, walletId, address } = this.options;
    switch (`${request.method} ${request.url}`) {
      case 'GET /':
        return await this.file('examples/shop/index.html', 'text/html; charset=utf-8');
      case 'GET /page.js':
        return await this.file('dist/examples/shop/page.js', 'text/javascript');
      case 'GET /causeway-link.js':
        return await this.file('clients/link/dist/causeway-link.js', 'text/javascript');
      case 'POST /connect':
        return json(await causeway.connect.link({ exchange, walletId, access: 'read,withdrawal' }));
      case 'GET /balance':
        return json({ ...(await causeway.getWithdrawalBalance({ walletId })), address });
      case 'POST /withdraw':
        return json(await this.desk.begin((await bodyOf(request)) as Order));
      case 'POST /codes':
        return json(await this.desk.answer(await bodyOf(request)));
      default:
        return json({ error: 'not found' }, 404);
    }
  }

  private async file(name: string, type: string): Promise<Reply> {
    return { status: 200, type, body: await readFile(path.join(this.options.root, name)) };
  }
}

function json(value: object, status = 200): Reply {
  return { status, type: JSON_TYPE, body: JSON.stringify(value) };
}

/** The error messages of the service are written for people, so the page may show them. */
function refused(error: unknown): Reply {
  if (isCausewayError(error)) return json({ error: error.message, code: error.code }, error.status ?? 502);
  return json({ error: error instanceof Error ? error.message : 'unexpected error' }, 500);
}

async function bodyOf(request: IncomingMessage): Promise<object> {
  // A page of another site cannot send this content type: its browser first asks by a CORS preflight, which this server
  // never allows.
  if (request.headers['content-type'] !== JSON_TYPE) throw new Error(`send ${JSON_TYPE}`);
  let text = '';
  for await (const chunk of request) {
    text += String(chunk);
    if (text.length > BODY_MAX_BYTES) throw new Error('the body is too long');
  }
  const body: unknown = JSON.parse(text);
  if (typeof body !== 'object' || body === null) throw new Error('the body is no object');
  return body;
}
