import { setTimeout as sleep } from 'node:timers/promises';
import { loadInTurns, loadRows, type LoadOptions } from '../load.js';
import type { Row } from '../report.js';
import type { BenchProcess } from '../stand/bench-process.js';
import type { Stand } from '../stand/stand.js';

const PATH = '/v0/market/kraken/tickers';
const DEADLINE_MS = 30_000;
const POLL_MS = 100;

/** The public tickers beside bare Fastify that sends the same text. */
export async function benchTickers(stand: Stand, api: BenchProcess, options: LoadOptions): Promise<Row[]> {
  const worker = await stand.startService('worker');
  const text = await firstAnswer(api);
  await stand.stop(worker);
  const bare = await stand.startBare('bare-text', [stand.writeFile('tickers.json', text)]);
  const figures = await loadInTurns({ process: api, path: PATH }, { process: bare, path: '/text' }, options);
  await stand.stop(bare);
  return loadRows(`tickers (${text.length} bytes)`, figures);
}

/** A worker reads the prices, and the API hears of them. */
async function firstAnswer(api: BenchProcess): Promise<string> {
  for (const deadline = Date.now() + DEADLINE_MS; Date.now() < deadline; await sleep(POLL_MS)) {
    const answer = await fetch(`${api.address}${PATH}`);
    const text = await answer.text();
    if (answer.ok) return text;
  }
  throw new Error('no tickers came');
}
