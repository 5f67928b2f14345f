import { loadInTurns, loadRows, type LoadOptions, type Target } from '../load.js';
import type { Row } from '../report.js';
import type { BenchProcess } from '../stand/bench-process.js';
import { firstText } from '../stand/first-text.js';
import type { Stand } from '../stand/stand.js';

const PATH = '/v0/wallet/trade/tradable-assets?exchange=kraken';

/** The whole catalogue, not compressed, beside bare Fastify that sends the same text. */
export async function benchCatalogue(stand: Stand, api: BenchProcess, options: LoadOptions): Promise<Row[]> {
  const project = await stand.createProject(api);
  const ours: Target = { process: api, path: PATH, headers: { ...project, 'accept-encoding': 'identity' } };
  const worker = await stand.startService('worker');
  // Only what is stored: the API would read the list itself otherwise.
  const text = await firstText(`${api.address}${PATH}`, { ...ours.headers, 'cache-control': 'only-if-cached' });
  await stand.stop(worker);
  const bare = await stand.startBare('bare-text', [stand.writeFile('catalogue.json', text)]);
  const figures = await loadInTurns(ours, { process: bare, path: '/text' }, options);
  await stand.stop(bare);
  return loadRows(`catalogue (${text.length} bytes)`, figures);
}
