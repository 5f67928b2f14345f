/**
 * Runs the built programs as a new user does: `npm start`, the printed withdrawal, the command line, a stop by SIGTERM,
 * and a second start with the kept data. With --with-nest, also starts a second API with the Nest CLI, which compiles
 * everything once more. Writes the numbers of passed and failed checks to the file that its first argument names.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { TOTP } from 'otpauth';
import { WebSocket } from 'ws';

// Each run begins its search for free ports at a different number. Otherwise, a parallel run could take the ports of
// this run while `npm start` is stopped between its two starts.
const PORT = await freePorts(20_000 + (process.pid % 1_000) * 10);
const BASE = `http://127.0.0.1:${PORT}`;
const START_TIMEOUT_MS = 480_000;
/** The compilation takes 20 s alone, and many times as long while tests use all cores. */
const BUILD_TIMEOUT_MS = 600_000;
const STOP_TIMEOUT_MS = 45_000;
const SETTLE_TIMEOUT_MS = 60_000;
/** An environment variable that all descendant processes inherit, including PostgreSQL. */
const RUN_MARKER = `CAUSEWAY_CI_RUN=${randomUUID()}`;

let passed = 0;
let failed = 0;
let running = null;
let demo;
let transactionUrl;

/** Returns the first of eight consecutive ports that are all free, from `first` on. */
async function freePorts(first) {
  const isFree = (port) =>
    new Promise((resolve) => {
      const server = createServer().once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
    });
  for (let port = first; ; port += 10) {
    const free = await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map((offset) => isFree(port + offset)));
    if (free.every(Boolean)) return port;
  }
}

async function check(name, work) {
  try {
    await work();
    passed += 1;
    console.log(`ok   ${name}`);
  } catch (error) {
    failed += 1;
    console.log(`FAIL ${name}: ${error.stack}`);
  }
}

async function until(what, timeoutMs, isTrue) {
  const deadline = Date.now() + timeoutMs;
  while (!(await isTrue())) {
    assert.ok(Date.now() < deadline, `${what}: not within ${timeoutMs / 1_000} s`);
    await sleep(250);
  }
}

async function start() {
  const began = Date.now();
  const [key, value] = RUN_MARKER.split('=');
  running = spawn('npm', ['start'], {
    env: { ...process.env, PORT: String(PORT), [key]: value },
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
  });
  await until('npm start', START_TIMEOUT_MS, () => {
    assert.equal(running.exitCode ?? running.signalCode, null, 'npm start has ended');
    // The launcher writes this file last, when everything responds.
    return existsSync('.local/demo.json') && statSync('.local/demo.json').mtimeMs >= began;
  });
  demo = JSON.parse(readFileSync('.local/demo.json', 'utf8'));
  assert.equal(demo.baseUrl, BASE);
  for (const url of [
    `${BASE}/readyz`,
    demo.docsUrl,
    `http://127.0.0.1:${PORT + 1}/readyz`,
    `http://127.0.0.1:${PORT + 4}/metrics`,
  ]) {
    assert.equal((await fetch(url)).status, 200, url);
  }
}

/**
 * The pid, settings and command line of all running processes that have RUN_MARKER in their environment: those that a
 * start of this run has begun, anywhere in the process tree. A process that ends while we read is left out.
 */
function descendants() {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const [settings, words] = ['environ', 'cmdline'].map((file) =>
          readFileSync(`/proc/${pid}/${file}`, 'utf8').split('\0'),
        );
        return settings.includes(RUN_MARKER) ? [{ pid: Number(pid), settings, commandLine: words.join(' ') }] : [];
      } catch {
        return [];
      }
    });
}

async function stop(target, signal) {
  process.kill(target, signal);
  await until('every process has ended', STOP_TIMEOUT_MS, () => descendants().length === 0).catch((error) => {
    const left = descendants().map(({ commandLine }) => commandLine);
    throw new Error(`${error.message}\n${left.join('\n')}`);
  });
}

async function request(method, url, body, walletId = demo.walletId) {
  return fetch(url, {
    method,
    headers: {
      'x-svc-org-id': demo.orgId,
      'x-svc-project-id': demo.projectId,
      'x-svc-api-key': demo.apiKey,
      'x-svc-wallet-id': walletId,
      ...(body && { 'content-type': 'application/json' }),
    },
    body: body && JSON.stringify(body),
  });
}

async function call(method, url, body, walletId) {
  const response = await request(method, url, body, walletId);
  const text = await response.text();
  assert.ok(response.ok, `${method} ${url} answered ${response.status}: ${text}`);
  return JSON.parse(text);
}

async function withdraw() {
  const root = `${BASE}/v0/wallet/withdraw`;
  assert.match(JSON.stringify(await call('GET', `${root}/balance`)), /"BTC"/);
  const address = demo.addresses.BTC.bitcoin;
  const quote = await call('POST', `${root}/quote`, { asset: 'BTC', network: 'bitcoin', amount: '0.01', address });
  const { result } = await call('PUT', `${root}/${quote.id}/execute`, {});
  transactionUrl = `${BASE}/v0/wallet/transaction/${result.transactionId}`;
  await until(
    'the transaction is ok',
    SETTLE_TIMEOUT_MS,
    async () => (await call('GET', transactionUrl)).status === 'ok',
  );
}

/**
 * Withdraws from the second wallet as a person does: with the code on the page of the sandbox exchange, and a code from
 * an authenticator.
 */
async function withdrawVerified() {
  const { walletId, addresses, totpSecret, inboxUrl } = demo.sandboxWallet;
  const root = `${BASE}/v0/wallet/withdraw`;
  const order = { asset: 'BTC', network: 'bitcoin', amount: '0.01', address: addresses.BTC.bitcoin };
  const { id } = await call('POST', `${root}/quote`, order, walletId);
  const execute = `${root}/${id}/execute`;
  const { type, result } = await (await request('PUT', execute, {}, walletId)).json();
  assert.equal(type, 'WITHDRAWAL_2FA_REQUIRED_MULTI_STEPS');
  const page = await (await fetch(inboxUrl)).text();
  const emailCode = /Email to [^<]*<\/span><span class="code">(\d{6})</.exec(page)?.[1];
  assert.ok(emailCode, 'the page shows the code of the email');
  const codes = { bizNo: result.bizNo, emailCode, twofa: new TOTP({ secret: totpSecret }).generate() };
  const paid = await call('PUT', execute, codes, walletId);
  await until('the transaction is ok', SETTLE_TIMEOUT_MS, async () => {
    const transaction = await call('GET', `${BASE}/v0/wallet/transaction/${paid.result.transactionId}`);
    return transaction.status === 'ok';
  });
}

/**
 * Connects an account as its owner does: opens the link, submits the form of the page, allows the access at the
 * exchange, and follows the redirect to the callback. A WebSocket receives the result.
 */
async function connectOwn() {
  const { walletId } = demo.ownWallet;
  const idem = randomUUID();
  const { url } = await call('GET', `${BASE}/v0/oauth2/kraken/url?idem=${idem}`, undefined, walletId);
  const socket = new WebSocket(`${BASE.replace('http', 'ws')}/v0/ws/oauth2/listen?idem=${idem}&orgId=${demo.orgId}`);
  const message = new Promise((resolve, reject) => {
    socket.once('message', (data) => resolve(JSON.parse(String(data))));
    socket.once('error', reject);
    setTimeout(() => reject(new Error('the socket received no message')), SETTLE_TIMEOUT_MS).unref();
  });
  assert.match(await (await fetch(url)).text(), /<button/);
  const leaving = await fetch(`${url}/oauth`, { method: 'POST', headers: { origin: BASE } });
  const cookie = leaving.headers.get('set-cookie').split(';')[0];
  const link = /href="([^"]*\/oauth\/authorize[^"]*)"/.exec(await leaving.text())[1].replaceAll('&amp;', '&');
  const consent = { method: 'POST', headers: { 'content-type': 'application/json' } };
  const body = JSON.stringify({ url: link, decision: 'allow' });
  const allowed = await fetch(`${demo.sandboxUrl}/control/oauth/authorize`, { ...consent, body });
  const { redirectTo } = await allowed.json();
  const back = await fetch(redirectTo, { redirect: 'manual', headers: { cookie, accept: 'text/html' } });
  assert.equal(back.status, 303);
  const { success, exchange } = (await message).body;
  socket.close();
  assert.deepEqual({ success, exchange }, { success: true, exchange: 'kraken' });
  assert.match(JSON.stringify(await call('GET', `${BASE}/v0/wallet/withdraw/balance`, undefined, walletId)), /"BTC"/);
}

/** Checks the worker's background reads: the prices of four exchanges, and the history of the demo account. */
async function followsTheExchange() {
  for (const exchange of ['kraken', 'coinbase', 'bitstamp', 'gemini']) {
    const url = `${BASE}/v0/market/${exchange}/tickers?coins=btc`;
    await until(`prices of ${exchange}`, SETTLE_TIMEOUT_MS, async () => (await fetch(url)).ok);
    assert.ok((await (await fetch(url)).json()).prices.BTC > 0, url);
  }
  await until('the history is complete', SETTLE_TIMEOUT_MS, async () => {
    const { syncProgress } = await call('GET', `${BASE}/v0/wallet`);
    return syncProgress?.state === 'complete';
  });
  const { transactions } = await call('GET', `${BASE}/v0/wallet/transactions?walletId=${demo.walletId}&type=deposit`);
  assert.ok(transactions.length > 0, 'the demo account has deposits');
}

/** Checks that the API and the worker publish metrics, and that `/queues` is refused without the token. */
async function canBeWatched() {
  for (const [port, metric] of [
    [PORT + 4, 'causeway_http_request_seconds'],
    [PORT + 5, 'causeway_ticker_age_seconds'],
  ]) {
    const response = await fetch(`http://127.0.0.1:${port}/metrics`);
    assert.equal(response.status, 200);
    assert.match(await response.text(), new RegExp(`^${metric}`, 'm'));
  }
  assert.equal((await fetch(`http://127.0.0.1:${PORT + 1}/queues`)).status, 401);
}

/** Builds and starts a second API with the Nest CLI and the settings of the first one, and stops it with Ctrl-C. */
async function startWithNest() {
  rmSync('dist/apps/api/src/main.js');
  const apis = () => descendants().filter(({ commandLine }) => commandLine.includes('dist/apps/api/src/main'));
  const [{ settings }, ...others] = apis();
  assert.equal(others.length, 0);
  const env = Object.fromEntries(settings.map((setting) => setting.split(/=(.*)/s)).filter(([name]) => name !== ''));
  const nest = spawn('node_modules/.bin/nest', ['start', 'api'], {
    env: { ...env, PORT: String(PORT + 6), METRICS_PORT: String(PORT + 7) },
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
  });
  try {
    await until('nest start api', BUILD_TIMEOUT_MS, async () => {
      assert.equal(nest.exitCode ?? nest.signalCode, null, 'nest start api has ended');
      return (await fetch(`http://127.0.0.1:${PORT + 6}/readyz`).catch(() => null))?.ok ?? false;
    });
  } finally {
    process.kill(-nest.pid, 'SIGINT');
  }
  await until('the second API has ended', STOP_TIMEOUT_MS, () => apis().length === 1);
}

console.log(`on Node ${process.version}`);
await check('npm start: everything responds', start);
await check('prices and the history are read in the background', followsTheExchange);
await check('metrics are public and the queues need the token', canBeWatched);
await check('a withdrawal is quoted, executed and settles', withdraw);
await check('a withdrawal is verified with two codes, executed and settles', withdrawVerified);
await check('an account is connected by its owner, and a socket receives the result', connectOwn);
if (process.argv.includes('--with-nest')) await check('nest start api runs a second API', startWithNest);
await check('SIGTERM to npm start ends every process', () => stop(running.pid, 'SIGTERM'));

const firstKey = demo?.apiKey;
await check('npm start again with the kept data: everything responds', start);
await check('the API key and the transaction of the first start are still there', async () => {
  assert.equal(demo.apiKey, firstKey);
  assert.equal((await call('GET', transactionUrl)).status, 'ok');
});
await check('Ctrl-C ends every process', () => stop(-running.pid, 'SIGINT'));

await check('the command line prints its help', () => {
  const { status, stdout } = spawnSync('node', ['dist/apps/cli/src/main.js', '--help'], { encoding: 'utf8' });
  assert.equal(status, 0);
  for (const command of ['orgs', 'projects', 'keys', 'wallets', 'withdrawals', 'audit'])
    assert.ok(stdout.includes(command), command);
});

// A failed check can leave processes running.
for (const { pid } of descendants()) process.kill(pid, 'SIGKILL');
writeFileSync(process.argv[2], `${passed} ${failed}\n`);
process.exit(failed === 0 ? 0 : 1);
