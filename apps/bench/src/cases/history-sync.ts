import { setTimeout as sleep } from 'node:timers/promises';
import { alone, diskRow, megabytes, millis, perSecond, type Row } from '../report.js';
import type { BenchProcess } from '../environment/bench-process.js';
import { connectWallets } from '../environment/connect-wallets.js';
import { postJson } from '../environment/http.js';
import type { BenchEnvironment } from '../environment/environment.js';

/** Removes the pauses in which other tasks can call the exchange for the same account. */
const overrides = { TRANSACTION_SYNC_PAGE_PAUSE_MS: 0, TRANSACTION_SYNC_SWEEP_MS: 50 };
const POLL_MS = 250;
const YEARS_MS = 3 * 365 * 86_400_000;

export interface HistoryOptions {
  /** Deposits and withdrawals of the account. */
  records: number;
}

/** Measures the first sync of an old account by one worker, back to the account's first record. */
export async function benchHistorySync(
  environment: BenchEnvironment,
  api: BenchProcess,
  { records }: HistoryOptions,
): Promise<Row[]> {
  await environment.putOffSyncs();
  const project = await environment.createProject(api);
  const [wallet] = await connectWallets(environment, api, project, 1);
  if (wallet === undefined) throw new Error('no wallet');
  const now = Date.now();
  await postJson(`${environment.sandbox.baseUrl}/control/accounts/${wallet.accountId}/history`, {
    deposits: Math.ceil(records / 2),
    withdrawals: Math.floor(records / 2),
    from: now - YEARS_MS,
    to: now,
  });
  const bytesBefore = await environment.tableBytes();
  const began = performance.now();
  const worker = await environment.startService('worker', {}, overrides);
  const atStart = await worker.usage();
  let largest = atStart.rssMb;
  while (!(await isComplete(environment, project['x-svc-project-id']))) {
    await sleep(POLL_MS);
    largest = Math.max(largest, (await worker.usage()).rssMb);
  }
  const seconds = (performance.now() - began) / 1_000;
  const cpuSeconds = (await worker.usage()).cpuSeconds - atStart.cpuSeconds;
  await environment.stop(worker);
  const bytes = (await environment.tableBytes()) - bytesBefore;
  const kept = await countOf(environment, project['x-svc-project-id']);
  if (kept !== records) throw new Error(`${kept} transactions are stored, but the account has ${records} records`);
  const what = `history of ${records.toLocaleString('en')} records`;
  return [
    alone(`${what}: read and stored`, perSecond(records / seconds), `${seconds.toFixed(1)} s`),
    alone('  CPU of the worker for each record', millis((cpuSeconds * 1_000) / records)),
    alone('  peak memory of the worker', megabytes(largest), `at start ${megabytes(atStart.rssMb)}`),
    diskRow('transaction', bytes / records),
  ];
}

async function isComplete(environment: BenchEnvironment, projectId: string | undefined): Promise<boolean> {
  const { rows } = await environment.db.query<{ complete: number }>(
    `select count(*) filter (where s.complete_until is not null)::int as complete
       from transaction_syncs s join wallets w on w.id = s.wallet_id where w.project_id = $1`,
    [projectId],
  );
  return rows[0]?.complete === 2;
}

async function countOf(environment: BenchEnvironment, projectId: string | undefined): Promise<number> {
  const { rows } = await environment.db.query<{ count: number }>(
    `select count(*)::int as count from transactions where project_id = $1 and superseded_by is null`,
    [projectId],
  );
  return rows[0]?.count ?? 0;
}
