import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import pg from 'pg';
import { createTestDatabase, projectRoot, TcpRelay, type TestDatabase, until } from '#platform/testing';
import { BuiltProcess, processEnv } from '../support/built-process.js';
import { Exposition } from '../support/exposition.js';
import { TestApp } from '../support/test-app.js';

const checkedIn: unknown = JSON.parse(readFileSync(`${projectRoot}/openapi.json`, 'utf8'));
const TIMEOUT_MS = 300_000;
/** Less than SHUTDOWN_TIMEOUT_MS, after which the process exits even when work hangs. */
const SOON_MS = 25_000;
const apps = ['api', 'worker'] as const;

describe('the processes api and worker', () => {
  let database: TestDatabase;
  let env: Record<string, string>;

  beforeAll(async () => {
    database = await createTestDatabase();
    env = processEnv(database.appUrl);
  });
  afterAll(() => database.drop());

  /** Runs the check for both apps at once, because each start takes seconds. */
  const each = (check: (app: (typeof apps)[number]) => Promise<void>): Promise<void[]> => Promise.all(apps.map(check));

  const areReadyAndExitOnSignal = () =>
    each(async (app) => {
      const built = BuiltProcess.start(app, env);
      const address = await built.address();
      const ready = await fetch(`${address}/readyz`);
      expect(ready.status).toBe(200);
      expect(await ready.json()).toMatchObject({ status: 'ready' });
      expect((await fetch(`${address}/livez`)).status).toBe(200);
      if (app === 'api') expect(await (await fetch(`${address}/openapi.json`)).json()).toEqual(checkedIn);
      const metrics = await Exposition.scrape(/http\S+\/metrics/.exec(built.stdout)?.[0] ?? 'nowhere');
      expect(metrics.value('causeway_http_request_seconds_count', { route: '/livez', status: '200' })).toBe(1);
      built.child.kill('SIGTERM');
      expect(await built.exitCode()).toBe(0);
      expect(built.stderr).toBe('');
      // The warning of the test `warnOfOwner`.
      expect(built.stdout).not.toContain('owns the tables');
    });
  it('are ready when they print their address, and exit with 0 on SIGTERM', areReadyAndExitOnSignal, TIMEOUT_MS);

  const openUpgrade = async (port: number): Promise<void> => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined).resume();
    const head = ['GET /v0/ws/oauth2/listen?idem=0193f2a1-7c44-7e1b-9b1a-5d2f6c0a9e77 HTTP/1.1', 'host: api'];
    const upgrade = ['upgrade: websocket', 'connection: upgrade', 'sec-websocket-version: 13'];
    const key = ['sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==', `x-svc-org-id: ${randomUUID()}`, '', ''];
    socket.write([...head, ...upgrade, ...key].join('\r\n'));
    await new Promise((resolve) => socket.once('close', resolve));
  };
  const serveUntilProxiesKnow = () =>
    each(async (app) => {
      const built = BuiltProcess.start(app, { ...env, SHUTDOWN_DELAY_MS: '5000' });
      const address = await built.address();
      const probes = (/http\S+\/metrics/.exec(built.stdout)?.[0] ?? 'nowhere').replace('/metrics', '');
      const route = `${address}/${app === 'api' ? 'openapi.json' : 'livez'}`;
      const statuses = (): Promise<number[]> =>
        Promise.all(
          [`${address}/readyz`, `${probes}/readyz`, `${probes}/livez`, `${address}/v0/tickers`, route].map(
            async (url) => (await fetch(url, { headers: { connection: 'close' } })).status,
          ),
        );
      expect(await statuses()).toEqual([200, 200, 200, 404, 200]);
      built.child.kill('SIGTERM');
      await until('it is not ready', async () => (await statuses())[0] === 503);
      expect(await statuses()).toEqual([503, 503, 200, 404, 200]);
      expect((await fetch(`${address}/v0/tickers`)).headers.get('connection')).toBe('close');
      const opened: Promise<void>[] = [];
      const more = setInterval(() => opened.push(openUpgrade(Number(new URL(address).port))), 1);
      const beganAt = performance.now();
      expect(await built.exitCode()).toBe(0);
      clearInterval(more);
      // The process exits after SHUTDOWN_DELAY_MS. Open connections do not delay the exit until SHUTDOWN_TIMEOUT_MS.
      expect(performance.now() - beganAt).toBeLessThan(SOON_MS);
      await Promise.all(opened);
      expect(opened.length).toBeGreaterThan(30);
      expect(built.stdout).toContain('"stopped"');
    });
  it(
    'report after SIGTERM that they are not ready, serve until SHUTDOWN_DELAY_MS is over, and then close all connections',
    serveUntilProxiesKnow,
    TIMEOUT_MS,
  );

  const endWithoutDatabase = () =>
    each(async (app) => {
      const frozen = new URL(database.appUrl);
      const relay = await TcpRelay.start(Number(frozen.port), frozen.hostname);
      frozen.host = `127.0.0.1:${relay.port}`;
      const built = BuiltProcess.start(app, { ...env, DATABASE_URL: frozen.href });
      const address = await built.address();
      expect((await fetch(`${address}/readyz`)).status).toBe(200);
      relay.freeze();
      expect((await fetch(`${address}/readyz`)).status).toBe(503);
      const beganAt = performance.now();
      built.child.kill('SIGTERM');
      expect(await built.exitCode()).toBe(0);
      expect(performance.now() - beganAt).toBeLessThan(SOON_MS);
      relay.close();
    });
  it('stop soon after SIGTERM when their database does not respond', endWithoutDatabase, TIMEOUT_MS);

  const sayWhenToAskAgain = async () => {
    const outdated = await createTestDatabase();
    const owner = new pg.Client(outdated.ownerUrl);
    await owner.connect();
    await owner.query('delete from migrations');
    await owner.end();
    await each(async (app) => {
      const built = BuiltProcess.start(app, processEnv(outdated.appUrl));
      const ready = await fetch(`${await built.address()}/readyz`);
      expect([ready.status, Number(ready.headers.get('retry-after'))]).toEqual([503, 1]);
      await built.printed(
        /not ready: the database is read-only or lacks migrations: check DATABASE_URL, and run npm run migrate/,
      );
      built.child.kill('SIGTERM');
      await built.exitCode();
    });
    await outdated.drop();
  };
  it(
    'send Retry-After and log the command npm run migrate while their database lacks migrations',
    sayWhenToAskAgain,
    TIMEOUT_MS,
  );

  const warnOfOwner = async () => {
    const { ownerUrl, drop } = await createTestDatabase();
    await each(async (app) => {
      const built = BuiltProcess.start(app, processEnv(ownerUrl));
      await built.address();
      await built.printed(/"level":40.+DATABASE_URL names the role \w+, which owns the tables/);
      built.child.kill('SIGTERM');
      await built.exitCode();
    });
    await drop();
  };
  it('warn when they connect to the database as the owner of its tables', warnOfOwner, TIMEOUT_MS);

  const endWithTheirParent = () =>
    each(async (app) => {
      const built = BuiltProcess.start(app, env);
      await built.address();
      built.child.disconnect();
      expect(await built.exitCode()).toBe(0);
    });
  it('stop when their parent process is gone', endWithTheirParent, TIMEOUT_MS);

  const tellOfBusyPort = async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const port = String((server.address() as AddressInfo).port);
    await each(async (app) => {
      for (const keys of [
        ['PORT', 'WORKER_PORT'],
        ['METRICS_PORT', 'WORKER_METRICS_PORT'],
      ]) {
        const busy = Object.fromEntries(keys.map((key) => [key, port]));
        // Without its warnings: a worker may try to read prices before it learns of the port.
        const built = BuiltProcess.start(app, { ...env, ...busy, LOG_LEVEL: 'error' });
        expect(await built.exitCode()).toBe(1);
        expect(built.stderr).toBe(`${app} cannot start: 127.0.0.1:${port} is in use by another process\n`);
        expect(built.stdout).toBe('');
      }
    });
    server.close();
  };
  it('report in one line that their port is in use, and exit with 1', tellOfBusyPort, TIMEOUT_MS);

  const tellOfHost = async () => {
    const problems = [
      [
        'api',
        'nohost.invalid',
        /^HOST: the name nohost\.invalid cannot be looked up \((ENOTFOUND|EAI_AGAIN)\); use an address .+\n$/,
      ],
      [
        'worker',
        '192.0.2.1',
        /^HOST: this machine has no address 192\.0\.2\.1 \(EADDRNOTAVAIL\); use an address .+\n$/,
      ],
    ] as const;
    for (const [app, HOST, problem] of problems) {
      const built = BuiltProcess.start(app, { ...env, HOST });
      expect(await built.exitCode()).toBe(1);
      const [name = '', reason = ''] = built.stderr.split(' cannot start: ');
      expect(name).toBe(app);
      expect(reason).toMatch(problem);
    }
  };
  it('report in one line that they cannot listen at HOST, and exit with 1', tellOfHost, TIMEOUT_MS);

  const tellOfConfiguration = () =>
    each(async (app) => {
      const settings: Record<string, string>[] = [{ PORT: 'eighty', DATABASE_POOL_MAX: '0' }, {}];
      const [wrong, missing] = settings.map((given) => BuiltProcess.start(app, given));
      expect(await wrong?.exitCode()).toBe(1);
      expect(wrong?.stdout).toBe('');
      const [intro, ...problems] = (wrong?.stderr ?? '').trimEnd().split('\n');
      expect(intro).toBe(`${app} cannot start: Invalid configuration:`);
      expect(problems).toEqual([
        expect.stringMatching(/^ {2}- PORT: ./),
        expect.stringMatching(/^ {2}- DATABASE_POOL_MAX: ./),
      ]);
      expect(await missing?.exitCode()).toBe(1);
      expect(missing?.stderr).toMatch(
        /- DATABASE_URL: is not set\n.*- API_KEY_PEPPER: is not set\n.*- VAULT_KEYS_FILE/,
      );
    });
  it('report all configuration errors at once, without a stack', tellOfConfiguration, TIMEOUT_MS);

  const refuseWrongKey = async () => {
    const storing = await TestApp.create();
    await storing.wallet(await storing.project());
    const VAULT_KEYS = `test:${Buffer.alloc(32, 2).toString('base64')}`;
    await each(async (app) => {
      const built = BuiltProcess.start(app, { ...processEnv(storing.env.DATABASE_URL ?? ''), VAULT_KEYS });
      expect(await built.exitCode()).toBe(1);
      const [problem, ...further] = built.stderr.split('\n');
      expect(problem).toMatch(`${app} cannot start: VAULT_KEYS_FILE or VAULT_KEYS: stored records were encrypted with`);
      expect(further).toEqual(['']);
    });
    await storing.close();
  };
  it(
    'do not start when a vault key has the id of the key that sealed stored records, but other bytes',
    refuseWrongKey,
    TIMEOUT_MS,
  );

  const lackKey = async () => {
    const storing = await TestApp.create();
    await storing.wallet(await storing.project());
    const VAULT_KEYS = `new:${Buffer.alloc(32, 2).toString('base64')}`;
    const other = { ...processEnv(storing.env.DATABASE_URL ?? ''), VAULT_KEYS };
    await each(async (app) => {
      for (const [lost, status] of [
        ['', 503],
        ['test', 200],
      ] as const) {
        const built = BuiltProcess.start(app, { ...other, VAULT_LOST_KEYS: lost });
        const ready = await fetch(`${await built.address()}/readyz`);
        expect(ready.status).toBe(status);
        expect(await ready.json()).toMatchObject({ checks: { database: true, vault: status === 200 } });
        await built.printed(/"keyIds":\["test"\].*the vault lacks keys of stored records/);
        built.child.kill('SIGTERM');
        expect(await built.exitCode()).toBe(0);
      }
    });
    await storing.close();
  };
  it(
    'start, but are not ready, without the key of stored records, unless VAULT_LOST_KEYS names the key',
    lackKey,
    TIMEOUT_MS,
  );

  const checkAsInProduction = () =>
    each(async (app) => {
      const { scripts } = JSON.parse(readFileSync(path.join(projectRoot, 'package.json'), 'utf8')) as {
        scripts: Record<string, string>;
      };
      const PATH = `${path.dirname(process.execPath)}:/usr/bin:/bin`;
      const settings = { ...env, NODE_ENV: undefined, TICKERS_FROM_SANDBOX: 'true', PATH };
      const started = spawn('sh', ['-c', scripts[`start:${app}`] ?? ''], { cwd: projectRoot, env: settings });
      let problems = '';
      started.stderr.on('data', (part: Buffer) => (problems += part.toString()));
      const [code] = (await once(started, 'close')) as [number];
      expect([code, problems]).toEqual([1, expect.stringContaining('TICKERS_FROM_SANDBOX: refused in production')]);
    });
  it('run in production mode when their npm scripts start them without NODE_ENV', checkAsInProduction, TIMEOUT_MS);

  const tellOfDatabase = () =>
    each(async (app) => {
      const built = BuiltProcess.start(app, processEnv('postgres://causeway_api:x@127.0.0.1:9/nowhere'));
      expect(await built.exitCode()).toBe(1);
      const [problem, ...further] = built.stderr.split('\n');
      expect(problem).toMatch(new RegExp(`^${app} cannot start: the database does not answer: .`));
      expect(further).toEqual(['']);
      const lines = built.stdout.trim().split('\n');
      const attempt = { level: 40, because: 'Error: connect ECONNREFUSED 127.0.0.1:9' };
      expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(
        Array.from({ length: 5 }, () => expect.objectContaining(attempt) as unknown),
      );
      expect(built.stdout).not.toContain('stack');
    });
  it('report after five attempts that the database does not respond, and exit with 1', tellOfDatabase, TIMEOUT_MS);
});
