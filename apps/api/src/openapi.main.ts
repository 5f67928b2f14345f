import 'reflect-metadata';
import { writeFileSync } from 'node:fs';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { loadConfig } from '#platform/config';
import { createLogger } from '#platform/logging';
import { ApiModule } from './api.module.js';
import { buildOpenApi } from './openapi/build-openapi.js';
import { formatJson } from './openapi/format-json.js';

// Preview mode creates no providers, so it needs no database and no key.
const config = loadConfig({ LOG_LEVEL: 'error' });
const app = await NestFactory.create<NestFastifyApplication>(
  ApiModule.forRoot(config, createLogger(config, 'openapi')),
  new FastifyAdapter(),
  { preview: true, logger: ['error'], abortOnError: false },
);
writeFileSync(process.argv[2] ?? 'openapi.json', formatJson(buildOpenApi(app)));
