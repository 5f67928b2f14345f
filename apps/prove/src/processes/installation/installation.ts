import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createProject, type Headers } from '../api-client.js';
import { DatabaseRelay } from './database-relay.js';
import { DatabaseServer } from './database-server.js';
import { ExchangeControl } from './exchange-control.js';
import type { ProcessMutant } from '../preload/process-mutants.js';
import { ServiceProcess, type ServiceOptions } from './service-process.js';
import { serviceSettings, timing } from './timing.js';
import { until } from '../until.js';

/** First port of the database servers; far from the ports of `npm start` and of the tests. */
const POSTGRES_PORT = 57_300;
const POSTGRES_PORTS_EACH = 200;
const ADMIN_TOKEN = 'the-administrator-of-an-installation-that-is-tried';
const READY_TIMEOUT_MS = 240_000;
const READY_ANSWER_MS = 2_000;

export interface InstallationOptions {
  /** Index of this installation among those that run at the same time. */
  lane: number;
  /** Number of API processes. */
  apis: number;
  /** The mutant to run; null = none. */
  mutant: ProcessMutant | null;
  /** Settings of the API processes and the worker that differ from `serviceSettings`. */
  settings?: Readonly<Record<string, string>>;
}

/** A complete installation: PostgreSQL, the sandbox exchange, API processes and a worker. */
export class Installation {
  /** The relays for the database, by the role of the process. */
  relays: Readonly<Record<'api' | 'worker', DatabaseRelay>>;
  exchange: ExchangeControl;
  apis: readonly ServiceProcess[];
  worker: ServiceProcess;
  /** The environment of the program for operators. */
  cliEnv: Readonly<Record<string, string>>;
  /** The headers of a test project. */
  project: Headers;
  private readonly openRelays: DatabaseRelay[] = [];
  private readonly processes: ServiceProcess[] = [];
  private tokens = 0;

  private constructor(
    private readonly dir: string,
    readonly database: DatabaseServer,
  ) {
    process.on('exit', this.erase);
  }

  static async start(options: InstallationOptions): Promise<Installation> {
    const dir = mkdtempSync(path.join(tmpdir(), 'causeway-prove-'));
    // When this program runs as root, PostgreSQL runs under another account, which must be able to enter the folder.
    chmodSync(dir, 0o755);
    const port = POSTGRES_PORT + options.lane * POSTGRES_PORTS_EACH;
    const installation = new Installation(dir, await DatabaseServer.start(path.join(dir, 'postgres'), port));
    try {
      await installation.launch(options);
      return installation;
    } catch (error) {
      await installation.close();
      throw error;
    }
  }

  private async launch({ apis, mutant, settings }: InstallationOptions): Promise<void> {
    const { database } = this;
    this.relays = { api: await this.openRelay(), worker: await this.openRelay() };
    const sandboxEnv = { SANDBOX_PORT: '0', SANDBOX_SETTLE_MS: String(timing.settleMs) };
    const sandboxUrl = await this.run('sandbox-exchange', 'sandbox', sandboxEnv, null).listening();
    const exchanges = { SANDBOX_URL: sandboxUrl, TICKERS_FROM_SANDBOX: 'true', CATALOGUE_EXCHANGES: 'none' };
    const service = (app: 'api' | 'worker', name: string): ServiceProcess => {
      const DATABASE_URL = database.urlAt(this.relays[app].port, app);
      const env = { ...serviceSettings, ...exchanges, DATABASE_URL, ADMIN_TOKEN, ...settings };
      return this.run(app, name, env, mutant);
    };
    this.cliEnv = { ...serviceSettings, ...exchanges, DATABASE_URL: database.urlAt(database.port, 'cli') };
    this.apis = Array.from({ length: apis }, (_, index) => service('api', `api-${index + 1}`));
    this.worker = service('worker', 'worker');
    this.exchange = new ExchangeControl(sandboxUrl);
    const [address] = await Promise.all(this.services.map((process) => process.listening()));
    this.project = await createProject(address ?? '', ADMIN_TOKEN);
  }

  private async openRelay(): Promise<DatabaseRelay> {
    const relay = await DatabaseRelay.start(() => this.database.port);
    this.openRelays.push(relay);
    return relay;
  }

  private run(
    app: ServiceOptions['app'],
    name: string,
    env: Readonly<Record<string, string>>,
    mutant: ProcessMutant | null,
  ): ServiceProcess {
    const process = new ServiceProcess({ app, name, env, mutant });
    this.processes.push(process);
    process.start();
    return process;
  }

  get services(): readonly ServiceProcess[] {
    return [...this.apis, this.worker];
  }

  /** Returns the path of a file that does not exist yet. */
  token(name: string): string {
    return path.join(this.dir, `token-${name}-${++this.tokens}`);
  }

  /** Resolves when every process of the service is ready. */
  async ready(): Promise<void> {
    await this.database.running;
    await Promise.all(
      this.services.map((process) =>
        until(`${process.name} is ready`, READY_TIMEOUT_MS, async () => {
          const { address } = process;
          return address !== null && (await isReady(address));
        }),
      ),
    );
  }

  async close(): Promise<void> {
    process.off('exit', this.erase);
    const [sandbox, ...services] = this.processes;
    await Promise.all(services.map((process) => process.stop()));
    // The sandbox exchange stops last, because the other processes may still wait for its responses.
    await sandbox?.stop();
    for (const relay of this.openRelays) relay.close();
    await this.database.close();
    this.erase();
  }

  /** Deletes the installation. Also runs when this process ends early, because the database server would outlive it. */
  private readonly erase = (): void => {
    this.database.erase();
    rmSync(this.dir, { recursive: true, force: true });
  };
}

async function isReady(address: string): Promise<boolean> {
  const answer = await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(READY_ANSWER_MS) }).catch(() => null);
  await answer?.arrayBuffer().catch(() => null);
  return answer?.ok ?? false;
}
