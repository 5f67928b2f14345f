import fastify from 'fastify';
import { coinbaseRoutes } from './coinbase/routes.js';
import { controlRoutes } from './control/routes.js';
import { Exchange } from './exchange.js';
import { FaultBook } from './faults/fault-book.js';
import { krakenRoutes } from './kraken/routes.js';
import { FileJournal, memoryJournal } from './ledger/journal.js';
import { builtInClient, OAuthClients } from './oauth/clients.js';
import { oauthRoutes } from './oauth/routes.js';
import { pageRoutes } from './page/routes.js';
import { partnerRoutes } from './partner/routes.js';
import { RequestLog } from './request-log.js';
import { tickerRoutes } from './tickers/routes.js';

const BODY_MAX_BYTES = 64 * 1024;
/** An API key in a path, URL-encoded. */
const PATH_PART_MAX = 1000;

export interface SandboxExchangeOptions {
  /** 0 = any free one. */
  port: number;
  /** Default 127.0.0.1. */
  host?: string | undefined;
  /** Without it the exchange forgets everything when it ends. */
  ledgerFile?: string | undefined;
  /** From the request of a withdrawal to its success; default 3000. */
  settleMs?: number | undefined;
  /** Where the built-in client may send people back to, besides the own machine. */
  oauthRedirectUris?: readonly string[];
  now?: () => Date;
}

export interface SandboxExchange {
  /** Base address, without a slash at the end. */
  url: string;
  close(): Promise<void>;
}

/**
 * Starts an exchange of our own with a ledger that speaks Kraken's REST protocol under `/0` and a partner API of its
 * own under `/partner/v1`, authorizes applications as Kraken Connect, Coinbase and for that API, answers what Coinbase
 * tells of an account, and the public tickers and pairs of Coinbase, Bitstamp and Gemini, is moved through `/control`, and shows itself to people at `/`. It knows no real money and calls nobody.
 */
export async function startSandboxExchange(options: SandboxExchangeOptions): Promise<SandboxExchange> {
  const {
    port,
    host = '127.0.0.1',
    ledgerFile,
    settleMs = 3000,
    oauthRedirectUris = [],
    now = () => new Date(),
  } = options;
  const journal = ledgerFile === undefined ? memoryJournal : new FileJournal(ledgerFile);
  const exchange = new Exchange(journal, settleMs);
  const faults = new FaultBook(now);
  const server = { exchange, faults, requests: new RequestLog(), now };
  const app = fastify({
    logger: { level: 'error' },
    bodyLimit: BODY_MAX_BYTES,
    routerOptions: { maxParamLength: PATH_PART_MAX },
    forceCloseConnections: true,
  });
  await app.register(krakenRoutes(server));
  await app.register(partnerRoutes(server), { prefix: '/partner/v1' });
  await app.register(tickerRoutes(server));
  const clients = new OAuthClients(exchange, builtInClient(oauthRedirectUris));
  await app.register(oauthRoutes(server, clients));
  await app.register(coinbaseRoutes(server));
  await app.register(controlRoutes(server, clients));
  await app.register(pageRoutes(server));
  app.addHook('preClose', (done) => {
    faults.stop();
    done();
  });
  app.addHook('onClose', (_app, done) => {
    exchange.close();
    done();
  });
  try {
    const url = await app.listen({ port, host });
    return { url, close: () => app.close() };
  } catch (error) {
    await app.close();
    throw error;
  }
}
