import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { runProcess } from '#platform/app';
import { configureHttpApp, createHttpAdapter } from '#platform/http';
import { NestLogger } from '#platform/logging';
import { WorkerModule } from './worker.module.js';

await runProcess('worker', async (config, logger) => {
  const { HOST, WORKER_PORT } = config.values;
  const app = await NestFactory.create<NestFastifyApplication>(
    WorkerModule.forRoot(config, logger),
    createHttpAdapter(config, logger),
    { logger: new NestLogger(logger), abortOnError: false },
  );
  configureHttpApp(app);
  await app.listen(WORKER_PORT, HOST);
  logger.info(`worker runs; health on ${await app.getUrl()}/readyz`);
  return app;
});
