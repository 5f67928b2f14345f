import pg from 'pg';
import { closedLoop } from '../closed-loop.js';
import { compared, millis, type Row } from '../report.js';
import type { BenchProcess } from '../environment/bench-process.js';
import { connectWallets } from '../environment/connect-wallets.js';
import type { Headers, BenchEnvironment } from '../environment/environment.js';
import { quantile } from '../stats.js';

const WALLETS = 10;
/**
 * Number of transactions of another project in the same table. Without these rows, PostgreSQL would read the whole
 * table of a small project, and no index.
 */
const OTHERS = 100_000;
const LIMIT = 100;
/** Length of a page when the caller names none. */
const DEFAULT_LIMIT = 10;
/** Highest value of the API's `page` parameter. */
const PAGE_MAX = 1_000;
/** Number of rows from which it is faster to create the indexes after the rows. */
const REBUILT_FROM = 500_000;
/** Duration of one turn. The API and pg take turns: one turn each as a warm-up, and one turn each in every round. */
const SECONDS = 1;
/** Number of rounds before the first measurement, in which V8 compiles the code of the API and of pg. */
const WARM_UPS = 10;

export interface ListOptions {
  /** The numbers of transactions of the measured projects, smallest first. */
  sizes: number[];
  rounds: number;
}

/** A project with `size` transactions, and the API process and the client of pg that read them. */
interface FilledProject {
  api: BenchProcess;
  client: pg.Client;
  project: Headers;
  size: number;
}

/** A listing of the API, and the SQL with which bare pg reads the same rows, without the total count. */
interface Listing {
  name: string;
  query: Record<string, string>;
  sql: string;
  /** Parameters after the project id, which comes first. */
  parameters: unknown[];
}

/**
 * Measures calls of `GET /v0/wallet/transactions` at growing sizes, one after the other, beside pg that reads only the
 * page.
 */
export async function benchListTransactions(
  environment: BenchEnvironment,
  api: BenchProcess,
  options: ListOptions,
): Promise<Row[]> {
  const rows: Row[] = [];
  const client = new pg.Client(environment.databaseUrl);
  await client.connect();
  const createFilled = async (size: number): Promise<Headers> => {
    const project = await environment.createProject(api);
    await connectWallets(environment, api, project, WALLETS);
    await fill(environment, project, size);
    return project;
  };
  await warmUp({ api, client, project: await createFilled(OTHERS), size: OTHERS });
  for (const size of options.sizes) {
    const project = await createFilled(size);
    for (const listing of listingsOf(size)) {
      rows.push(await compare({ api, client, project, size }, listing, options.rounds));
    }
  }
  await client.end();
  return rows;
}

async function warmUp(filled: FilledProject): Promise<void> {
  const [firstPage] = listingsOf(filled.size);
  if (firstPage !== undefined) await compare(filled, firstPage, WARM_UPS);
}

/** Inserts deposits and withdrawals of six assets over three years, spread evenly over the wallets. */
async function fill({ db }: BenchEnvironment, project: Headers, size: number): Promise<void> {
  const isLarge = size >= REBUILT_FROM;
  const { rows } = await db.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes
     where tablename = 'transactions' and indexname not like '%_pkey'`,
  );
  if (isLarge) for (const { name } of rows) await db.query(`drop index ${name}`);
  await db.query(
    `insert into transactions (id, project_id, wallet_id, external_wallet_id, exchange, exchange_transaction_id, type, direction,
                               status, asset, amount, fee, fee_asset, occurred_at, origin)
     select gen_random_uuid(), $1, w.id, w.external_id, w.exchange, 'B' || n,
            case when n % 2 = 0 then 'deposit' else 'withdrawal' end, case when n % 2 = 0 then 'in' else 'out' end, 'ok',
            (array['BTC', 'ETH', 'SOL', 'XRP', 'USDT', 'LTC'])[1 + (n / 7) % 6], n % 1000, 0.1, 'BTC',
            now() - interval '3 years' * n / $2, 'exchange'
       from generate_series(1, $2::int) as n
       join (select id, external_id, exchange, row_number() over (order by id) - 1 as rank
               from wallets where project_id = $1) as w on w.rank = n % $3::int`,
    [project['x-svc-project-id'], size, WALLETS],
  );
  if (isLarge) for (const { definition } of rows) await db.query(definition);
  await db.query('vacuum analyze transactions');
}

function listingsOf(size: number): Listing[] {
  const order = 'order by occurred_at desc, id desc';
  const lastPage = (rows: number, limit: number): number => Math.min(PAGE_MAX, Math.floor(rows / limit) - 1);
  // Half of the rows are deposits.
  const [page, farPage] = [lastPage(size, LIMIT), lastPage(size / 2, LIMIT)];
  const [shortPage, farShortPage] = [lastPage(size, DEFAULT_LIMIT), lastPage(size / 2, DEFAULT_LIMIT)];
  const all = 'from transactions where project_id = $1 and superseded_by is null';
  const some = `${all} and external_wallet_id = $2 and asset = $3`;
  const kind = `${all} and status = $2 and type = $3`;
  const [ok, failed] = [
    { status: 'ok', type: 'deposit' },
    { status: 'failed', type: 'deposit' },
  ];
  const listing = (
    name: string,
    query: Record<string, string>,
    [from, ...parameters]: [string, ...unknown[]],
    limit = LIMIT,
  ) => ({
    name,
    query: { ...query, limit: String(limit) },
    sql: `select * ${from} ${order} limit ${limit} offset ${Number(query['page'] ?? 0) * limit}`,
    parameters,
  });
  const short = (name: string, query: Record<string, string>, from: [string, ...unknown[]]) =>
    listing(`${name}, of ${DEFAULT_LIMIT}`, query, from, DEFAULT_LIMIT);
  return [
    listing('first page', {}, [all]),
    listing(`page ${page}`, { page: String(page) }, [all]),
    listing('one wallet, one asset', { walletId: 'wallet-1', asset: 'ETH' }, [some, 'wallet-1', 'ETH']),
    listing('deposits that are ok', ok, [kind, 'ok', 'deposit']),
    listing(`… page ${farPage}`, { ...ok, page: String(farPage) }, [kind, 'ok', 'deposit']),
    short('first page', {}, [all]),
    short(`page ${shortPage}`, { page: String(shortPage) }, [all]),
    short('deposits that are ok', ok, [kind, 'ok', 'deposit']),
    short(`… page ${farShortPage}`, { ...ok, page: String(farShortPage) }, [kind, 'ok', 'deposit']),
    listing('no hit: failed deposits', failed, [kind, 'failed', 'deposit']),
    listing('no hit: a network', { network: 'tron' }, [`${all} and network = $2`, 'tron']),
    listing('no hit: a network and a wallet', { network: 'tron', walletId: 'wallet-1' }, [
      `${all} and network = $2 and external_wallet_id = $3`,
      'tron',
      'wallet-1',
    ]),
  ];
}

async function compare(
  { api, client, project, size }: FilledProject,
  { name, query, sql, parameters }: Listing,
  rounds: number,
): Promise<Row> {
  const path = `/v0/wallet/transactions?${new URLSearchParams(query).toString()}`;
  const load = { baseUrl: api.baseUrl, path, headers: [{ ...project }], connections: 1, seconds: SECONDS };
  const ask = async (): Promise<number[]> => {
    const { latenciesMs, failures } = await closedLoop(load);
    if (failures > 0) throw new Error(`${path}: ${failures} of ${latenciesMs.length} responses were errors`);
    return latenciesMs;
  };
  const bare = (): Promise<number[]> => times(() => client.query(sql, [project['x-svc-project-id'], ...parameters]));
  await ask();
  await bare();
  const [ours, theirs]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    ours.push(...(await ask()));
    theirs.push(...(await bare()));
  }
  const text = (all: number[]): string => `${millis(quantile(all, 0.5))}, p99 ${millis(quantile(all, 0.99))}`;
  const what = `list ${size.toLocaleString('en')} transactions: ${name}`;
  const row = compared(what, millis, [quantile(ours, 0.5), quantile(theirs, 0.5)]);
  return { ...row, ours: text(ours), bare: `page by pg ${text(theirs)}` };
}

/** Makes calls one after the other, and returns the milliseconds of each. */
async function times(call: () => Promise<unknown>): Promise<number[]> {
  const all: number[] = [];
  const until = performance.now() + SECONDS * 1_000;
  for (let began = performance.now(); began < until; began = performance.now()) {
    await call();
    all.push(performance.now() - began);
  }
  return all;
}
