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
