import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Callers } from '#access';
import { loadConfig } from '#platform/config';
import { configureHttpApp, createHttpAdapter, setSecurityHeaders } from '#platform/http';
import { createLogger, NestLogger } from '#platform/logging';
import { listenMetrics } from './bare-server.js';
import { stageModule } from './pipeline/stage-app.js';
import { hasStage, stages } from './pipeline/stages.js';

/** Serves an application with the stages of a request up to the one that the first argument names. */
const [name = '', file = ''] = process.argv.slice(2);
const last = stages.find((stage) => stage === name);
if (last === undefined) throw new Error(`the stage '${name}' does not exist; use one of ${stages.join(', ')}`);

const config = loadConfig();
const logger = createLogger(config, 'bench');
const app = await NestFactory.create<NestFastifyApplication>(
  stageModule(last, readFileSync(file, 'utf8'), config, logger),
  hasStage(last, 'id') ? createHttpAdapter(config, logger) : new FastifyAdapter(),
  { logger: new NestLogger(logger), abortOnError: false },
);
if (hasStage(last, 'limits')) {
  const callers = hasStage(last, 'authentication') ? app.get(Callers, { strict: false }) : null;
  configureHttpApp(app, { callerOf: (request) => callers?.of(request) ?? null });
}
if (hasStage(last, 'headers')) setSecurityHeaders(app);
const metrics = await listenMetrics();
await app.init();
const fastify = app.getHttpAdapter().getInstance();
const address = await fastify.listen({ port: 0, host: '127.0.0.1', listenTextResolver: () => 'ready' });
process.stdout.write(`listens on ${address} , its metrics on ${metrics}\n`);
process.once('SIGTERM', () => void app.close().then(() => process.exit(0)));
