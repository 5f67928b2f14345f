import { loadInTurns, loadRows, type LoadOptions } from '../load.js';
import type { Row } from '../report.js';
import type { BenchProcess } from '../stand/bench-process.js';
import { firstText } from '../stand/first-text.js';
import type { Stand } from '../stand/stand.js';

const PATH = '/v0/market/kraken/tickers';

/** The public tickers beside bare Fastify that sends the same text. */
export async function benchTickers(stand: Stand, api: BenchProcess, options: LoadOptions): Promise<Row[]> {
  const worker = await stand.startService('worker');
  const text = await firstText(`${api.address}${PATH}`);
  await stand.stop(worker);
  const bare = await stand.startBare('bare-text', [stand.writeFile('tickers.json', text)]);
  const figures = await loadInTurns({ process: api, path: PATH }, { process: bare, path: '/text' }, options);
  await stand.stop(bare);
  return loadRows(`tickers (${text.length} bytes)`, figures);
}
