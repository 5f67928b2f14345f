import { loadavg } from 'node:os';
import { Command, InvalidArgumentError, Option } from 'commander';
import { benchCatalogue } from './cases/catalogue.js';
import { benchHistorySync } from './cases/history-sync.js';
import { benchKeyedReads } from './cases/keyed-reads.js';
import { benchListTransactions } from './cases/list-transactions.js';
import { benchOverload } from './cases/overload.js';
import { benchPublicReads } from './cases/public-reads.js';
import { benchStart } from './cases/start.js';
import { benchWalletSync } from './cases/wallet-sync.js';
import { benchWithdrawals } from './cases/withdrawals.js';
import { writeFigures } from './figures.js';
import { machine, table, type Row } from './report.js';
import type { BenchProcess } from './environment/bench-process.js';
import { BenchEnvironment } from './environment/environment.js';
import { describeCommit } from './environment/other-build.js';

const cases = [
  'public-reads',
  'catalogue',
  'keyed-reads',
  'list-transactions',
  'wallet-sync',
  'history-sync',
  'withdrawals',
  'start',
  'overload',
] as const;
type Case = (typeof cases)[number];

interface Options {
  only: Case[];
  rounds: number;
  seconds: number;
  wallets: number;
  concurrency: number;
  transactions: number[];
  records: number;
  redis: boolean;
  profile?: string;
  against?: string;
  write: boolean;
}

/** Time between two lines about the progress of a case. */
const PROGRESS_MS = 10_000;

const log = (line: string): void => void process.stdout.write(`${line}\n`);

function count(text: string): number {
  if (!/^[1-9][0-9]{0,8}$/.test(text)) throw new InvalidArgumentError('Use a whole number from 1 to 999999999.');
  return Number(text);
}

const counts = (text: string): number[] => text.split(',').map(count);

/** Measures the speed and the cost of the service and, in the same run, of the bare libraries that it uses. */
const program = new Command('bench')
  .description('Measures the service beside the bare libraries that it uses.')
  .addOption(new Option('--only <cases...>', 'measure only these cases (default: all)').choices(cases).default(cases))
  .option('--rounds <count>', 'number of rounds of each measurement; the table shows medians', count, 5)
  .option('--seconds <count>', 'length of a round under load, in seconds', count, 4)
  .option('--wallets <count>', 'number of wallets that are refreshed, or that withdraw (at most 10000)', count, 300)
  .option('--concurrency <count>', 'number of wallets that each of two workers refreshes at the same time', count, 5)
  .option('--transactions <counts>', 'number of transactions in each listed project', counts, [1_000, 100_000])
  .option(
    '--records <count>',
    'number of deposits and withdrawals in the account whose history is synced',
    count,
    10_000,
  )
  .option('--redis', 'keep the queues in Redis instead of PostgreSQL; redis-server must be installed', false)
  .option('--profile <folder>', 'write a CPU profile of each process to this folder')
  .option('--against <revision>', 'also measure the API of another commit in the same run (public-reads, keyed-reads)')
  .option('--write', 'write tables and plots to docs/performance.md and docs/bench', false)
  .action(bench);

async function bench(options: Options): Promise<void> {
  log(`${machine()}`);
  log(`PostgreSQL 18 on this machine, synchronous_commit off; medians of ${options.rounds} rounds`);
  const { redis, profile: profileDir = null, against = null } = options;
  log('starting PostgreSQL and the sandbox exchange …');
  const environment = await BenchEnvironment.start({ redis, profileDir, against });
  try {
    const rows: Row[] = [];
    for (const [index, name] of options.only.entries()) {
      const api = await environment.startService('api');
      const title = `${index + 1} of ${options.only.length}: ${name}`;
      const measured = await withProgress(title, () => measure(name, environment, api, options));
      // The figures of queues in Redis are kept apart from those of queues in PostgreSQL.
      const section = name === 'wallet-sync' && redis ? `${name}-redis` : name;
      if (options.write) writeFigures({ name: section, measured: circumstances(options), rows: measured });
      rows.push(...measured);
      await environment.stop(api);
    }
    log(table(rows));
  } finally {
    await environment.close();
  }
}

/** Logs the title of a long step, and every few seconds for how long it has run. */
async function withProgress<T>(title: string, work: () => Promise<T>): Promise<T> {
  log(`${title} …`);
  const begun = performance.now();
  const progress = setInterval(() => {
    log(`${title}: ${Math.round((performance.now() - begun) / 1_000)} s so far`);
  }, PROGRESS_MS);
  try {
    return await work();
  } finally {
    clearInterval(progress);
  }
}

function circumstances({ rounds, seconds }: Options): string {
  const day = new Date().toISOString().slice(0, 10);
  const load = `load of the machine ${loadavg()[1]?.toFixed(1)}`;
  return `${day}, commit ${describeCommit()}, ${machine()}, ${rounds} rounds of ${seconds} s, ${load}`;
}

function measure(name: Case, environment: BenchEnvironment, api: BenchProcess, options: Options): Promise<Row[]> {
  switch (name) {
    case 'public-reads':
      return benchPublicReads(environment, api, options);
    case 'catalogue':
      return benchCatalogue(environment, api, options);
    case 'list-transactions':
      return benchListTransactions(environment, api, { ...options, sizes: options.transactions });
    case 'history-sync':
      return benchHistorySync(environment, api, options);
    case 'keyed-reads':
      return benchKeyedReads(environment, api, options);
    case 'wallet-sync':
      return benchWalletSync(environment, api, { ...options, queues: options.redis ? 'Redis' : 'PostgreSQL' });
    case 'withdrawals':
      return benchWithdrawals(environment, api, options);
    case 'start':
      return benchStart(environment, api, options);
    case 'overload':
      return benchOverload(environment, api, log);
  }
}

// A signal ends this process by `exit`, so that the exit handlers stop the servers and delete their folders.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(1));

await program.parseAsync();
