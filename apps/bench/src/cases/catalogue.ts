import { setTimeout as sleep } from 'node:timers/promises';
import { loadInTurns, loadRows, type LoadOptions, type Target } from '../load.js';
import type { Row } from '../report.js';
import type { BenchProcess } from '../stand/bench-process.js';
import type { Stand } from '../stand/stand.js';

const PATH = '/v0/wallet/trade/tradable-assets?exchange=kraken';
const DEADLINE_MS = 30_000;
const POLL_MS = 100;

/** The whole catalogue, not compressed, beside bare Fastify that sends the same text. */
export async function benchCatalogue(stand: Stand, api: BenchProcess, options: LoadOptions): Promise<Row[]> {
  const project = await stand.createProject(api);
  const ours: Target = { process: api, path: PATH, headers: { ...project, 'accept-encoding': 'identity' } };
  const worker = await stand.startService('worker');
  const text = await firstAnswer(ours);
  await stand.stop(worker);
  const bare = await stand.startBare('bare-text', [stand.writeFile('catalogue.json', text)]);
  const figures = await loadInTurns(ours, { process: bare, path: '/text' }, options);
  await stand.stop(bare);
  return loadRows(`catalogue (${text.length} bytes)`, figures);
}

/** A worker reads the list of pairs, and the API hears of it: asking it would have it read the list itself. */
async function firstAnswer({ process: api, path, headers }: Target): Promise<string> {
  const stored = { ...headers, 'cache-control': 'only-if-cached' };
  for (const deadline = Date.now() + DEADLINE_MS; Date.now() < deadline; await sleep(POLL_MS)) {
    const answer = await fetch(`${api.address}${path}`, { headers: stored });
    const text = await answer.text();
    if (answer.ok) return text;
  }
  throw new Error('no catalogue came');
}
