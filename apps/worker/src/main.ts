import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { runProcess } from '#platform/app';
import { configureHttpApp, createHttpAdapter, listen } from '#platform/http';
import { NestLogger } from '#platform/logging';
import { MetricsServer } from '#platform/metrics';
import { addQueueBoard } from './board/queue-board.js';
import { WorkerModule } from './worker.module.js';

await runProcess('worker', async (config, logger) => {
  const { HOST, WORKER_PORT, WORKER_METRICS_PORT } = config.values;
  const app = await NestFactory.create<NestFastifyApplication>(
    WorkerModule.forRoot(config, logger),
    createHttpAdapter(config, logger),
    { logger: new NestLogger(logger), abortOnError: false },
  );
  configureHttpApp(app);
  await addQueueBoard(app);
  const metrics = await app.get(MetricsServer).listen(WORKER_METRICS_PORT, HOST);
  const places = (address: string): string => `its health on ${address}/readyz, its metrics on ${metrics}`;
  await listen(app, WORKER_PORT, HOST, (address) => `worker runs, ${places(address)}`);
  return app;
});
