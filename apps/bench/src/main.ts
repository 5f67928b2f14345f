import { Command, InvalidArgumentError, Option } from 'commander';
import { benchCatalogue } from './cases/catalogue.js';
import { benchGetWallet } from './cases/get-wallet.js';
import { benchHistorySync } from './cases/history-sync.js';
import { benchListTransactions } from './cases/list-transactions.js';
import { benchOverload } from './cases/overload.js';
import { benchTickers } from './cases/tickers.js';
import { benchWalletSync } from './cases/wallet-sync.js';
import { machine, table, type Row } from './report.js';
import type { BenchProcess } from './stand/bench-process.js';
import { Stand } from './stand/stand.js';

const cases = [
  'tickers',
  'catalogue',
  'get-wallet',
  'list-transactions',
  'wallet-sync',
  'history-sync',
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
}

const log = (line: string): void => void process.stdout.write(`${line}\n`);

function count(text: string): number {
  if (!/^[1-9][0-9]{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

const counts = (text: string): number[] => text.split(',').map(count);

/** Prints how fast and how dear things are, each beside the bare libraries in the same run. */
const program = new Command('bench')
  .description('Measures the service beside the bare libraries it is made of.')
  .addOption(new Option('--only <cases...>', 'not all of them').choices(cases).default(cases))
  .option('--rounds <count>', 'rounds of each measurement; medians are shown', count, 5)
  .option('--seconds <count>', 'length of a round under load', count, 4)
  .option('--wallets <count>', 'wallets that the workers refresh (at most 10000)', count, 300)
  .option('--concurrency <count>', 'wallets that each of two workers refreshes at once', count, 5)
  .option('--transactions <counts>', 'transactions of the projects that are listed', counts, [1_000, 100_000])
  .option('--records <count>', 'deposits and withdrawals of the account whose history is read', count, 10_000)
  .option('--redis', 'queues in Redis (redis-server has to be installed) instead of PostgreSQL', false)
  .option('--profile <folder>', 'write a CPU profile of each process there')
  .action(bench);

async function bench(options: Options): Promise<void> {
  log(`${machine()}`);
  log(`PostgreSQL 18 on this machine, synchronous_commit off; medians of ${options.rounds} rounds`);
  const stand = await Stand.start({ redis: options.redis, profileDir: options.profile ?? null });
  try {
    const rows: Row[] = [];
    for (const name of options.only) {
      const api = await stand.startService('api');
      rows.push(...(await measure(name, stand, api, options)));
      await stand.stop(api);
    }
    log(table(rows));
  } finally {
    await stand.close();
  }
}

function measure(name: Case, stand: Stand, api: BenchProcess, options: Options): Promise<Row[]> {
  switch (name) {
    case 'tickers':
      return benchTickers(stand, api, options);
    case 'catalogue':
      return benchCatalogue(stand, api, options);
    case 'list-transactions':
      return benchListTransactions(stand, api, { ...options, sizes: options.transactions });
    case 'history-sync':
      return benchHistorySync(stand, api, options);
    case 'get-wallet':
      return benchGetWallet(stand, api, options);
    case 'wallet-sync':
      return benchWalletSync(stand, api, { ...options, queues: options.redis ? 'Redis' : 'PostgreSQL' });
    case 'overload':
      return benchOverload(stand, api, log);
  }
}

// So that servers are stopped and folders erased.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(1));

await program.parseAsync();
