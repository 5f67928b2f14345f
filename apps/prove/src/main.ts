import { Command, InvalidArgumentError, Option } from 'commander';
import { exitWithParent } from '#platform/child-program';
import { exitOnSignals } from './exit-on-signals.js';
import { MutableCopy, mutants } from './mutants/index.js';
import { kraken, provenExchanges, type ProvenExchange } from './processes/exchanges.js';
import {
  allFeatures,
  runOrders,
  runSeeds,
  storeKinds,
  type DeclaredTraits,
  type Feature,
  type StoreKind,
} from './simulation/index.js';
import { runWire } from './wire/index.js';

// Only the proofs that use the product in this thread import its modules: loading them takes a second and a half of CPU
// time, and one run of CI starts this program about thirty times.

interface Options {
  seeds?: number;
  seed?: number;
  from: number;
  jobs: number;
  store: StoreKind;
  trace: boolean;
  first: boolean;
  with: Feature[];
  orders?: number;
  wire?: number;
  schedules?: number;
  exchange?: string;
  /** true = all mutants. */
  mutants?: true | string[];
}

const log = (line: string): void => void process.stdout.write(`${line}\n`);

function count(text: string): number {
  if (!/^[0-9]{1,9}$/.test(text)) throw new InvalidArgumentError('Use a whole number from 0 to 999999999.');
  return Number(text);
}

const exchangeNames = provenExchanges.map(({ name }) => name);

function exchangeOf(option: string): ProvenExchange {
  const found = provenExchanges.find(({ name }) => name === option);
  return (
    found ?? program.error(`--exchange: with --schedules, the exchange must be one of ${exchangeNames.join(', ')}`)
  );
}

/** Returns the traits of the exchange in simulated runs; null = each seed draws them. */
async function traitsOf(name: string | undefined): Promise<DeclaredTraits | null> {
  if (name === undefined) return null;
  const { declaredTraits, withdrawingExchanges } = await import('./simulation/scenario/declared.js');
  if (withdrawingExchanges.includes(name)) return declaredTraits(name);
  return program.error(`--exchange: with --seeds, the exchange must be one of ${withdrawingExchanges.join(', ')}`);
}

/** Runs the proofs that each withdrawal pays at most once, and prints every seed that breaks a rule. */
const program = new Command('prove')
  .description('Checks that each withdrawal pays at most once while the exchange, the database and processes fail.')
  .option('--seeds <count>', 'number of simulated runs', count)
  .option('--seed <seed>', 'the seed of one simulated run', count)
  .option(
    '--trace',
    'print every step of the run of --seed, or of the run of --orders or --wire with the seed --from',
    false,
  )
  .option('--from <seed>', 'the first seed of --seeds, --orders, --wire or --schedules', count, 1)
  .option('--jobs <count>', 'number of threads that play seeds at the same time', count, 2)
  .addOption(
    new Option('--store <kind>', 'database of the simulated runs, and of the nonces of --wire')
      .choices(storeKinds)
      .default('memory'),
  )
  .option('--first', 'end --seeds, --orders or --wire after the first seed that breaks a rule', false)
  .addOption(
    new Option('--with <features...>', 'features that every simulated run gets').choices(allFeatures).default([]),
  )
  .option(
    '--mutants [names...]',
    'remove rules from the program one by one, and check that --seeds, --wire or a spec then fails',
  )
  .option('--orders <count>', 'number of simulated runs of orders; see --trace', count)
  .option('--wire <count>', 'number of runs of real connectors over a simulated network; see --trace', count)
  .option('--schedules <count>', 'number of runs with real processes', count)
  .option(
    '--exchange <id>',
    `the exchange of --schedules (${exchangeNames.join(', ')}; by default ${kraken.name}), or the exchange whose declared submission class --seeds use`,
  )
  .action(prove);

async function prove(options: Options): Promise<void> {
  if (options.store === 'postgres') await eraseServersAtExit();
  const results = [
    await proveSeed(options),
    await proveSeeds(options),
    await proveOrders(options),
    await proveWire(options),
    await proveSchedules(options),
    await proveMutants(options),
  ];
  if (results.every((result) => result === null)) program.help({ error: true });
  if (results.includes(false)) process.exitCode = 1;
}

/** @returns whether the run kept every rule; null = this proof was not requested. */
async function proveSeed({ seed, store, trace, with: features, exchange }: Options): Promise<boolean | null> {
  if (seed === undefined) return null;
  const { Player } = await import('./simulation/run/player.js');
  const player = await Player.open({ store, features, declared: await traitsOf(exchange) });
  try {
    const result = await player.play(seed, { isTraced: trace });
    for (const line of [...result.trace, ...result.violations]) log(line);
    log(
      `seed ${seed}: ${result.violations.length === 0 ? 'good' : 'BAD'}, ${result.steps} steps, ${result.fingerprint}`,
    );
    return result.violations.length === 0;
  } finally {
    await player.close();
  }
}

async function proveSeeds({
  seeds,
  from,
  jobs,
  store,
  with: features,
  first: stopsAtFirst,
  exchange,
}: Options): Promise<boolean | null> {
  if (seeds === undefined) return null;
  const declared = await traitsOf(exchange);
  const { bad, report } = await runSeeds({ seeds, from, jobs, store, features, declared, stopsAtFirst, log });
  log(report);
  for (const { seed, violations } of bad) log(`seed ${seed} is BAD: ${violations.join('; ')}`);
  const [first] = bad;
  const extra = [
    ...(exchange === undefined ? [] : [` --exchange ${exchange}`]),
    ...(features.length === 0 ? [] : [` --with ${features.join(' ')}`]),
  ].join('');
  if (first !== undefined)
    log(
      `to print every step of seed ${first.seed}: npm run prove -- --seed ${first.seed} --store ${store} --trace${extra}`,
    );
  return bad.length === 0;
}

async function proveOrders({
  orders: seeds,
  from,
  jobs,
  trace,
  first: stopsAtFirst,
}: Options): Promise<boolean | null> {
  if (seeds === undefined) return null;
  if (trace) {
    const { OrderPlayer } = await import('./simulation/orders/order-player.js');
    const { trace: lines, violations } = await new OrderPlayer().play(from, { isTraced: true });
    for (const line of [...lines, ...violations]) log(line);
    return violations.length === 0;
  }
  const { bad, report } = await runOrders({ seeds, from, jobs, stopsAtFirst, log });
  log(report);
  for (const { seed, violations } of bad) log(`seed ${seed} is BAD: ${violations.join('; ')}`);
  const [first] = bad;
  if (first !== undefined)
    log(`to print every step of seed ${first.seed}: npm run prove -- --orders 1 --from ${first.seed} --trace`);
  return bad.length === 0;
}

async function proveWire({
  wire: seeds,
  from,
  jobs,
  store,
  trace,
  first: stopsAtFirst,
}: Options): Promise<boolean | null> {
  if (seeds === undefined) return null;
  if (trace) {
    const { WirePlayer } = await import('./wire/wire-player.js');
    const player = await WirePlayer.open(store);
    const { violations } = await player.play(from, log);
    await player.close();
    for (const violation of violations) log(violation);
    return violations.length === 0;
  }
  const { bad, report } = await runWire({ seeds, from, jobs, store, stopsAtFirst, log });
  log(report);
  for (const { seed, violations } of bad) log(`seed ${seed} is BAD: ${violations.join('; ')}`);
  const [first] = bad;
  if (first !== undefined)
    log(`to print every step of seed ${first.seed}: npm run prove -- --wire 1 --from ${first.seed} --trace`);
  return bad.length === 0;
}

async function proveSchedules({ schedules, from, exchange: name = kraken.name }: Options): Promise<boolean | null> {
  if (schedules === undefined) return null;
  const { runSchedules } = await import('./processes/index.js');
  const { bad, report } = await runSchedules({ schedules, seed: from, log, exchange: exchangeOf(name) });
  for (const text of [...bad, report]) log(text);
  return bad.length === 0;
}

async function proveMutants({ mutants: names }: Options): Promise<boolean | null> {
  if (names === undefined) return null;
  const unknown = names === true ? [] : names.filter((name) => mutants.every((mutant) => mutant.name !== name));
  if (unknown.length > 0) program.error(`--mutants: these mutants do not exist: ${unknown.join(', ')}`);
  const copy = MutableCopy.make();
  // A signal ends this process without running `finally`.
  process.on('exit', () => copy.erase());
  let isAllCaught = true;
  try {
    const requested = mutants.filter(({ name }) => names === true || names.includes(name));
    for (const [index, mutant] of requested.entries()) {
      log(`${index + 1} of ${requested.length}: ${mutant.name} …`);
      const { isCaught, millis, findings } = await copy.without(mutant);
      isAllCaught &&= isCaught;
      const [first = ''] = findings;
      log(
        `${isCaught ? 'caught' : 'SURVIVED'} ${mutant.name} (${(millis / 1_000).toFixed(1)} s) ${first.slice(0, 200)}`,
      );
    }
  } finally {
    copy.erase();
  }
  return isAllCaught;
}

/** The threads of this process start servers, and their own `exit` handlers do not run. */
async function eraseServersAtExit(): Promise<void> {
  const { eraseOwnServers } = await import('./own-postgres.js');
  process.on('exit', eraseOwnServers);
}

exitWithParent();
exitOnSignals();
await program.parseAsync();
