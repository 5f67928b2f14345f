import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { runProcess } from '#platform/app';
import { createHttpAdapter, listen } from '#platform/http';
import { NestLogger } from '#platform/logging';
import { MetricsServer } from '#platform/metrics';
import { ApiModule } from './api.module.js';
import { configureApi } from './configure-api.js';

await runProcess('api', async (config, logger) => {
  const { HOST, PORT, METRICS_PORT } = config.values;
  const app = await NestFactory.create<NestFastifyApplication>(
    ApiModule.forRoot(config, logger),
    createHttpAdapter(config, logger),
    { logger: new NestLogger(logger), abortOnError: false },
  );
  configureApi(app);
  const metrics = await app.get(MetricsServer).listen(METRICS_PORT, HOST);
  const places = (address: string): string => `its documentation on ${address}/docs, its metrics on ${metrics}`;
  await listen(app, PORT, HOST, (address) => `API on ${address}, ${places(address)}`);
  return app;
});
