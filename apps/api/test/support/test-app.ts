import type { AddressInfo } from 'node:net';
import type { DynamicModule } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import pg from 'pg';
import { pino } from 'pino';
import { DataSource } from 'typeorm';
import { createProject, type CreateProjectOptions, type TestProject } from '#access/testing';
import type { Causeway } from '#client';
import { Clock } from '#platform/clock';
import { loadConfig, testOverrides, type Config, type TestOverrides } from '#platform/config';
import { Database, DatabaseClock, type PoolUsage } from '#platform/database';
import { configureHttpApp, createHttpAdapter, listen } from '#platform/http';
import { NestLogger, type Logger } from '#platform/logging';
import {
  createTestDatabase,
  RunningClock,
  TEST_API_KEY_PEPPER,
  type TestDatabase,
  TestDatabaseClock,
  until,
} from '#platform/testing';
import type { NoticeTarget } from '../../../sandbox-exchange/src/notices/notices.js';
import { startSandboxExchange, type SandboxExchange } from '../../../sandbox-exchange/src/sandbox-exchange.js';
import { WorkerModule } from '../../../worker/src/worker.module.js';
import { ApiModule } from '../../src/api.module.js';
import { configureApi } from '../../src/configure-api.js';
import { ShownDescription } from '../../src/docs/docs.controller.js';
import type { ApiDocument } from '../../src/openapi/build-openapi.js';
import { causewayOf } from './causeway-client.js';
import { DocumentedResponses } from './documented-responses.js';
import { HttpClient } from './http-client.js';
import { Sandbox, type AccountOptions, type SandboxAccount } from './sandbox.js';

export const ADMIN_TOKEN = 'admin-token-for-tests-and-long-enough';

/** Settings with which a busy machine does not look like an exchange or a database that does not respond. */
export const PATIENT: Readonly<Record<string, string>> = {
  EXCHANGE_TIMEOUT_MS: '15000',
  EXCHANGE_SUBMIT_TIMEOUT_MS: '15000',
  DATABASE_CONNECT_TIMEOUT_MS: '30000',
  DATABASE_STATEMENT_TIMEOUT_MS: '30000',
  DATABASE_LOCK_TIMEOUT_MS: '30000',
};

export interface TestProjectWithClient extends TestProject {
  /** For tests of headers, statuses and invalid input. */
  http: HttpClient;
  /** Our own client, for tests of behaviour. It repeats no request, so a test sees the response to every request. */
  causeway: Causeway;
}

/** Both clients of a project for one wallet. */
export interface WalletClients {
  walletId: string;
  /** Sends the headers of the project's key and of the wallet. */
  http: HttpClient;
  causeway: Causeway;
}

export interface TestWallet extends WalletClients {
  account: SandboxAccount;
}

export interface HeldTable {
  /** Resolves when a request waits for the lock of the table. */
  isWaitedFor: () => Promise<void>;
  release: () => Promise<void>;
}

export interface TestAppOptions {
  /** Settings that replace the defaults of tests; a function gets the address of the sandbox exchange. */
  env?: Record<string, string> | ((sandboxUrl: string) => Record<string, string>);
  /** Values of constants, and values of numeric settings outside their bounds. */
  overrides?: TestOverrides;
  /** Also runs the worker, in this process. */
  worker?: boolean;
  /** More callback addresses that the sandbox exchange accepts, besides those on this machine. */
  redirectUris?: string[];
  /** The address to which the sandbox exchange sends its webhooks. */
  notices?: NoticeTarget;
}

interface Parts {
  api: NestFastifyApplication;
  worker: NestFastifyApplication | null;
  workerClock: RunningClock;
  exchange: SandboxExchange;
  database: TestDatabase;
  /** A connection for rows of tests. */
  fixtures: DataSource;
}

/** The API as it runs in production, over HTTP, with its own database and the sandbox exchange. */
export class TestApp {
  private walletCount = 0;
  private readonly fixtures = new Database(this.parts.fixtures);

  private constructor(
    private readonly parts: Parts,
    readonly url: string,
    readonly document: ApiDocument,
    /** Checks responses against the OpenAPI document. */
    readonly answers: DocumentedResponses,
    /** Sends no credentials; `project().http` does. */
    readonly http: HttpClient,
    readonly sandbox: Sandbox,
    /**
     * The clock of the API. The worker, the database and the sandbox exchange share its `trueNow()`. Its `wallErrorMs`
     * makes only the wall clock of the API wrong.
     */
    readonly clock: RunningClock,
    /** Every line that was logged. */
    readonly logLines: string[],
    /** The environment variables of the API. `BuiltProcess` starts the worker with them, too, but as its own role. */
    readonly env: Readonly<Record<string, string>>,
  ) {}

  static async create(options: TestAppOptions = {}): Promise<TestApp> {
    const { env = {}, overrides = {}, worker = false, redirectUris = [], notices } = options;
    const clock = new RunningClock();
    const workerClock = new RunningClock(clock);
    const database = await createTestDatabase();
    const exchange = await startSandboxExchange({
      port: 0,
      now: () => clock.trueNow(),
      oauthRedirectUris: redirectUris,
      notices,
    });
    const own = typeof env === 'function' ? env(exchange.url) : env;
    const environment = { ...settings(database, exchange, overrides), ...own };
    // Production refuses overrides.
    if (environment.NODE_ENV === 'production') delete environment.TEST_OVERRIDES;
    const config = loadConfig(environment);
    const logLines: string[] = [];
    const logger = pino({ level: 'debug' }, { write: (line: string) => void logLines.push(line) });
    const api = await boot(ApiModule.forRoot(config, logger), { config, logger, clock, configure: configureApi });
    const workerConfig = loadConfig({ ...environment, DATABASE_URL: database.roleUrl('worker') });
    const workerModule = WorkerModule.forRoot(workerConfig, logger);
    const parts = {
      api,
      worker: worker
        ? await boot(workerModule, { config: workerConfig, logger, clock: workerClock, configure: configureHttpApp })
        : null,
      workerClock,
      exchange,
      database,
      fixtures: await new DataSource({ type: 'postgres', url: database.appUrl, poolSize: 2 }).initialize(),
    };
    const { port } = api.getHttpServer().address() as AddressInfo;
    const url = `http://127.0.0.1:${port}`;
    const document = api.get(ShownDescription).describe() as ApiDocument;
    const answers = DocumentedResponses.of(document);
    const http = new HttpClient(url, answers);
    return new TestApp(parts, url, document, answers, http, new Sandbox(exchange.url), clock, logLines, environment);
  }

  get api(): NestFastifyApplication {
    return this.parts.api;
  }

  /** @throws when the options did not request a worker */
  get worker(): NestFastifyApplication {
    if (this.parts.worker === null) throw new Error('no worker runs');
    return this.parts.worker;
  }

  /** The clock of the worker. It shares `trueNow()` with `clock`, and its `wallErrorMs` affects only the worker. */
  get workerClock(): RunningClock {
    return this.parts.workerClock;
  }

  /** Connects with the rights of all processes together. */
  get db(): Database {
    return this.fixtures;
  }

  /** The use of the connections of the API. */
  pool(): PoolUsage {
    return this.parts.api.get(Database).pool();
  }

  /** Creates a project with a key; the defaults are all scopes and mode test. */
  async project(options: CreateProjectOptions = {}): Promise<TestProjectWithClient> {
    const project = await createProject(this.api, options);
    const causeway = causewayOf(this, project, { repeatsMax: 0 });
    return { ...project, http: this.http.with(project.headers), causeway };
  }

  /** Returns the clients of a project for a wallet, whether or not the wallet is connected. */
  clientsOf({ http, causeway }: Omit<TestProjectWithClient, keyof TestProject>, walletId: string): WalletClients {
    return { walletId, http: http.with({ 'x-svc-wallet-id': walletId }), causeway: causeway.forWallet(walletId) };
  }

  /** Creates a funded account at the sandbox exchange and connects it as a wallet. */
  async wallet(project: TestProjectWithClient, options: AccountOptions = {}): Promise<TestWallet> {
    const account = await this.sandbox.open(options);
    const clients = this.clientsOf(project, `wallet-${++this.walletCount}`);
    const { apiKey, apiSecret } = account;
    await clients.causeway.connectWallet({ exchange: 'kraken', apiKey, apiSecret });
    return { ...clients, account };
  }

  /** Starts another API process with the same database and sandbox exchange. The caller closes it. */
  async another(): Promise<{ http: HttpClient; close: () => Promise<void> }> {
    const config = loadConfig(this.env);
    const logger = pino({ level: 'silent' });
    const { clock } = this;
    const api = await boot(ApiModule.forRoot(config, logger), { config, logger, clock, configure: configureApi });
    const { port } = api.getHttpServer().address() as AddressInfo;
    return { http: new HttpClient(`http://127.0.0.1:${port}`, this.answers), close: () => api.close() };
  }

  /** The address of the database for the role that owns the tables. */
  get ownerUrl(): string {
    return this.parts.database.ownerUrl;
  }

  /** Runs one statement as the owner of the tables. */
  async asOwner(sql: string): Promise<void> {
    const owner = new pg.Client(this.parts.database.ownerUrl);
    await owner.connect();
    await owner.query(sql);
    await owner.end();
  }

  /** Locks a table, so that requests that read it wait. */
  async holdTable(table: string): Promise<HeldTable> {
    const owner = new pg.Client(this.parts.database.ownerUrl);
    await owner.connect();
    await owner.query(`begin; lock table ${table} in access exclusive mode`);
    return {
      isWaitedFor: async () => {
        const waiting = `select count(*)::int as count from pg_locks where not granted and relation = '${table}'::regclass`;
        const count = async (): Promise<number> => (await owner.query<{ count: number }>(waiting)).rows[0]?.count ?? 0;
        await until(`a request waits for ${table}`, async () => (await count()) > 0);
      },
      release: async () => {
        await owner.query('commit');
        await owner.end();
      },
    };
  }

  async close(): Promise<void> {
    const { api, worker, exchange, database, fixtures } = this.parts;
    await this.sandbox.calm();
    await worker?.close();
    await api.close();
    await fixtures.destroy();
    await exchange.close();
    await database.drop();
  }
}

/** Returns settings with limits too high for fast tests to reach, and with short waits. */
function settings(database: TestDatabase, exchange: SandboxExchange, overrides: TestOverrides): Record<string, string> {
  return {
    ...testOverrides({ WITHDRAWAL_SWEEP_MS: 50, EXCHANGE_LAG_MAX_MS: 20, ...overrides }),
    DATABASE_URL: database.roleUrl('api'),
    API_KEY_PEPPER: TEST_API_KEY_PEPPER,
    VAULT_KEYS: `test:${Buffer.alloc(32, 1).toString('base64')}`,
    ADMIN_TOKEN,
    SANDBOX_URL: exchange.url,
    TICKERS_FROM_SANDBOX: 'true',
    CATALOGUE_EXCHANGES: 'none',
    TRADING_EXCHANGES: 'all',
    EGRESS_IPS: '203.0.113.10,203.0.113.11',
    API_KEY_RATE_PER_MINUTE: '100000',
    AUTH_FAILURES_PER_MINUTE: '100000',
    WITHDRAWAL_RATE_PER_MINUTE: '1000',
    EXCHANGE_CALLS_PER_SECOND: '1000',
    EXCHANGE_CALLS_BURST: '1000',
    EXCHANGE_TIMEOUT_MS: '2500',
    EXCHANGE_SUBMIT_TIMEOUT_MS: '1500',
    SHUTDOWN_DELAY_MS: '0',
  };
}

async function boot(
  module: DynamicModule,
  options: {
    config: Config;
    logger: Logger;
    clock: RunningClock;
    configure: (app: NestFastifyApplication) => void | Promise<void>;
  },
): Promise<NestFastifyApplication> {
  const { config, logger, clock } = options;
  const testing = await Test.createTestingModule({ imports: [module] })
    .setLogger(new NestLogger(logger))
    .overrideProvider(Clock)
    .useValue(clock)
    .overrideProvider(DatabaseClock)
    .useFactory({ factory: (db: Database) => new TestDatabaseClock(db, clock, config), inject: [Database] })
    .compile();
  const app = testing.createNestApplication<NestFastifyApplication>(createHttpAdapter(config, logger));
  await options.configure(app);
  await listen(app, 0, '127.0.0.1', (address) => `listening on ${address}`);
  return app;
}
