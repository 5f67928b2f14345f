import { setTimeout } from 'node:timers/promises';
import type { BenchProcess } from '../environment/bench-process.js';
import { CcxtProcess, type CcxtStep } from '../environment/ccxt-process.js';
import { connectWallets, type ConnectedWallet } from '../environment/connect-wallets.js';
import type { BenchEnvironment, Headers } from '../environment/environment.js';
import { postJson } from '../environment/http.js';
import { inParallel } from '../environment/in-parallel.js';
import { alone, compared, diskRow, millis, type Row } from '../report.js';
import { median, quantile } from '../stats.js';

/** A sample address of the sandbox exchange. */
const ADDRESS = 'bc1q30hd07qtnrr3r8p7nm3ve0n6w83preauur5hs6';
const AMOUNT = '0.001';
const LATENCY_MS = 100;
/**
 * Number of parallel calls while CPU time is measured. It is low, so that other work of the API process adds little to
 * the CPU time of the calls.
 */
const FEW = 4;
/**
 * Maximum number of wallets in a project. Each project has one API key, and the service limits the simultaneous
 * executions with one key.
 */
const OF_PROJECT = 50;
/** Numbers of parallel executions. The duration of an execution is measured for each of these numbers. */
const AT_A_TIME = [1, 5, 10, 20, 40];
/** A measurement with N executions at the same time makes TURNS × N executions, and at least FEWEST. */
const TURNS = 5;
const FEWEST = 20;
/** Statuses of calls that the service refuses because there are too many. */
const REFUSED = [429, 503];
/** The exchange calls of one execution, one after the other, because Kraken's nonces have to rise. */
const CALLS = ['WithdrawAddresses', 'BalanceEx', 'WithdrawStatus', 'Withdraw'];

export interface WithdrawalOptions {
  wallets: number;
  rounds: number;
}

type OwnedWallet = ConnectedWallet & { headers: Headers };

interface Run {
  environment: BenchEnvironment;
  api: BenchProcess;
  wallets: OwnedWallet[];
  ccxt: CcxtProcess;
}

/** The milliseconds of each execution, with its repeats, and the number of refused calls. */
interface Executed {
  took: number[];
  refused: number;
}

interface Cost {
  cpuMs: number;
  took: number[];
}

/**
 * Measures quotes and executions of withdrawals at a simulated Kraken, beside ccxt with the same exchange calls: the
 * CPU time of each call while the exchange responds at once, and the time of each execution while the exchange takes
 * 100 ms.
 */
export async function benchWithdrawals(
  environment: BenchEnvironment,
  api: BenchProcess,
  { wallets: count, rounds }: WithdrawalOptions,
): Promise<Row[]> {
  const wallets = await openWallets(environment, api, count);
  await saveAddresses(environment, wallets);
  const ccxt = new CcxtProcess();
  const run: Run = { environment, api, wallets, ccxt };
  // The first quote of a wallet also reads the list of networks, and opens its session.
  await execute(run, await quote(run, FEW), FEW);
  await byCcxt(run, 'execute', FEW);
  const costs = await costsOf(run, rounds);
  const times = await timesOf(run);
  const disk = await diskOf(run);
  await ccxt.stop();
  return [...costs, ...times, ...disk];
}

async function openWallets(environment: BenchEnvironment, api: BenchProcess, count: number): Promise<OwnedWallet[]> {
  const opened: OwnedWallet[] = [];
  while (opened.length < count) {
    const project = await environment.createProject(api);
    const wallets = await connectWallets(environment, api, project, Math.min(OF_PROJECT, count - opened.length));
    opened.push(
      ...wallets.map((wallet) => ({ ...wallet, headers: { ...project, 'x-svc-wallet-id': wallet.walletId } })),
    );
  }
  return opened;
}

async function costsOf(run: Run, rounds: number): Promise<Row[]> {
  const ours: Record<'quote' | 'execute', number[]> = { quote: [], execute: [] };
  const bare: Record<'quote' | 'execute', number[]> = { quote: [], execute: [] };
  for (let round = 0; round < rounds; round++) {
    const quoted = await measured(run, () => quote(run, FEW));
    ours.quote.push(quoted.cpuMs);
    ours.execute.push((await measured(run, () => execute(run, quoted.result, FEW))).cpuMs);
    for (const step of ['quote', 'execute'] as const) bare[step].push((await byCcxt(run, step, FEW)).cpuMs);
  }
  return (['quote', 'execute'] as const).map((step) => {
    const label = `ccxt with ${step === 'quote' ? 3 : CALLS.length} exchange calls`;
    const figures = [median(ours[step]), median(bare[step])] as const;
    const row = compared(`${step}: CPU of the API for each call`, millis, figures, label);
    return { ...row, ours: `${row.ours} (${millis(Math.min(...ours[step]))}–${millis(Math.max(...ours[step]))})` };
  });
}

async function timesOf(run: Run): Promise<Row[]> {
  const all = run.wallets.length;
  const rows: Row[] = [];
  for (const concurrency of [...AT_A_TIME.filter((each) => each < all), all]) {
    const wallets = run.wallets.slice(0, Math.max(FEWEST, concurrency * TURNS));
    const { took, refused, bare } = await timed({ ...run, wallets }, concurrency);
    const what = concurrency === all ? `all ${all} at once` : `${concurrency} at a time`;
    rows.push(...timeRows(`execute, ${what}`, took, bare));
    rows.push(alone('  refused as too many, and sent again', String(refused)));
  }
  return rows;
}

/** Executes one quote of each wallet while the exchange takes LATENCY_MS for each call. */
async function timed(run: Run, concurrency: number): Promise<Executed & { bare: number[] }> {
  const quotes = await quote(run, FEW);
  for (const endpoint of CALLS) await run.environment.delayCalls(endpoint, LATENCY_MS);
  const executed = await execute(run, quotes, concurrency);
  const { took: bare } = await byCcxt(run, 'execute', concurrency);
  await run.environment.endDelays();
  return { ...executed, bare };
}

async function diskOf(run: Run): Promise<Row[]> {
  const { environment, wallets } = run;
  const before = await environment.tableBytes();
  const quotes = await quote(run, FEW);
  const quoted = await environment.tableBytes();
  await execute(run, quotes, FEW);
  const executed = await environment.tableBytes();
  return [
    diskRow('quote', (quoted - before) / wallets.length),
    diskRow('withdrawal, beside its quote', (executed - quoted) / wallets.length),
  ];
}

function timeRows(what: string, took: number[], bare: number[]): Row[] {
  const calls = CALLS.length * LATENCY_MS;
  const [middle, most] = [quantile(took, 0.5), quantile(took, 0.99)];
  return [
    compared(`${what}: median`, millis, [middle, calls], 'exchange calls'),
    compared('  p99', millis, [most, calls], 'exchange calls'),
    compared('  p99 beside ccxt alone with as many in parallel', millis, [most, quantile(bare, 0.99)], 'ccxt'),
  ];
}

/** Saves the destination in the address book of every account: Kraken pays to no other address. */
async function saveAddresses({ sandbox }: BenchEnvironment, wallets: ConnectedWallet[]): Promise<void> {
  const saved = { asset: 'BTC', method: 'Bitcoin', address: ADDRESS, key: ADDRESS };
  for (const { accountId } of wallets) {
    await postJson(`${sandbox.baseUrl}/control/accounts/${accountId}/withdrawal-addresses`, saved);
  }
}

/** @returns the id of the new quote of each wallet, by its API key at the exchange. */
async function quote(run: Run, concurrency: number): Promise<Map<string, string>> {
  const quotes = new Map<string, string>();
  const request = { asset: 'BTC', network: 'bitcoin', address: ADDRESS, amount: AMOUNT };
  await inParallel(run.wallets, concurrency, async ({ apiKey, headers }) => {
    const { id } = await postJson<{ id: string }>(`${run.api.baseUrl}/v0/wallet/withdraw/quote`, request, headers);
    quotes.set(apiKey, id);
  });
  return quotes;
}

/** Executes a quote of each wallet. A client repeats a call that the service refuses with status 429 or 503. */
async function execute(run: Run, quotes: Map<string, string>, concurrency: number): Promise<Executed> {
  const took: number[] = [];
  let refused = 0;
  await inParallel(run.wallets, concurrency, async ({ apiKey, headers }) => {
    const began = performance.now();
    const url = `${run.api.baseUrl}/v0/wallet/withdraw/${quotes.get(apiKey)}/execute`;
    for (;;) {
      const response = await fetch(url, { method: 'PUT', headers });
      const text = await response.text();
      const pauseSeconds = response.headers.get('retry-after');
      if (response.ok) break;
      if (!REFUSED.includes(response.status) || pauseSeconds === null) {
        throw new Error(`${url}: ${response.status} ${text}`);
      }
      refused += 1;
      await setTimeout(Number(pauseSeconds) * 1_000);
    }
    took.push(performance.now() - began);
  });
  return { took, refused };
}

async function measured<T>({ api, wallets }: Run, work: () => Promise<T>): Promise<{ result: T; cpuMs: number }> {
  const before = await api.usage();
  const result = await work();
  const after = await api.usage();
  return { result, cpuMs: ((after.cpuSeconds - before.cpuSeconds) * 1_000) / wallets.length };
}

async function byCcxt({ environment, wallets, ccxt }: Run, step: CcxtStep, concurrency: number): Promise<Cost> {
  const sandboxUrl = environment.sandbox.baseUrl;
  const destination = { address: ADDRESS, amount: AMOUNT };
  const { cpuMsPerWallet, took } = await ccxt.run({ sandboxUrl, wallets, step, destination, concurrency });
  return { cpuMs: cpuMsPerWallet, took };
}
