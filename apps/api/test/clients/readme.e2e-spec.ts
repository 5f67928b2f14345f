import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TOTP } from 'otpauth';
import { projectRoot } from '#platform/testing';
import { ExchangePerson, Visitor } from '../support/connect-visitor.js';
import { PartnerSandbox, type PartnerWallet } from '../support/partner-sandbox.js';
import { TestApp, type TestProjectWithClient, type TestWallet } from '../support/test-app.js';

const TIMEOUT_MS = 120_000;
const WAIT_MS = 60_000;
const POLL_MS = 50;
const TOTP_STEP_MS = 30_000;

/** Runs the program of the README, as a person does who pastes them, in a folder like that of `npm start`. */
describe('the examples of the README', () => {
  let app: TestApp;
  let project: TestProjectWithClient;
  let partner: PartnerSandbox;
  let wallet: TestWallet;
  let second: PartnerWallet;
  let folder: string;
  let readme: string;

  beforeAll(async () => {
    app = await TestApp.create({ worker: true });
    project = await app.project();
    partner = new PartnerSandbox(app, project);
    wallet = await app.wallet(project);
    second = await partner.wallet({ mode: 'step_by_step', methods: ['GOOGLE', 'EMAIL'], relation: 'AND' });
    readme = await readFile(join(projectRoot, 'README.md'), 'utf8');
    folder = await mkdtemp(join(tmpdir(), 'readme-'));
    await mkdir(join(folder, '.local'));
    await mkdir(join(folder, 'node_modules/@causeway'), { recursive: true });
    await symlink(join(projectRoot, 'clients/typescript'), join(folder, 'node_modules/@causeway/client'));
    const { organizationId: orgId, projectId, apiKey } = project;
    const demo = { baseUrl: app.url, orgId, projectId, apiKey, walletId: wallet.walletId };
    const sandboxWallet = { walletId: second.walletId };
    await writeFile(join(folder, '.local/demo.json'), JSON.stringify({ ...demo, sandboxWallet }));
    const prices = () => app.http.get('/v0/market/kraken/tickers?coins=btc');
    await until('there are prices', WAIT_MS, async () => (await prices()).status === 200);
  }, TIMEOUT_MS);
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
    await app.close();
  });

  /** Starts a program in the folder, and collects its output. */
  function start(program: string, ...parameters: string[]) {
    const child = spawn(program, parameters, { cwd: folder });
    const state = { output: '', errors: '', code: null as number | null };
    child.stdout.on('data', (data: Buffer) => (state.output += data.toString()));
    child.stderr.on('data', (data: Buffer) => (state.errors += data.toString()));
    child.on('close', (code) => (state.code = code ?? -1));
    return { child, state };
  }

  it(
    'work with the client',
    async () => {
      const [, program = ''] = /```js\n(import [\s\S]*?)```/.exec(readme) ?? [];
      await writeFile(join(folder, 'example.mjs'), program);
      const { child, state } = start(process.execPath, 'example.mjs');
      const said = (pattern: RegExp): Promise<void> =>
        until(`${pattern.source} in ${state.output} ${state.errors}`, WAIT_MS, () => {
          app.clock.advance(1_000);
          return pattern.test(state.output) || state.code !== null;
        });
      await said(/open (\S+)/);
      const [, url = ''] = /open (\S+)/.exec(state.output) ?? [];
      const visitor = new Visitor();
      await visitor.get(url);
      const { redirectTo } = await new ExchangePerson(app.sandbox.url).decide(await visitor.leave(url));
      await visitor.get(redirectTo);
      await said(/GOOGLE code: /);
      app.clock.advance(TOTP_STEP_MS);
      const totp = new TOTP({ secret: second.account.totpSecret ?? '' });
      child.stdin.write(`${totp.generate({ timestamp: app.clock.now().getTime() })}\n`);
      await said(/EMAIL code: /);
      child.stdin.write(`${await partner.code(second, 'email')}\n`);
      await said(/verified withdrawal/);
      await until('the program has ended', WAIT_MS, () => state.code !== null);
      expect([state.code, state.errors]).toEqual([0, '']);
      expect(state.output).toMatch(/withdrawal ok [0-9a-f]+\n/);
      expect(state.output).toMatch(/withdrawal 0.01 BTC\n/);
      expect(state.output).toMatch(/connect connected\n/);
      expect(state.output).toMatch(/order (open|filled)\n/);
      expect(state.output).toMatch(/deposit to 0x[0-9a-f]{40}\n/);
      expect(state.output).toMatch(/verified withdrawal ok\n$/);
    },
    TIMEOUT_MS,
  );
});

async function until(what: string, waitMs: number, isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + waitMs;
  while (!(await isTrue())) {
    if (Date.now() > deadline) throw new Error(`not within ${waitMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
