import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { Registry, collectDefaultMetrics } from 'prom-client';

/** Starts Fastify alone, with the same process metrics as our own processes. */
export async function listenBare(configure: (app: FastifyInstance) => void): Promise<void> {
  const app = Fastify();
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  app.get('/metrics', () => registry.metrics());
  configure(app);
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  process.stdout.write(`listens on ${address} , its metrics on ${address}/metrics\n`);
  process.once('SIGTERM', () => void app.close().then(() => process.exit(0)));
}

/** Serves the process metrics of a program that has no metrics of its own. @returns the address */
export async function listenMetrics(): Promise<string> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const server = createServer((_request, response) => {
    void registry.metrics().then((text) => response.end(text));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`;
}
