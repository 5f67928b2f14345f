import { loadAlternately, loadRows, type LoadOptions } from '../load.js';
import type { Row } from '../report.js';
import type { BenchProcess } from '../environment/bench-process.js';
import { firstText } from '../environment/http.js';
import type { BenchEnvironment } from '../environment/environment.js';

const PATH = '/v0/market/kraken/tickers';

/** The public tickers beside bare Fastify that sends the same text. */
export async function benchTickers(
  environment: BenchEnvironment,
  api: BenchProcess,
  options: LoadOptions,
): Promise<Row[]> {
  const worker = await environment.startService('worker');
  const text = await firstText(`${api.baseUrl}${PATH}`);
  await environment.stop(worker);
  const bare = await environment.startBare('bare-text', [environment.writeFile('tickers.json', text)]);
  const figures = await loadAlternately({ process: api, path: PATH }, { process: bare, path: '/text' }, options);
  await environment.stop(bare);
  return loadRows(`tickers (${text.length} bytes)`, figures);
}
