import { setTimeout as sleep } from 'node:timers/promises';
import { megabytes, millis, perSecond, type Row } from '../report.js';
import type { BenchProcess } from '../stand/bench-process.js';
import { connectWallets } from '../stand/connect-wallets.js';
import { postJson } from '../stand/post-json.js';
import type { Stand } from '../stand/stand.js';

/** Without the rests that leave the calls of an account to others. */
const settings = { TRANSACTION_SYNC_PAGE_PAUSE_MS: '0', TRANSACTION_SYNC_SWEEP_MS: '50' };
const POLL_MS = 250;
const YEARS_MS = 3 * 365 * 86_400_000;

export interface HistoryOptions {
  /** Deposits and withdrawals of the account. */
  records: number;
}

/** The first reading of an old account by one worker, back to its beginning. */
export async function benchHistorySync(stand: Stand, api: BenchProcess, { records }: HistoryOptions): Promise<Row[]> {
  // Whatever other measurements have left is not read beside.
  await stand.db.query(`update wallets set history_tracked = true, next_sync_at = now() + interval '1 day'`);
  const project = await stand.createProject(api);
  const [wallet] = await connectWallets(stand, api, project, 1);
  if (wallet === undefined) throw new Error('no wallet');
  const now = Date.now();
  await postJson(`${stand.sandbox.address}/control/accounts/${wallet.accountId}/history`, {
    deposits: Math.ceil(records / 2),
    withdrawals: Math.floor(records / 2),
    from: now - YEARS_MS,
    to: now,
  });
  const began = performance.now();
  const worker = await stand.startService('worker', settings);
  const atStart = await worker.usage();
  let largest = atStart.rssMb;
  while (!(await isComplete(stand, project['x-svc-project-id']))) {
    await sleep(POLL_MS);
    largest = Math.max(largest, (await worker.usage()).rssMb);
  }
  const seconds = (performance.now() - began) / 1_000;
  const cpuSeconds = (await worker.usage()).cpuSeconds - atStart.cpuSeconds;
  await stand.stop(worker);
  const kept = await countOf(stand, project['x-svc-project-id']);
  if (kept !== records) throw new Error(`${kept} transactions are kept of ${records} records`);
  const what = `history of ${records.toLocaleString('en')} records`;
  return [
    { what: `${what}: read and kept`, ours: perSecond(records / seconds), bare: `${seconds.toFixed(1)} s`, ratio: '' },
    { what: '  CPU of the worker a record', ours: millis((cpuSeconds * 1_000) / records), bare: '', ratio: '' },
    {
      what: '  most memory of the worker',
      ours: megabytes(largest),
      bare: `at start ${megabytes(atStart.rssMb)}`,
      ratio: '',
    },
  ];
}

async function isComplete(stand: Stand, projectId: string | undefined): Promise<boolean> {
  const { rows } = await stand.db.query<{ complete: number }>(
    `select count(*) filter (where s.complete_until is not null)::int as complete
       from transaction_syncs s join wallets w on w.id = s.wallet_id where w.project_id = $1`,
    [projectId],
  );
  return rows[0]?.complete === 2;
}

async function countOf(stand: Stand, projectId: string | undefined): Promise<number> {
  const { rows } = await stand.db.query<{ count: number }>(
    `select count(*)::int as count from transactions where project_id = $1 and superseded_by is null`,
    [projectId],
  );
  return rows[0]?.count ?? 0;
}
