import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchProcess } from '../environment/bench-process.js';
import { connectWallets } from '../environment/connect-wallets.js';
import type { BenchEnvironment, Headers } from '../environment/environment.js';
import { alone, compared, diskRow, megabytes, millis, type Row } from '../report.js';
import { median } from '../stats.js';

const SESSIONS = 1_000;
const API_GOAL_MB = 150;
const WORKER_GOAL_MB = 300;
/**
 * How long a started process rests before its memory is measured. The work after a start, and the garbage collector's
 * return of free memory, take about 40 s.
 */
const REST_MS = 60_000;
const READY_POLL_MS = 20;
const SYNCED_POLL_MS = 5_000;

type App = 'api' | 'worker';

interface Start {
  /** CPU time until the process is ready. */
  cpuMs: number;
  tookMs: number;
  /** Memory of the process REST_MS after its start. */
  rssMb: number;
}

export interface StartOptions {
  rounds: number;
}

/**
 * Measures the CPU time and memory of started processes, the memory of a worker's sessions, and the disk space of
 * wallets.
 */
export async function benchStart(
  environment: BenchEnvironment,
  api: BenchProcess,
  { rounds }: StartOptions,
): Promise<Row[]> {
  const [apiStart, workerStart] = [
    await startOf(environment, 'api', rounds),
    await startOf(environment, 'worker', rounds),
  ];
  const before = await environment.tableBytes();
  const project = await environment.createProject(api);
  await connectWallets(environment, api, project, SESSIONS);
  const bytes = (await environment.tableBytes()) - before;
  const busyMb = await withSessions(environment, project);
  const count = SESSIONS.toLocaleString('en');
  return [
    ...rowsOf('api', apiStart),
    goalRow('api: memory at rest', apiStart.rssMb, API_GOAL_MB),
    ...rowsOf('worker', workerStart),
    { ...goalRow('worker: memory at rest', workerStart.rssMb, WORKER_GOAL_MB), ratio: '' },
    goalRow(`worker: memory with ${count} sessions, all histories read`, busyMb, WORKER_GOAL_MB),
    diskRow('wallet', bytes / SESSIONS),
  ];
}

function rowsOf(app: App, { cpuMs, tookMs }: Start): Row[] {
  return [
    alone(`${app}: CPU time until it is ready`, millis(cpuMs)),
    alone(`${app}: time until it is ready`, millis(tookMs)),
  ];
}

const goalRow = (what: string, rssMb: number, goalMb: number): Row =>
  compared(what, megabytes, [rssMb, goalMb], 'goal');

/** Starts an app several times, one after the other. @returns the medians */
async function startOf(environment: BenchEnvironment, app: App, rounds: number): Promise<Start> {
  const starts: Start[] = [];
  for (let round = 0; round < rounds; round++) {
    const began = performance.now();
    const started = await environment.startService(app);
    await untilReady(started);
    const cpuMs = started.cpuMsOfLife();
    const tookMs = performance.now() - began;
    await sleep(REST_MS);
    const { rssMb } = await started.usage();
    starts.push({ cpuMs, tookMs, rssMb });
    await environment.stop(started);
  }
  const middle = (of: (start: Start) => number): number => median(starts.map(of));
  return {
    cpuMs: middle((each) => each.cpuMs),
    tookMs: middle((each) => each.tookMs),
    rssMb: middle((each) => each.rssMb),
  };
}

async function untilReady(started: BenchProcess): Promise<void> {
  while (!(await fetch(`${started.metricsUrl}/readyz`)).ok) await sleep(READY_POLL_MS);
}

/** @returns the memory of a worker that has read the history of every wallet and keeps the session of each */
async function withSessions(environment: BenchEnvironment, project: Headers): Promise<number> {
  const worker = await environment.startService('worker', {}, { EXCHANGE_SESSIONS_MAX: SESSIONS });
  while (!(await isSynced(environment, project))) await sleep(SYNCED_POLL_MS);
  await sleep(REST_MS);
  const { rssMb } = await worker.usage();
  await environment.stop(worker);
  return rssMb;
}

async function isSynced({ db }: BenchEnvironment, project: Headers): Promise<boolean> {
  const { rows } = await db.query<{ open: number }>(
    `select count(*)::int as open from wallets w
      where w.project_id = $1
        and (select count(*) from transaction_syncs s where s.wallet_id = w.id and s.complete_until is not null) < 2`,
    [project['x-svc-project-id']],
  );
  return rows[0]?.open === 0;
}
