import { startWorker } from '../own-workers.js';
import type { PlayedWire } from './play-wire.js';
import type { StoreKind } from '../simulation/index.js';
import { WirePlayer, type WireBatch } from './wire-player.js';
import type { WireOrder } from './wire-worker.js';
import { cells } from './wire-plan.js';

const BATCH = 10;
/** Number of bad seeds after which the run ends. */
const BAD_MAX = 20;
const PROGRESS_MS = 5_000;

export interface WireRunOptions {
  seeds: number;
  from: number;
  /** Number of worker threads; with 1, the seeds are played in this thread. */
  jobs: number;
  /** The source of nonces. */
  store: StoreKind;
  /** Whether to end with the first bad seed. */
  stopsAtFirst: boolean;
  log: (line: string) => void;
}

export interface WireResult {
  bad: Pick<PlayedWire, 'seed' | 'violations'>[];
  report: string;
}

/** Plays seeds in several threads at once. Which thread plays a seed does not change its result. */
export async function runWire({ seeds, from, jobs, store, stopsAtFirst, log }: WireRunOptions): Promise<WireResult> {
  const began = Date.now();
  const bad: WireResult['bad'] = [];
  const counts = new Map<string, number>();
  let played = 0;
  let next = from;
  const take = (): WireBatch | null => {
    const count = Math.min(BATCH, from + seeds - next);
    if (bad.length >= (stopsAtFirst ? 1 : BAD_MAX) || count <= 0) return null;
    next += count;
    return { from: next - count, seeds: count };
  };
  const add = (results: PlayedWire[]): void => {
    played += results.length;
    for (const { seed, violations, counts: seen } of results) {
      if (violations.length > 0) bad.push({ seed, violations });
      for (const [name, times] of Object.entries(seen)) counts.set(name, (counts.get(name) ?? 0) + times);
    }
  };
  const progress = setInterval(() => log(`${played} of ${seeds} seeds, ${bad.length} bad`), PROGRESS_MS);
  try {
    if (jobs === 1) await workHere({ store }, take, add);
    else await Promise.all(Array.from({ length: jobs }, () => work({ store }, take, add)));
  } finally {
    clearInterval(progress);
  }
  bad.sort((a, b) => a.seed - b.seed);
  return { bad, report: reportOf(counts, { played, bad: bad.length, millis: Date.now() - began }) };
}

async function workHere(
  { store }: WireOrder,
  take: () => WireBatch | null,
  add: (played: PlayedWire[]) => void,
): Promise<void> {
  const player = await WirePlayer.open(store);
  for (let batch = take(); batch !== null; batch = take()) add(await player.playAll(batch));
  await player.close();
}

function work(order: WireOrder, take: () => WireBatch | null, add: (played: PlayedWire[]) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = startWorker(new URL('./wire-worker.js', import.meta.url), { workerData: order });
    worker.on('message', (message: PlayedWire[] | 'ready') => {
      if (message !== 'ready') add(message);
      worker.postMessage(take() ?? 'end');
    });
    worker.on('error', reject);
    worker.on('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`a worker thread ended with the code ${code}`)),
    );
  });
}

function reportOf(
  counts: ReadonlyMap<string, number>,
  { played, bad, millis }: { played: number; bad: number; millis: number },
): string {
  const under = (kind: string): [name: string, times: number][] =>
    [...counts]
      .filter(([name]) => name.startsWith(`${kind} `))
      .map(([name, times]): [string, number] => [name.slice(kind.length + 1), times])
      .sort(([a], [b]) => a.localeCompare(b));
  const list = (kind: string): string =>
    under(kind)
      .map(([name, times]) => `${name} ${times}`)
      .join(', ');
  const perSecond = Math.round((played * 1_000) / Math.max(1, millis));
  const visited = new Set(under('cell').map(([name]) => name));
  const missing = cells.filter((cell) => !visited.has(cell));
  return [
    `${played} seeds in ${(millis / 1_000).toFixed(1)} s (${perSecond} seeds a second): ${bad} bad`,
    `submissions by their outcome: ${list('outcome')}`,
    `connections of submissions: ${list('connect')}`,
    `reads: ${list('read')}`,
    `cells of delivery × answer visited: ${cells.length - missing.length} of ${cells.length}`,
    ...(missing.length === 0 ? [] : [`not visited: ${missing.join(', ')}`]),
  ].join('\n');
}
