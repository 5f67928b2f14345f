import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { scopes } from '#access';
import type { TestOverrides } from '#platform/config';
import { migrate } from '#platform/database';
import { eraseEmbeddedPostgres, startEmbeddedPostgres, type EmbeddedPostgres } from '#platform/embedded-postgres';
import { RedisServer } from '#platform/testing';
import { BenchProcess, type ProcessOptions } from './bench-process.js';
import { buildOther } from './other-build.js';
import { postJson } from './http.js';
import { serviceSettings, tickerAddresses } from './settings.js';

/** This port differs from those of `npm start`, of the tests and of `npm run prove`. */
const POSTGRES_PORT = 59_300;
const DATABASE = 'bench';
const ADMIN_TOKEN = 'the-administrator-of-an-installation-that-is-measured';

/** Headers with the API key of a project. */
export type Headers = Readonly<Record<string, string>>;

export interface EnvironmentOptions {
  /** Uses Redis for the queues instead of PostgreSQL. */
  redis: boolean;
  /** Folder for the CPU profiles of the processes; null for none. */
  profileDir: string | null;
  /** The commit that is measured beside the checked-out one; null for none. */
  against: string | null;
}

/** A complete service on this machine: PostgreSQL, optionally Redis, the sandbox exchange, API and workers. */
export class BenchEnvironment {
  sandbox: BenchProcess;
  /** Connections with the role that owns the tables. */
  readonly db: pg.Pool;
  private redis: RedisServer | null = null;
  private otherDist: string | null = null;
  private readonly processes: BenchProcess[] = [];

  private constructor(
    private readonly dir: string,
    private readonly postgres: EmbeddedPostgres,
    private readonly options: EnvironmentOptions,
  ) {
    // Commits of this pool wait for the disk: VACUUM marks a page as visible to all only when the commits of its rows
    // are on disk.
    const flushed = '-c synchronous_commit=on';
    this.db = new pg.Pool({ connectionString: postgres.ownerUrl(DATABASE), max: 4, options: flushed });
    process.on('exit', this.erase);
  }

  static async start(options: EnvironmentOptions): Promise<BenchEnvironment> {
    const dir = mkdtempSync(path.join(tmpdir(), 'causeway-bench-'));
    // When this process runs as root, PostgreSQL runs under another user, who must be able to read the folder.
    chmodSync(dir, 0o755);
    const postgres = await startEmbeddedPostgres(postgresOptions(dir));
    await postgres.createDatabase(DATABASE);
    await migrate(postgres.ownerUrl(DATABASE));
    const environment = new BenchEnvironment(dir, postgres, options);
    if (options.redis) environment.redis = await RedisServer.start();
    environment.sandbox = await environment.run('apps/sandbox-exchange/src/main.js', { env: { SANDBOX_PORT: '0' } });
    return environment;
  }

  /** Connection string of a role with the rights of all processes. */
  get databaseUrl(): string {
    return this.postgres.jointUrl(DATABASE);
  }

  startService(
    app: 'api' | 'worker',
    settings: Readonly<Record<string, string>> = {},
    overrides: TestOverrides = {},
  ): Promise<BenchProcess> {
    return this.run(`apps/${app}/src/main.js`, {
      env: { ...this.settings(settings, overrides), DATABASE_URL: this.postgres.roleUrl(app, DATABASE) },
    });
  }

  /** Starts the API of the commit `against`; null when there is no such commit. */
  async startOther(settings: Readonly<Record<string, string>> = {}): Promise<BenchProcess | null> {
    const { against } = this.options;
    if (against === null) return null;
    this.otherDist ??= buildOther(against, this.dir);
    return await this.run('apps/api/src/main.js', { env: this.settings(settings), distDir: this.otherDist });
  }

  private settings(own: Readonly<Record<string, string>>, overrides: TestOverrides = {}): Record<string, string> {
    return {
      ...serviceSettings(overrides),
      ADMIN_TOKEN,
      DATABASE_URL: this.databaseUrl,
      SANDBOX_URL: this.sandbox.baseUrl,
      ...tickerAddresses(this.sandbox.baseUrl),
      ...(this.redis === null ? {} : { REDIS_URL: this.redis.url }),
      ...own,
    };
  }

  /** Starts one of the comparison programs: `apps/bench/src/<name>.main.js`. */
  startBare(name: string, args: string[]): Promise<BenchProcess> {
    return this.run(`apps/bench/src/${name}.main.js`, { args });
  }

  /** Writes a file that is deleted with the environment. @returns its path */
  writeFile(name: string, text: string): string {
    const file = path.join(this.dir, name);
    writeFileSync(file, text);
    return file;
  }

  async stop(stopped: BenchProcess): Promise<void> {
    this.processes.splice(this.processes.indexOf(stopped), 1);
    await stopped.stop();
  }

  /** Creates a project in mode test, with an API key for all scopes. */
  async createProject(api: BenchProcess): Promise<Headers> {
    const admin = { authorization: `Bearer ${ADMIN_TOKEN}` };
    const post = <T>(where: string, body: object): Promise<T> => postJson<T>(`${api.baseUrl}${where}`, body, admin);
    const organization = await post<{ id: string }>('/v0/admin/organizations', { name: 'Bench' });
    const projects = `/v0/admin/organizations/${organization.id}/projects`;
    const project = await post<{ id: string }>(projects, { name: 'Bench', mode: 'test' });
    const keys = `/v0/admin/projects/${project.id}/api-keys`;
    const { key } = await post<{ key: string }>(keys, { name: 'bench', scopes });
    return { 'x-svc-api-key': key, 'x-svc-org-id': organization.id, 'x-svc-project-id': project.id };
  }

  /** Size of all tables, with their indexes. */
  async tableBytes(): Promise<number> {
    const { rows } = await this.db.query<{ bytes: number }>(
      `select sum(pg_total_relation_size(oid))::float8 as bytes from pg_class
        where relkind = 'r' and relnamespace = 'public'::regnamespace`,
    );
    return rows[0]?.bytes ?? NaN;
  }

  /**
   * Makes no wallet due for a day, and marks every history as tracked, so that workers read neither the balances nor
   * the histories of the wallets that exist now.
   */
  async putOffSyncs(): Promise<void> {
    await this.db.query(`update wallets set history_tracked = true, next_sync_at = now() + interval '1 day'`);
  }

  /** Makes the exchange take this long for each call of an endpoint, until `endDelays`. */
  async delayCalls(endpoint: string, delayMs: number): Promise<void> {
    await postJson(`${this.sandbox.baseUrl}/control/faults`, { endpoint, fault: 'latency', count: null, delayMs });
  }

  async endDelays(): Promise<void> {
    await fetch(`${this.sandbox.baseUrl}/control/faults`, { method: 'DELETE' });
  }

  async close(): Promise<void> {
    process.off('exit', this.erase);
    const [sandbox, ...services] = this.processes;
    await Promise.all(services.map((service) => service.stop()));
    await sandbox?.stop();
    await this.redis?.kill();
    await this.db.end();
    this.erase();
  }

  private async run(program: string, options: ProcessOptions): Promise<BenchProcess> {
    const { profileDir } = this.options;
    const execArgv = profileDir === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileDir}`];
    const started = await BenchProcess.start(program, { ...options, execArgv });
    this.processes.push(started);
    return started;
  }

  /** Deletes the environment. Also runs when this process exits early, because PostgreSQL would outlive the process. */
  private readonly erase = (): void => {
    eraseEmbeddedPostgres(postgresOptions(this.dir));
    rmSync(this.dir, { recursive: true, force: true });
  };
}

/** Commits do not wait for the disk, so that the figures do not depend on its speed. */
function postgresOptions(dir: string): { dir: string; port: number; nextFreePort: boolean; durable: boolean } {
  return { dir: path.join(dir, 'postgres'), port: POSTGRES_PORT, nextFreePort: true, durable: false };
}
