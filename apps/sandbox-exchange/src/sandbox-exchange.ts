import fastify from 'fastify';
import { coinbaseRoutes } from './coinbase/routes.js';
import { controlRoutes } from './control/routes.js';
import { Exchange } from './exchange.js';
import { FaultBook } from './faults/fault-book.js';
import { krakenRoutes } from './kraken/routes.js';
import { FileJournal, memoryJournal } from './ledger/journal.js';
import { Notices, type NoticeTarget } from './notices/notices.js';
import { builtInClient, OAuthClients } from './oauth/clients.js';
import { oauthRoutes } from './oauth/routes.js';
import { pageRoutes } from './page/routes.js';
import { partnerRoutes } from './partner/routes.js';
import { RequestLog } from './request-log.js';
import { restProtocols } from './rest/protocols.js';
import { restRoutes } from './rest/routes.js';
import { tickerRoutes } from './tickers/routes.js';

const BODY_MAX_BYTES = 64 * 1024;
/** Maximum number of characters of a parameter in a path, such as a URL-encoded API key. */
const PATH_PART_MAX = 1000;

export interface SandboxExchangeOptions {
  /** 0 chooses any free port. */
  port: number;
  /** The default is 127.0.0.1. */
  host?: string | undefined;
  /** Path of the file that stores the ledger. Without it the exchange loses its state when it stops. */
  ledgerFile?: string | undefined;
  /** Milliseconds from the request of a withdrawal to its success; the default is 3000. */
  settleMs?: number | undefined;
  /** Redirect URIs of the built-in OAuth client. Loopback addresses are always allowed. */
  oauthRedirectUris?: readonly string[];
  /** The address for webhooks about deposits and withdrawals. Without it none are sent. */
  notices?: NoticeTarget | undefined;
  now?: () => Date;
}

export interface SandboxExchange {
  /** Base URL, without a trailing slash. */
  url: string;
  close(): Promise<void>;
}

/**
 * Starts the sandbox exchange: a ledger of its own, with several APIs over it.
 * - Kraken's REST API under `/0`, and a partner API of its own under `/partner/v1`
 * - the protocols of other exchanges over the same accounts: `src/rest/protocols.ts` lists them
 * - the OAuth servers of Kraken Connect, of Coinbase and of the partner API
 * - Coinbase's account API, and the public tickers and pairs of other exchanges
 * - a control API under `/control`, and a page for people at `/`
 * It holds no real money. Its only outgoing calls are the webhooks to `notices`.
 */
export async function startSandboxExchange(options: SandboxExchangeOptions): Promise<SandboxExchange> {
  const {
    port,
    host = '127.0.0.1',
    ledgerFile,
    settleMs = 3000,
    oauthRedirectUris = [],
    notices: target,
    now = () => new Date(),
  } = options;
  const journal = ledgerFile === undefined ? memoryJournal : new FileJournal(ledgerFile);
  const exchange = new Exchange(journal, settleMs);
  const notices = target === undefined ? null : new Notices(target, exchange, now);
  if (notices !== null) exchange.onCommit = (change) => notices.observe(change);
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
  for (const rest of restProtocols) await app.register(restRoutes(server, rest));
  await app.register(controlRoutes(server, clients));
  await app.register(pageRoutes(server));
  app.addHook('preClose', (done) => {
    faults.stop();
    notices?.close();
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
