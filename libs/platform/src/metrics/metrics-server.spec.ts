import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { pino } from 'pino';
import { loadConfig, testOverrides } from '#platform/config';
import { ManualClock } from '#platform/testing';
import { MetricsServer } from './metrics-server.js';
import { Metrics } from './metrics.js';

/** Maximum number of open connections to the port. */
const CONNECTIONS_MAX = 20;

describe('the port of metrics and probes', () => {
  let server: MetricsServer;
  let port: number;
  let metrics: Metrics;
  let lines: Record<string, unknown>[];

  beforeEach(async () => {
    const config = loadConfig({ DATABASE_URL: 'postgres://none', ...testOverrides({ HEADERS_TIMEOUT_MS: 200 }) });
    metrics = new Metrics();
    lines = [];
    const log = pino(
      { base: null },
      { write: (line: string) => void lines.push(JSON.parse(line) as (typeof lines)[number]) },
    );
    server = new MetricsServer(metrics, config, new ManualClock(), log);
    server.addProbe('/livez', () => Promise.resolve({ status: 200, body: {} }));
    port = Number(new URL(await server.listen(0, '127.0.0.1')).port);
  });
  afterEach(() => server.onApplicationShutdown());

  const open = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    return socket.resume();
  };

  it('responds again soon after clients took all connections and sent nothing', async () => {
    const clients = await Promise.all(Array.from({ length: CONNECTIONS_MAX }, open));
    const closed = clients.filter((client) => !client.closed).map((client) => once(client, 'close'));
    await Promise.all(closed);
    expect((await fetch(`http://127.0.0.1:${port}/livez`)).status).toBe(200);
  }, 10_000);

  it('logs once why it cannot respond', async () => {
    const fail = (): Promise<never> => Promise.reject(new Error('no metrics here'));
    Object.assign(metrics.registry, { metrics: fail });
    server.addProbe('/readyz', fail);
    for (const path of ['metrics', 'metrics', 'readyz']) {
      const response = await fetch(`http://127.0.0.1:${port}/${path}`);
      expect([response.status, await response.text()]).toEqual([
        500,
        `/${path} failed: the log of this process has the reason\n`,
      ]);
    }
    const err = expect.objectContaining({ message: 'no metrics here' }) as object;
    expect(lines).toEqual([
      expect.objectContaining({ msg: 'a request to the metrics port failed', path: '/metrics', err }),
    ]);
  });

  it('closes each connection after its response, so that no client keeps it open with empty lines', async () => {
    const client = await open();
    client.write('GET /livez HTTP/1.1\r\nhost: api\r\n\r\n');
    const lines = setInterval(() => client.write('\r\n'), 50);
    await once(client, 'close');
    clearInterval(lines);
  }, 4_000);
});
