import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TOTP } from 'otpauth';
import { freePort, projectRoot, until } from '#platform/testing';
import { ExchangePerson, PageBrowser } from '../support/page-browser.js';
import { PartnerSandbox, type PartnerWallet } from '../support/partner-sandbox.js';
import { TestApp, type TestProjectWithClient, type TestWallet } from '../support/test-app.js';

const TIMEOUT_MS = 300_000;
const WAIT_MS = 60_000;
const TOTP_STEP_MS = 30_000;

/** Implements the part of curl that the README uses, because a machine for tests need not have curl. */
const CURL = `
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
const text = (short) => ({ type: 'string', short });
const options = { config: text('K'), data: text('d'), request: text('X'), 'write-out': text('w') };
const { values, positionals: [url] } = parseArgs({ options, allowPositionals: true });
const config = values.config === undefined ? '' : readFileSync(values.config, 'utf8');
const headers = [...config.matchAll(/header = "(.+?): (.*)"/g)].map(([, name, value]) => [name, value]);
const method = values.request ?? (values.data === undefined ? 'GET' : 'POST');
console.log(await (await fetch(url, { method, headers, body: values.data })).text());
`;

/**
 * Runs the commands and the program of the README, as a person who pastes them, in a folder like that of `npm start`.
 */
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
    await writeFile(join(folder, 'curl.mjs'), CURL);
    const wallets = { demo: wallet.walletId, 'demo-sandbox': second.walletId, 'my-wallet': 'pasted-wallet' };
    for (const [name, walletId] of Object.entries(wallets)) {
      const headers = { ...project.headers, 'x-svc-wallet-id': walletId, 'content-type': 'application/json' };
      const lines = Object.entries(headers).map(([header, value]) => `header = "${header}: ${value}"`);
      await writeFile(join(folder, `.local/${name}.curlrc`), lines.join('\n'));
    }
    const prices = () => app.http.get('/v0/market/kraken/tickers?coins=btc');
    await until('there are prices', async () => (await prices()).status === 200, WAIT_MS);
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

  /** Allows the access at the sandbox exchange, as the owner of an account. */
  async function allowAccess(url: string): Promise<void> {
    const browser = new PageBrowser();
    await browser.get(url);
    const { redirectTo } = await new ExchangePerson(app.sandbox.url).decide(await browser.leave(url));
    await browser.get(redirectTo);
  }

  /** Returns a code of the second wallet's authenticator that was not used before. */
  function nextTotp(): string {
    app.clock.advance(TOTP_STEP_MS);
    const totp = new TOTP({ secret: second.account.totpSecret ?? '' });
    return totp.generate({ timestamp: app.clock.now().getTime() });
  }

  it(
    'work in a shell',
    async () => {
      // The inner bash writes to a pipe, because `tee /dev/stderr` cannot open the socket that Node gives to a child.
      const { child, state } = start('bash', '-c', 'bash 2>&1 | cat');
      child.stdin.write(`curl() { ${process.execPath} curl.mjs "$@"; }\n`);
      let typed = 0;
      const type = async (commands: string): Promise<string> => {
        const end = `end of block ${(typed += 1)}\n`;
        const before = state.output.length;
        child.stdin.write(`${commands.replaceAll('http://127.0.0.1:8787', app.url)}\necho '${end.trim()}'\n`);
        await until(`${end} in ${state.output}`, () => state.output.includes(end), WAIT_MS);
        return state.output.slice(before, -end.length);
      };
      const blocks = [...readme.matchAll(/```console\n([\s\S]*?)```/g)].map(([, block = '']) =>
        [...block.matchAll(/^\$ ((?:.*\\\n)*.*)$/gm)].map(([, command = '']) => command),
      );
      const [withdraw = [], read = [], link = [], status = [], trade = [], verify = []] = blocks;

      expect(await type(withdraw.join('\n'))).toMatch(/"type":"withdrawal","amount":0.01,"currency":"BTC"/);
      expect(await type(read.join('\n'))).toMatch(/"prices":\{"BTC":\d+,"ETH":\d+\}[^]*"transactions":\[/);
      const [, url = ''] = /"url":"([^"]+)"/.exec(await type(link.join('\n'))) ?? [];
      await allowAccess(url);
      expect(await type(status.join('\n'))).toMatch(/"status":"success"/);
      expect(await type(trade.join('\n'))).toMatch(/"status":"(open|filled)"[^]*"address":"0x[0-9a-f]{40}"/);
      const [, bizNo = ''] = /"bizNo":"([^"]+)"/.exec(await type(verify.slice(0, -1).join('\n'))) ?? [];
      const codes = { bizNo, twofa: nextTotp(), emailCode: await partner.code(second, 'email') };
      const last = verify.at(-1) ?? '';
      expect(await type(last.replace(/\{.*\}/, JSON.stringify(codes)))).toMatch(/"success":true/);
      child.stdin.end();
    },
    TIMEOUT_MS,
  );

  it(
    'work as a program with the TypeScript client',
    async () => {
      const [, program = ''] = /```js\n(import [\s\S]*?)```/.exec(readme) ?? [];
      await writeFile(join(folder, 'example.mjs'), program);
      const { child, state } = start(process.execPath, 'example.mjs');
      const said = (pattern: RegExp): Promise<void> =>
        until(
          `${pattern.source} in ${state.output} ${state.errors}`,
          () => {
            // Small steps, so that prices and quotes do not expire while the program starts on a busy machine.
            app.clock.advance(200);
            if (pattern.test(state.output)) return true;
            if (state.code !== null) throw new Error(`the program has ended: ${state.output} ${state.errors}`);
            return false;
          },
          WAIT_MS,
        );
      await said(/open (\S+)/);
      const [, url = ''] = /open (\S+)/.exec(state.output) ?? [];
      await allowAccess(url);
      await said(/GOOGLE code: /);
      child.stdin.write(`${nextTotp()}\n`);
      await said(/EMAIL code: /);
      child.stdin.write(`${await partner.code(second, 'email')}\n`);
      await said(/verified withdrawal/);
      await until('the program has ended', () => state.code !== null, WAIT_MS);
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

  it(
    'connect an account and read its balance with the server of the client’s README',
    async () => {
      const guide = await readFile(join(projectRoot, 'clients/typescript/README.md'), 'utf8');
      const [, server = ''] = /\*\*3\. Write the server[\s\S]*?```js\n([\s\S]*?)```/.exec(guide) ?? [];
      const port = String(await freePort());
      await writeFile(join(folder, 'server.mjs'), server.replaceAll('3000', port));
      const { child, state } = start('env', 'DEMO_FILE=.local/demo.json', process.execPath, 'server.mjs');
      const url = `http://127.0.0.1:${port}`;
      await until(`${url} in ${state.errors}`, () => state.output.includes(url), WAIT_MS);
      const link = (await (await fetch(`${url}/connect`, { method: 'POST' })).json()) as { url: string };
      await allowAccess(link.url);
      const { balances } = (await (await fetch(`${url}/balance`)).json()) as { balances?: { asset: string }[] };
      expect(balances?.map(({ asset }) => asset)).toContain('BTC');
      child.kill();
    },
    TIMEOUT_MS,
  );

  it(
    'report the exit reason `blocked` when the browser refuses the popup of the page in the client’s README',
    async () => {
      const guide = await readFile(join(projectRoot, 'clients/typescript/README.md'), 'utf8');
      const [, page = ''] = /\/\/ In your page[^\n]*\n([\s\S]*?)```/.exec(guide) ?? [];
      const link = { url: `${app.url}/connect/token`, idem: 'idem', expiresAt: 0 };
      const server = `globalThis.fetch = () => Promise.resolve(Response.json(${JSON.stringify(link)}));\n`;
      await writeFile(join(folder, 'page.mjs'), `${server}${page}\nconsole.log(outcome.status, outcome.reason);`);
      const { state } = start(process.execPath, 'page.mjs');
      await until('the page has ended', () => state.code !== null, WAIT_MS);
      expect([state.output, state.errors]).toEqual(['exit blocked\n', '']);
    },
    TIMEOUT_MS,
  );
});
