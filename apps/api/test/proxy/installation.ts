import { freePort, RedisServer, TcpRelay, until } from '#platform/testing';
import { BuiltProcess } from '../support/built-process.js';
import { Exposition } from '../support/exposition.js';
import { TestApp, type TestProjectWithClient, type TestWallet } from '../support/test-app.js';
import { NginxServer } from './nginx-server.js';
import { SteadyLoad } from './steady-load.js';

/** Number of requests between two restarts or faults, so that each happens under load. */
const REQUESTS_BETWEEN = 20;
/** Number of wallets. With so many, the load never executes two withdrawals of one account at the same time. */
const WALLETS = 13;

/** A process that restarts on the same ports. */
interface Member {
  app: 'api' | 'worker';
  env: Record<string, string>;
  process: BuiltProcess;
  metricsUrl: string;
}

/** Stops a part of the installation. */
type Stop = () => unknown;

/** Two APIs and two workers behind nginx, with Redis, and a relay in front of PostgreSQL. */
export class Installation {
  load!: SteadyLoad;
  private wallets: TestWallet[] = [];

  private constructor(
    private readonly bench: TestApp,
    private readonly project: TestProjectWithClient,
    readonly redis: RedisServer,
    /** The relay between the four processes and PostgreSQL. */
    readonly database: TcpRelay,
    readonly members: readonly Member[],
    private readonly nginx: NginxServer,
    private readonly stops: readonly Stop[],
  ) {}

  /** Starts all parts. When one fails, stops those that have started, because they would keep Jest alive. */
  static async start(): Promise<Installation> {
    const stops: Stop[] = [];
    try {
      return await Installation.startParts(stops);
    } catch (error) {
      await stopAll(stops);
      throw error;
    }
  }

  /** @param stops gets the function that stops each part as soon as there is something to stop */
  private static async startParts(stops: Stop[]): Promise<Installation> {
    const redis = await RedisServer.start();
    stops.push(() => redis.kill());
    const bench = await TestApp.create({
      env: {
        REDIS_URL: redis.url,
        TRUST_PROXY: 'true',
        SHUTDOWN_DELAY_MS: '3000',
        EXCHANGE_TIMEOUT_MS: '10000',
        EXCHANGE_SUBMIT_TIMEOUT_MS: '5000',
      },
      overrides: {
        METRICS_KEEP_MS: 0,
        WITHDRAWAL_LEASE_MS: 6_000,
        WITHDRAWAL_SWEEP_MS: 500,
        // The time after which a withdrawal counts as absent; the default takes minutes.
        WITHDRAWAL_ABSENCE_MS: 8_000,
        WITHDRAWAL_CLEAN_LISTING_GAP_MS: 500,
        WITHDRAWAL_CLOCK_SKEW_MS: 1_000,
      },
    });
    stops.push(() => bench.close());
    const project = await bench.project();
    const databaseUrl = new URL(bench.env.DATABASE_URL ?? '');
    const database = await TcpRelay.start(Number(databaseUrl.port), databaseUrl.hostname);
    stops.push(() => database.close());
    databaseUrl.host = `127.0.0.1:${database.port}`;
    const env = { ...bench.env, DATABASE_URL: databaseUrl.href };
    const [one, other] = [await freePort(), await freePort()];
    const members: Member[] = [];
    stops.push(() => Promise.all(members.map(kill)));
    members.push(await spawnMember('api', one, env), await spawnMember('api', other, env));
    for (let count = 0; count < 2; count++) members.push(await spawnMember('worker', await freePort(), env));
    await Promise.all(members.map(({ process }) => process.address()));
    const nginx = await NginxServer.start([one, other]);
    stops.push(() => nginx.stop());
    return new Installation(bench, project, redis, database, members, nginx, stops);
  }

  get url(): string {
    return this.nginx.url;
  }

  /** Headers of a request with an API key. */
  get headers(): Record<string, string> {
    return this.project.headers;
  }

  membersOf(app: Member['app']): readonly Member[] {
    return this.members.filter((member) => member.app === app);
  }

  /** Connects new wallets, and begins to send requests for them. */
  async startLoad(): Promise<void> {
    this.wallets = [];
    while (this.wallets.length < WALLETS) this.wallets.push(await this.bench.wallet(this.project));
    this.load = new SteadyLoad({ url: this.url, headers: this.headers, wallets: this.wallets });
    this.load.start();
  }

  moreRequests(): Promise<void> {
    const enough = this.load.sent + REQUESTS_BETWEEN;
    return until('requests are sent', () => this.load.sent >= enough);
  }

  /**
   * Waits until every execution is settled. Checks that the exchange has exactly the withdrawals that ended ok, once
   * each. @returns the number of executions that never reached the exchange
   */
  async countUnpaid(): Promise<number> {
    const { executed } = this.load;
    const paid: number[] = [];
    for (const { wallet, amount, transactionId } of executed) {
      let status = 'pending';
      await until(`the withdrawal of ${amount} is settled`, async () => {
        ({ status } = await wallet.causeway.getTransaction({ transactionId }));
        return status !== 'pending';
      });
      if (status === 'ok') paid.push(Number(amount));
    }
    const ledgers = await Promise.all(this.wallets.map(({ account }) => this.bench.sandbox.withdrawals(account)));
    const amounts = ledgers.flat().map(({ amount }) => Number(amount));
    const upwards = (first: number, second: number): number => first - second;
    expect(amounts.sort(upwards)).toEqual(paid.sort(upwards));
    return executed.length - paid.length;
  }

  stop(): Promise<void> {
    return stopAll(this.stops);
  }
}

/** Stops the parts one after the other, the last one first. */
async function stopAll(stops: readonly Stop[]): Promise<void> {
  for (const stop of stops.toReversed()) await stop();
}

/** Starts an installation for the tests of a file, and passes it to `use`. Each test begins under load. */
export function withInstallation(use: (installation: Installation) => void, timeoutMs: number): void {
  let installation: Installation | undefined;
  let starting: Promise<Installation>;
  beforeAll(async () => {
    starting = Installation.start();
    installation = await starting;
    use(installation);
  }, timeoutMs);
  beforeEach(() => installation?.startLoad(), timeoutMs);
  afterEach(() => installation?.load.stop());
  // When the start has failed, it has already stopped everything.
  afterAll(async () => (await starting.catch(() => null))?.stop(), timeoutMs);
}

export async function startAgain(member: Member): Promise<void> {
  member.process = BuiltProcess.start(member.app, member.env);
  await member.process.address();
}

/** Returns the sum of a metric of the process, or null when the process does not export it. */
export async function metricOf({ metricsUrl }: Member, name: string): Promise<number | null> {
  return (await Exposition.scrape(`${metricsUrl}/metrics`)).value(name);
}

/** Returns the status of a probe on the metrics port. */
export async function probe({ metricsUrl }: Member, path: 'livez' | 'readyz'): Promise<number> {
  return (await fetch(`${metricsUrl}/${path}`)).status;
}

/** Starts a process, and does not wait until it is ready. */
async function spawnMember(app: Member['app'], port: number, common: Record<string, string>): Promise<Member> {
  const metricsPort = String(await freePort());
  const ports = { PORT: String(port), WORKER_PORT: String(port) };
  const env = { ...common, ...ports, METRICS_PORT: metricsPort, WORKER_METRICS_PORT: metricsPort };
  const process = BuiltProcess.start(app, env);
  return { app, env, process, metricsUrl: `http://127.0.0.1:${metricsPort}` };
}

async function kill({ process }: Member): Promise<void> {
  process.child.kill('SIGKILL');
  await process.exitCode();
}
