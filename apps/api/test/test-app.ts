import type { AddressInfo } from 'node:net';
import type { DynamicModule } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import pg from 'pg';
import { pino } from 'pino';
import { createProject, TEST_API_KEY_PEPPER, type CreateProjectOptions, type TestProject } from '#access/testing';
import { Clock } from '#platform/clock';
import { loadConfig, type Config } from '#platform/config';
import { Database } from '#platform/database';
import { configureHttpApp, createHttpAdapter, listen } from '#platform/http';
import { NestLogger, type Logger } from '#platform/logging';
import { createTestDatabase, type TestDatabase } from '#platform/testing';
import { ApiModule } from '../src/api.module.js';
import { configureApi } from '../src/configure-api.js';
import { buildOpenApi } from '../src/openapi.js';
import { DocumentedAnswers } from './documented-answers.js';
import { HttpClient } from './http-client.js';

export const ADMIN_TOKEN = 'admin-token-for-tests-and-long-enough';

/** Time as the test moves it: it runs on, and can be set ahead. */
export class TestClock extends Clock {
  private aheadMs = 0;

  override now(): Date {
    return new Date(Date.now() + this.aheadMs);
  }

  advance(ms: number): void {
    this.aheadMs += ms;
  }
}

export interface HeldTable {
  /** Resolves when somebody waits for the table. */
  isWaitedFor: () => Promise<void>;
  release: () => Promise<void>;
}

export interface TestAppOptions {
  /** Settings on top of those for tests. */
  env?: Record<string, string>;
}

/** The API as it runs in production, over HTTP, on a database of its own. */
export class TestApp {
  private constructor(
    readonly api: NestFastifyApplication,
    /** Without credentials; `project().http` has them. */
    readonly http: HttpClient,
    readonly url: string,
    readonly db: Database,
    readonly database: TestDatabase,
    readonly clock: TestClock,
    readonly config: Config,
    readonly logger: Logger,
    /** Every line that was logged. */
    readonly logLines: string[],
  ) {}

  static async create({ env = {} }: TestAppOptions = {}): Promise<TestApp> {
    const database = await createTestDatabase();
    const config = loadConfig({ ...settings(database), ...env });
    const logLines: string[] = [];
    const logger = pino({ level: 'debug' }, { write: (line: string) => void logLines.push(line) });
    const clock = new TestClock();
    const api = await boot(ApiModule.forRoot(config, logger), config, logger, clock, configureApi);
    const { port } = api.getHttpServer().address() as AddressInfo;
    const url = `http://127.0.0.1:${port}`;
    const http = new HttpClient(url, new DocumentedAnswers(buildOpenApi(api)));
    return new TestApp(api, http, url, api.get(Database), database, clock, config, logger, logLines);
  }

  /** A new project with a key; default: all scopes, mode test. */
  async project(options: CreateProjectOptions = {}): Promise<TestProject & { http: HttpClient }> {
    const project = await createProject(this.api, options);
    return { ...project, http: this.http.with(project.headers) };
  }

  /** One statement as the owner of the tables. */
  async asOwner(sql: string): Promise<void> {
    const owner = new pg.Client(this.database.ownerUrl);
    await owner.connect();
    await owner.query(sql);
    await owner.end();
  }

  /** Locks a table, so that requests that read it wait. */
  async holdTable(table: string): Promise<HeldTable> {
    const owner = new pg.Client(this.database.ownerUrl);
    await owner.connect();
    await owner.query(`begin; lock table ${table} in access exclusive mode`);
    return {
      isWaitedFor: async () => {
        const waiting = `select count(*)::int as count from pg_locks where not granted and relation = '${table}'::regclass`;
        let count = 0;
        while (count === 0) count = (await owner.query<{ count: number }>(waiting)).rows[0]?.count ?? 0;
      },
      release: async () => {
        await owner.query('commit');
        await owner.end();
      },
    };
  }

  async close(): Promise<void> {
    await this.api.close();
    await this.database.drop();
  }
}

function settings(database: TestDatabase): Record<string, string> {
  return {
    NODE_ENV: 'test',
    DATABASE_URL: database.appUrl,
    DATABASE_POOL_MAX: '10',
    API_KEY_PEPPER: TEST_API_KEY_PEPPER,
    VAULT_KEYS: `test:${Buffer.alloc(32, 1).toString('base64')}`,
    ADMIN_TOKEN,
    API_KEY_RATE_PER_MINUTE: '100000',
    AUTH_FAILURES_PER_MINUTE: '100000',
  };
}

async function boot(
  module: DynamicModule,
  config: Config,
  logger: Logger,
  clock: Clock,
  configure: (app: NestFastifyApplication) => void | Promise<void> = configureHttpApp,
): Promise<NestFastifyApplication> {
  const testing = await Test.createTestingModule({ imports: [module] })
    .setLogger(new NestLogger(logger))
    .overrideProvider(Clock)
    .useValue(clock)
    .compile();
  const app = testing.createNestApplication<NestFastifyApplication>(createHttpAdapter(config, logger));
  await configure(app);
  await listen(app, 0, '127.0.0.1', (address) => `listening on ${address}`);
  return app;
}
