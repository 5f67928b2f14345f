import { existsSync, readdirSync, readFileSync, rmSync, statSync, watch, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ExchangeSpec } from '#exchange';
import { ChildProgram } from '#platform/child-program';
import { LOCAL_SETTINGS_FILE } from '#platform/config';
import { databaseProblemOf, processRoles, type ProcessRole } from '#platform/database';
import {
  createProcessRoles,
  eraseEmbeddedPostgres,
  RolesMissing,
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '#platform/embedded-postgres';
import { announce } from './announce.js';
import { Child } from './child.js';
import { releaseFolder } from './claim-folder.js';
import { DEMO_FILE, prepareDemo } from './demo.js';
import { Problem } from './problem.js';
import { loadSecrets, SECRETS_FILE, writePrivate, type Secrets } from './secrets.js';
import type { Settings } from './settings.js';
import { say } from './terminal.js';

const DATABASE = 'causeway';
/**
 * Names the build that has migrated the database. The file lies in PostgreSQL's folder, so a copy of the folder names
 * the build, too.
 */
const MIGRATED_FILE = 'migrated-by';
const WATCH_PAUSE_MS = 300;

/** A database, as its owner and as the application connect to it. */
interface LocalDatabase {
  ownerUrl: string;
  /** Connection of each process. */
  urls: Record<ProcessRole, string>;
  /** Only for the database that this program starts. */
  own?: {
    /** Whether the database is empty. */
    isNew: boolean;
    /** Folder of PostgreSQL's data. */
    dir: string;
  };
}

export interface LaunchOptions {
  fresh?: boolean;
  watch?: boolean;
  exchanges: readonly ExchangeSpec[];
}

/** Starts the installation. It runs until a signal ends it. */
export async function launch(settings: Settings, options: LaunchOptions): Promise<void> {
  const launcher = new Launcher(settings, options);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => void launcher.stop().then((code) => process.exit(code)));
  }
  await launcher.start();
}

/** Runs the whole system on one machine in one terminal. */
class Launcher {
  private readonly children: Child[] = [];
  private postgres: Promise<EmbeddedPostgres> | null = null;
  private stopped: Promise<number> | null = null;

  constructor(
    private readonly settings: Settings,
    private readonly options: LaunchOptions,
  ) {}

  async start(): Promise<void> {
    const { settings } = this;
    if (this.options.fresh === true) this.deleteData();
    const secrets = loadSecrets(settings.dataDir);
    try {
      const sandbox = this.startSandbox(secrets);
      // `sandbox` is awaited below; until then its failure must not end this process.
      sandbox.catch(() => undefined);
      const { ownerUrl, urls, own }: LocalDatabase = await this.prepareDatabase();
      await this.migrate(ownerUrl, own);
      this.describeInstallation(secrets, urls.cli);
      say('starting the API and the worker');
      await Promise.all([sandbox, this.startServices(secrets, urls)]);
      say('connecting the demo wallets');
      const demo = await prepareDemo(settings, secrets, this.options.exchanges);
      announce(settings, demo, own?.dir);
    } catch (error) {
      // An error after a signal is not a failure of the start.
      const isStopped = this.stopped !== null;
      await this.stop();
      if (isStopped) return;
      throw error;
    }
    if (this.options.watch === true) this.restartOnChange();
  }

  /** Stops every process in order, and resolves with the exit code. It can be called repeatedly. */
  stop(): Promise<number> {
    this.stopped ??= this.stopAll();
    return this.stopped;
  }

  private async stopAll(): Promise<number> {
    say('stopping; requests in progress are finished first');
    for (const child of this.children) child.expectEnd();
    // The sandbox exchange stops last, because the others may still wait for its responses.
    const [sandbox, ...others] = this.children;
    await Promise.all(others.map((child) => child.stop()));
    await sandbox?.stop();
    // A signal may arrive while PostgreSQL is still starting: it can be stopped only after its start.
    (await this.postgres?.catch(() => null))?.stop();
    releaseFolder(this.settings.dataDir);
    say('stopped');
    return 0;
  }

  /**
   * Runs the program that also migrates in production, so that this process loads no database library. A database that
   * this build has already migrated is skipped, because the program takes a seventh of the time that a start takes.
   */
  private async migrate(ownerUrl: string, own: LocalDatabase['own']): Promise<void> {
    const { root, environment } = this.settings;
    const file = path.join(root, 'dist/libs/platform/src/database/migrate.main.js');
    const build = `${file} ${statSync(file).mtimeMs}\n`;
    const migratedFile = own && path.join(own.dir, MIGRATED_FILE);
    const migratedBy = migratedFile !== undefined && existsSync(migratedFile) ? readFileSync(migratedFile, 'utf8') : '';
    if (own?.isNew === false && migratedBy === build) return;
    say('migrating the database');
    const program = new ChildProgram({ file, env: { ...environment, DATABASE_OWNER_URL: ownerUrl } });
    if ((await program.exitCode()) !== 0) throw new Problem(program.stderr.trim());
    if (migratedFile !== undefined) writeFileSync(migratedFile, build);
  }

  private deleteData(): void {
    eraseEmbeddedPostgres(this.postgresOptions());
    const curlFiles = readdirSync(this.settings.dataDir).filter((name) => name.endsWith('.curlrc'));
    const files = [SECRETS_FILE, LOCAL_SETTINGS_FILE, 'vault-keys', DEMO_FILE, ...curlFiles, 'sandbox-ledger.jsonl'];
    for (const name of files) {
      rmSync(path.join(this.settings.dataDir, name), { force: true });
    }
  }

  private postgresOptions() {
    const { dataDir, postgresPort } = this.settings;
    return { dir: path.join(dataDir, 'postgres'), port: postgresPort, nextFreePort: true, durable: true };
  }

  private async prepareDatabase(): Promise<LocalDatabase> {
    const { database, dataDir } = this.settings;
    if (database === null) return this.startPostgres();
    const { ownerUrl, jointUrl, rolePrefix } = database;
    if (jointUrl !== null) {
      say(
        'DATABASE_URL: API, worker and command line share this role and its rights; set only DATABASE_OWNER_URL to give each its own role',
      );
      return { ownerUrl, urls: { api: jointUrl, worker: jointUrl, cli: jointUrl } };
    }
    try {
      return { ownerUrl, urls: await createProcessRoles(ownerUrl, path.join(dataDir, 'database-roles'), rolePrefix) };
    } catch (error) {
      const problem = error instanceof RolesMissing ? error.message : databaseProblemOf(error);
      throw problem === null ? error : new Problem(problem);
    }
  }

  private async startPostgres(): Promise<LocalDatabase> {
    say('starting PostgreSQL');
    this.postgres = startEmbeddedPostgres(this.postgresOptions());
    const postgres = await this.postgres;
    const isNew = await postgres.createDatabase(DATABASE);
    const own = { isNew, dir: postgres.dir };
    const [api, worker, cli] = processRoles.map((role) => postgres.roleUrl(role, DATABASE));
    const urls = { api, worker, cli };
    return { own, ownerUrl: postgres.ownerUrl(DATABASE), urls };
  }

  /**
   * Starts the sandbox exchange, and resolves when it is ready. It starts first and stops last, because the other
   * processes call it.
   */
  private startSandbox({ sandboxWebhookSecret }: Secrets): Promise<void> {
    const { host, port, sandboxPort, environment, dataDir } = this.settings;
    say('starting the sandbox exchange');
    const settings = {
      LOG_PRETTY: 'true',
      ...environment,
      HOST: host,
      SANDBOX_HOST: host,
      SANDBOX_PORT: String(sandboxPort),
      SANDBOX_LEDGER_FILE: path.join(dataDir, 'sandbox-ledger.jsonl'),
      SANDBOX_WEBHOOK_URL: `http://${host}:${port}/v0/webhooks/sandbox`,
      WEBHOOK_SECRET_SANDBOX: sandboxWebhookSecret,
    };
    return this.startChild('sandbox', 'sandbox-exchange', settings, this.url(sandboxPort, '/0/public/Time'));
  }

  private async startServices(secrets: Secrets, urls: Record<ProcessRole, string>): Promise<void> {
    const { host, port, workerPort, sandboxPort, metricsPort, workerMetricsPort, environment, dataDir } = this.settings;
    const service = {
      LOG_PRETTY: 'true',
      // With these settings the demo makes no calls over the internet.
      TICKERS_FROM_SANDBOX: 'true',
      CATALOGUE_EXCHANGES: 'none',
      TRADING_EXCHANGES: 'all',
      WITHDRAWAL_FEE_ESTIMATES: 'coinbase:BTC:bitcoin=0.00015,coinbase:ETH:ethereum=0.0025',
      SHUTDOWN_DELAY_MS: '0',
      DEMO_FILE: path.join(dataDir, DEMO_FILE),
      // The API refuses webhook endpoints with private addresses by default, and those on this machine have one.
      WEBHOOK_ALLOW_PRIVATE: 'true',
      ...environment,
      HOST: host,
      PORT: String(port),
      WORKER_PORT: String(workerPort),
      METRICS_PORT: String(metricsPort),
      WORKER_METRICS_PORT: String(workerMetricsPort),
      // API and worker never get the owner's password.
      DATABASE_OWNER_URL: undefined,
      VAULT_KEYS_FILE: secrets.vaultKeysFile,
      API_KEY_PEPPER: secrets.apiKeyPepper,
      ADMIN_TOKEN: secrets.adminToken,
      SANDBOX_URL: this.url(sandboxPort),
      WEBHOOK_SECRET_SANDBOX: secrets.sandboxWebhookSecret,
    };
    await Promise.all([
      this.startChild('api', 'api', { ...service, DATABASE_URL: urls.api }, this.url(port, '/readyz')),
      this.startChild('worker', 'worker', { ...service, DATABASE_URL: urls.worker }, this.url(workerPort, '/readyz')),
    ]);
  }

  /** Writes the file with the settings that Causeway's command line reads. */
  private describeInstallation({ vaultKeysFile, apiKeyPepper }: Secrets, databaseUrl: string): void {
    const { host, sandboxPort, dataDir } = this.settings;
    const settings = {
      DATABASE_URL: databaseUrl,
      API_KEY_PEPPER: apiKeyPepper,
      VAULT_KEYS_FILE: vaultKeysFile,
      SANDBOX_URL: `http://${host}:${sandboxPort}`,
      WEBHOOK_ALLOW_PRIVATE: 'true',
    };
    writePrivate(path.join(dataDir, LOCAL_SETTINGS_FILE), JSON.stringify(settings, null, 2));
  }

  private startChild(name: string, app: string, environment: NodeJS.ProcessEnv, readyUrl: string): Promise<void> {
    const file = path.join(this.settings.root, `dist/apps/${app}/src/main.js`);
    const child = new Child({ name, file, environment, readyUrl }, this.children.length);
    this.children.push(child);
    return child.start();
  }

  private url(port: number, file = ''): string {
    return `http://${this.settings.host}:${port}${file}`;
  }

  /** For `npm run dev`: compiles the sources after each change, and restarts the processes if that succeeds. */
  private restartOnChange(): void {
    let timer: NodeJS.Timeout | undefined;
    let last = Promise.resolve();
    const changed = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        last = last.then(() => this.compileAndRestart()).catch((error: unknown) => say(String(error)));
      }, WATCH_PAUSE_MS);
    };
    for (const folder of ['apps', 'libs']) {
      watch(path.join(this.settings.root, folder), { recursive: true }, (_event, file) => {
        if (file?.endsWith('.ts')) changed();
      });
    }
  }

  private async compileAndRestart(): Promise<void> {
    const { root, environment } = this.settings;
    say('sources changed: compiling');
    const compiler = path.join(root, 'node_modules', 'typescript-7', 'bin', 'tsc');
    const program = new ChildProgram({
      file: compiler,
      args: ['-b', path.join(root, 'tsconfig.json')],
      env: environment,
    });
    if ((await program.exitCode()) !== 0)
      return say(`${program.stdout}${program.stderr}compiling failed; the running processes are not restarted`);
    say('compiled: restarting');
    await Promise.all(this.children.map((child) => child.restart()));
  }
}
