import { setTimeout as pause } from 'node:timers/promises';
import { freePort, RedisServer } from '#platform/testing';
import { BuiltProcess } from '../support/built-process.js';
import { TestApp, type TestProjectWithClient, type TestWallet } from '../support/test-app.js';
import { transaction } from '../support/withdrawal-client.js';
import { NginxServer } from './nginx-server.js';
import { SteadyLoad } from './steady-load.js';

const TIMEOUT_MS = 180_000;
const POLL_MS = 50;
const SETTLE_MS = 60_000;
/** Number of requests between two restarts or kills, so that each happens under load. */
const REQUESTS_BETWEEN = 20;
/** Enough wallets that no account has two withdrawals at once. */
const WALLETS = 13;

/** A process that restarts on the same port. */
interface Member {
  app: 'api' | 'worker';
  env: Record<string, string>;
  process: BuiltProcess;
}

describe('two APIs and two workers behind nginx, with Redis, under load', () => {
  let bench: TestApp;
  let redis: RedisServer;
  let nginx: NginxServer;
  let members: Member[];
  let project: TestProjectWithClient;
  let wallets: TestWallet[];
  let load: SteadyLoad;

  const startMember = async (app: Member['app'], port: number): Promise<Member> => {
    const ports = { PORT: String(port), WORKER_PORT: String(port) };
    const env = { ...bench.env, ...ports };
    const process = BuiltProcess.start(app, env);
    await process.address();
    return { app, env, process };
  };
  const startAgain = async (member: Member): Promise<void> => {
    member.process = BuiltProcess.start(member.app, member.env);
    await member.process.address();
  };
  const until = async (what: string, isTrue: () => boolean | Promise<boolean>): Promise<void> => {
    const deadline = Date.now() + SETTLE_MS;
    while (!(await isTrue())) {
      if (Date.now() > deadline) throw new Error(`not within ${SETTLE_MS / 1_000} s: ${what}`);
      await pause(POLL_MS);
    }
  };
  const moreRequests = (): Promise<void> => {
    const enough = load.sent + REQUESTS_BETWEEN;
    return until('requests are sent', () => load.sent >= enough);
  };

  beforeAll(async () => {
    redis = await RedisServer.start();
    bench = await TestApp.create({
      env: {
        REDIS_URL: redis.url,
        TRUST_PROXY: 'true',
        METRICS_PORT: '0',
        WORKER_METRICS_PORT: '0',
        SHUTDOWN_DELAY_MS: '3000',
        EXCHANGE_TIMEOUT_MS: '10000',
        EXCHANGE_SUBMIT_TIMEOUT_MS: '5000',
      },
      overrides: {
        WITHDRAWAL_LEASE_MS: 6_000,
        WITHDRAWAL_SWEEP_MS: 500,
        // The time after which a withdrawal counts as absent; the default takes minutes.
        WITHDRAWAL_ABSENCE_MS: 8_000,
        WITHDRAWAL_CLEAN_LISTING_GAP_MS: 500,
        WITHDRAWAL_CLOCK_SKEW_MS: 1_000,
      },
    });
    project = await bench.project();
    const ports = [await freePort(), await freePort()] as const;
    const workerPorts = [await freePort(), await freePort()];
    members = await Promise.all([
      ...ports.map((port) => startMember('api', port)),
      ...workerPorts.map((port) => startMember('worker', port)),
    ]);
    nginx = await NginxServer.start(ports);
  }, TIMEOUT_MS);
  beforeEach(async () => {
    wallets = [];
    while (wallets.length < WALLETS) wallets.push(await bench.wallet(project));
    load = new SteadyLoad({ url: nginx.url, headers: project.headers, wallets });
    load.start();
  }, TIMEOUT_MS);
  afterEach(() => load.stop());
  afterAll(async () => {
    await nginx.stop();
    for (const { process } of members) process.child.kill('SIGKILL');
    await Promise.all(members.map(({ process }) => process.exitCode()));
    await bench.close();
    await redis.kill();
  });

  /**
   * Waits until every execution is settled. Checks that the exchange has exactly the withdrawals that ended ok, once
   * each. @returns the number of executions that never reached the exchange
   */
  const countUnpaid = async (): Promise<number> => {
    const paid: number[] = [];
    for (const { wallet, amount, transactionId } of load.executed) {
      let status = 'pending';
      await until(`the withdrawal of ${amount} is settled`, async () => {
        ({ status } = (await transaction(wallet, transactionId)).body);
        return status !== 'pending';
      });
      if (status === 'ok') paid.push(Number(amount));
    }
    const ledgers = await Promise.all(wallets.map(({ account }) => bench.sandbox.withdrawals(account)));
    const amounts = ledgers.flat().map(({ amount }) => Number(amount));
    const upwards = (one: number, other: number): number => one - other;
    expect(amounts.sort(upwards)).toEqual(paid.sort(upwards));
    return load.executed.length - paid.length;
  };

  const rollingRestart = async () => {
    await moreRequests();
    for (const member of members) {
      member.process.child.kill('SIGTERM');
      expect(await member.process.exitCode()).toBe(0);
      await startAgain(member);
      await moreRequests();
    }
    await load.stop();
    expect(load.failures.map(({ request, problem }) => `${request}: ${problem}`)).toEqual([]);
    expect(load.executed).toHaveLength(load.begun);
    expect(await countUnpaid()).toBe(0);
  };
  it('refuse no request during a rolling restart', rollingRestart, TIMEOUT_MS);

  const kills = async () => {
    await moreRequests();
    for (const member of members) {
      member.process.child.kill('SIGKILL');
      await moreRequests();
      await startAgain(member);
      await moreRequests();
    }
    await load.stop();
    const failed = load.failures.map(({ request, problem }) => `\n  ${request}: ${problem.split('\n')[0]}`);
    process.stdout.write(`four kills: ${failed.length} of ${load.sent} requests failed${failed.join('')}\n`);
    expect(failed.length).toBeLessThan(load.sent / 20);
    await load.repeatUnanswered();
    expect(load.unanswered).toEqual([]);
    // Withdrawals that a killed process had not sent are proven absent and reported as failed.
    expect(await countUnpaid()).toBeLessThan(members.length);
  };
  it('pay nothing twice and lose nothing when each process is killed', kills, TIMEOUT_MS);
});
