import { setTimeout as sleep } from 'node:timers/promises';
import { compared, megabytes, millis, perSecond, type Row } from '../report.js';
import type { BenchProcess, Usage } from '../environment/bench-process.js';
import { CcxtProcess, type CcxtCost } from '../environment/ccxt-process.js';
import { connectWallets } from '../environment/connect-wallets.js';
import type { BenchEnvironment } from '../environment/environment.js';
import { median } from '../stats.js';

const WORKERS = 2;
const LATENCY_MS = 100;
const POLL_MS = 250;
const SETTLE_MS = 3_000;

export interface SyncOptions {
  wallets: number;
  /** Wallets that each worker process syncs in parallel. */
  concurrency: number;
  /** Number of times that every wallet is synced. */
  rounds: number;
  /** The store of the queues, for the report: PostgreSQL or Redis. */
  queues: string;
}

interface Pass {
  walletsPerSecond: number;
  cpuMsPerWallet: number;
  /** Memory of the largest worker. */
  rssMb: number;
}

/**
 * Makes every wallet due at once, and measures speed, CPU time and memory of two workers. The exchange takes 100 ms for
 * each balance call.
 */
export async function benchWalletSync(
  environment: BenchEnvironment,
  api: BenchProcess,
  options: SyncOptions,
): Promise<Row[]> {
  const project = await environment.createProject(api);
  const wallets = await connectWallets(environment, api, project, options.wallets);
  // Without this line, the workers would also read the histories of the wallets.
  await environment.putOffSyncs();
  await environment.delayCalls('BalanceEx', LATENCY_MS);
  const workers = await Promise.all(Array.from({ length: WORKERS }, () => startWorker(environment, options)));
  await sleep(SETTLE_MS);
  const passes: Pass[] = [];
  const costs: CcxtCost[] = [];
  const sandboxUrl = environment.sandbox.baseUrl;
  const order = { sandboxUrl, wallets, step: 'balance', concurrency: options.concurrency * WORKERS } as const;
  const ccxt = new CcxtProcess();
  for (let round = 0; round < options.rounds; round++) {
    costs.push(await ccxt.run(order));
    passes.push(await pass(environment, workers, wallets.length));
  }
  await ccxt.stop();
  await Promise.all(workers.map((worker) => environment.stop(worker)));
  await environment.endDelays();
  return rowsOf(options, passes, costs);
}

function startWorker(environment: BenchEnvironment, { concurrency, wallets }: SyncOptions): Promise<BenchProcess> {
  const settings = {
    WALLET_SYNC_CONCURRENCY: String(concurrency),
    WALLET_SYNC_SECONDS: '86400',
    WALLET_SYNC_PER_SECOND: '100000',
  };
  // The batches are large, so that both workers stay busy until the next sweep.
  const batch = Math.min(10_000, Math.max(500, Math.ceil(wallets / 4)));
  return environment.startService('worker', settings, { WALLET_SYNC_BATCH: batch });
}

async function pass(environment: BenchEnvironment, workers: BenchProcess[], count: number): Promise<Pass> {
  const before = await usageOf(workers);
  const { rows } = await environment.db.query<{ now: Date }>(`select now()`);
  const began = rows[0]?.now;
  await environment.db.query(`update wallets set next_sync_at = now()`);
  const synced = async (): Promise<number> => {
    const counted = await environment.db.query<{ count: number }>(
      `select count(*)::int as count from wallets where last_sync_at >= $1`,
      [began],
    );
    return counted.rows[0]?.count ?? 0;
  };
  while ((await synced()) < count) await sleep(POLL_MS);
  const after = await usageOf(workers);
  const cpuSeconds = sum(after.map(cpuOf)) - sum(before.map(cpuOf));
  return {
    walletsPerSecond: await rateSince(environment, began),
    cpuMsPerWallet: (cpuSeconds * 1_000) / count,
    rssMb: Math.max(...after.map(({ rssMb }) => rssMb)),
  };
}

/**
 * Returns wallets per second. Excludes the first and last tenth of the wallets, because not all job slots are busy
 * then.
 */
async function rateSince(environment: BenchEnvironment, began: Date | undefined): Promise<number> {
  const { rows } = await environment.db.query<{ rate: number }>(
    `select 0.8 * count(*) / extract(epoch from percentile_disc(0.9) within group (order by last_sync_at)
                                        - percentile_disc(0.1) within group (order by last_sync_at))::float8 as rate
       from wallets where last_sync_at >= $1`,
    [began],
  );
  return rows[0]?.rate ?? NaN;
}

function rowsOf({ wallets, concurrency, queues }: SyncOptions, passes: Pass[], costs: CcxtCost[]): Row[] {
  const what = `${wallets} wallets, ${WORKERS} × ${concurrency} at once, queues in ${queues}`;
  const rate = median(passes.map((each) => each.walletsPerSecond));
  const ideal = (WORKERS * concurrency * 1_000) / LATENCY_MS;
  const cpu = median(passes.map((each) => each.cpuMsPerWallet));
  const bareRate = median(costs.map((each) => each.walletsPerSecond));
  const bareCpu = median(costs.map((each) => each.cpuMsPerWallet));
  const [first = NaN, last = NaN] = [passes.at(0)?.rssMb, passes.at(-1)?.rssMb];
  return [
    compared(`${what}: refreshed`, perSecond, [rate, ideal], '÷ latency'),
    compared('  the same, beside ccxt alone with as many in parallel', perSecond, [rate, bareRate], 'ccxt'),
    compared('  CPU of the workers for each wallet', millis, [cpu, bareCpu], 'ccxt'),
    compared(`  memory of a worker after ${passes.length} rounds`, megabytes, [last, first], 'after one'),
  ];
}

const usageOf = (workers: BenchProcess[]): Promise<Usage[]> => Promise.all(workers.map((worker) => worker.usage()));
const cpuOf = ({ cpuSeconds }: Usage): number => cpuSeconds;
const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);
