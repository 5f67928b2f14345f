import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { collectDefaultMetrics } from 'prom-client';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { CannotListen, logFailedWork } from '#platform/errors';
import { LOGGER, type Logger } from '#platform/logging';
import { Metrics } from './metrics.js';
import { Sample } from './sample.js';

const PATH = '/metrics';
/** Maximum number of open connections to the metrics port of one process. */
const CONNECTIONS_MAX = 20;
/** Period in which Node checks for slow clients. */
const TIMEOUTS_CHECKED_MS = 1_000;

export interface ProbeResponse {
  status: 200 | 503;
  body: object;
}

/**
 * Serves `/metrics` and the probes on a separate port for monitoring, so that they respond while the main port is busy.
 * The server runs until the process ends, because a stopping process is monitored, too.
 */
@Injectable()
export class MetricsServer implements OnApplicationShutdown {
  private readonly text: Sample<string>;
  private server: Server | null = null;
  private readonly probes = new Map<string, () => Promise<ProbeResponse>>();

  constructor(
    private readonly metrics: Metrics,
    private readonly config: Config,
    clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    const { registry } = metrics;
    this.text = new Sample(clock, config.constants.METRICS_KEEP_MS, () => registry.metrics());
  }

  addProbe(path: string, respond: () => Promise<ProbeResponse>): void {
    this.probes.set(path, respond);
  }

  /**
   * Starts the server, and adds Node's own metrics of this process.
   * @param port 0 picks a free port.
   * @returns the address of `/metrics`
   * @throws CannotListen
   */
  async listen(port: number, host: string): Promise<string> {
    const { HEADERS_TIMEOUT_MS: timeoutMs } = this.config.constants;
    const server = createServer({
      headersTimeout: timeoutMs,
      requestTimeout: timeoutMs,
      connectionsCheckingInterval: TIMEOUTS_CHECKED_MS,
    });
    // Closes the connection of a client that does not read its response.
    server.timeout = timeoutMs;
    server.maxConnections = CONNECTIONS_MAX;
    server.on('request', (request, response) => void this.respond(request, response));
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error) => reject(new CannotListen(host, port, error))).listen(port, host, resolve);
    });
    this.server = server;
    collectDefaultMetrics({ register: this.metrics.registry });
    const { address, family, port: chosen } = server.address() as AddressInfo;
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${chosen}${PATH}`;
  }

  async onApplicationShutdown(): Promise<void> {
    const { server } = this;
    if (server === null) return;
    this.server = null;
    await new Promise((resolve) => {
      server.close(resolve);
      server.closeIdleConnections();
    });
  }

  private async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // No route here reads a body, so the response does not wait for the end of a body.
    const path = request.url?.split('?')[0] ?? '';
    const probe = this.probes.get(path);
    if (path !== PATH && probe === undefined)
      return end(response, 404, 'Not found: this port serves /metrics, /livez and /readyz\n');
    if (request.method !== 'GET') return end(response.setHeader('allow', 'GET'), 405, 'Method not allowed: use GET\n');
    try {
      if (probe !== undefined) {
        const { status, body } = await probe();
        return end(response.setHeader('content-type', 'application/json'), status, JSON.stringify(body));
      }
      const text = await this.text.get();
      end(response.setHeader('content-type', this.metrics.registry.contentType), 200, text);
    } catch (error) {
      logFailedWork(this.logger, error, 'a request to the metrics port failed', { path });
      end(response, 500, `${path} failed: the log of this process has the reason\n`);
    }
  }
}

function end(response: ServerResponse, status: number, text: string): void {
  if (!response.hasHeader('content-type')) response.setHeader('content-type', 'text/plain; charset=utf-8');
  // The connection closes, because only CONNECTIONS_MAX clients can have an open connection.
  response.setHeader('cache-control', 'no-store').setHeader('connection', 'close').writeHead(status).end(text);
}
