import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { collectDefaultMetrics } from 'prom-client';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { Metrics } from './metrics.js';
import { Sample } from './sample.js';

const PATH = '/metrics';

/** What a probe is answered. */
export interface ProbeAnswer {
  status: 200 | 503;
  body: object;
}

/**
 * `/metrics` and the probes on a port of its own, which is reached by whoever watches and by nobody else, so that they are
 * answered however busy the other port is. It answers until the process ends: a process that is stopping is worth
 * watching, too.
 */
@Injectable()
export class MetricsServer implements OnApplicationShutdown {
  private readonly text: Sample<string>;
  private server: Server | null = null;
  private readonly probes = new Map<string, () => Promise<ProbeAnswer>>();

  constructor(
    private readonly metrics: Metrics,
    private readonly config: Config,
    clock: Clock,
  ) {
    const { registry } = metrics;
    this.text = new Sample(clock, config.values.METRICS_KEEP_MS, () => registry.metrics());
  }

  addProbe(path: string, answer: () => Promise<ProbeAnswer>): void {
    this.probes.set(path, answer);
  }

  /**
   * Starts it, with what Node tells of this process among the metrics.
   * @param port 0 picks a free one.
   * @returns its address; rejects when the port is busy.
   */
  async listen(port: number, host: string): Promise<string> {
    const { HEADERS_TIMEOUT_MS, METRICS_CONNECTIONS_MAX } = this.config.values;
    const server = createServer({ headersTimeout: HEADERS_TIMEOUT_MS, requestTimeout: HEADERS_TIMEOUT_MS });
    server.maxConnections = METRICS_CONNECTIONS_MAX;
    server.on('request', (request, response) => void this.answer(request, response));
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(port, host, resolve);
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

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // Nothing here reads a body; what came of one is not waited for.
    const path = request.url?.split('?')[0] ?? '';
    const probe = this.probes.get(path);
    if (path !== PATH && probe === undefined) return end(response, 404, 'Only metrics and probes are here\n');
    if (request.method !== 'GET') return end(response.setHeader('allow', 'GET'), 405, 'Only GET\n');
    try {
      if (probe !== undefined) {
        const { status, body } = await probe();
        return end(response.setHeader('content-type', 'application/json'), status, JSON.stringify(body));
      }
      const text = await this.text.get();
      end(response.setHeader('content-type', this.metrics.registry.contentType), 200, text);
    } catch {
      end(response, 500, 'This cannot be read\n');
    }
  }
}

function end(response: ServerResponse, status: number, text: string): void {
  if (!response.hasHeader('content-type')) response.setHeader('content-type', 'text/plain; charset=utf-8');
  response.setHeader('cache-control', 'no-store').writeHead(status).end(text);
}
