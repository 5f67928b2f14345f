import { cpuRow, loadInTurns, p99Row, type LoadOptions, type Target } from '../load.js';
import { compared, perSecond, type Row } from '../report.js';
import type { BenchProcess } from '../environment/bench-process.js';
import { firstText } from '../environment/http.js';
import type { BenchEnvironment } from '../environment/environment.js';

const PATH = '/v0/wallet/trade/tradable-assets?exchange=kraken';

/** Measures reads of the whole catalogue, uncompressed, beside bare Fastify that sends the same text. */
export async function benchCatalogue(
  environment: BenchEnvironment,
  api: BenchProcess,
  options: LoadOptions,
): Promise<Row[]> {
  const project = await environment.createProject(api);
  const ours: Target = { process: api, path: PATH, headers: { ...project, 'accept-encoding': 'identity' } };
  const worker = await environment.startService('worker');
  // With `only-if-cached`, the API returns only a list that the worker has stored. Without it, the API would read the
  // list itself.
  const text = await firstText(`${api.baseUrl}${PATH}`, { ...ours.headers, 'cache-control': 'only-if-cached' });
  await environment.stop(worker);
  const bare = await environment.startBare('bare-text', [environment.writeFile('catalogue.json', text)]);
  const [whole, fastify] = await loadInTurns([ours, { process: bare, path: '/text' }], options);
  await environment.stop(bare);
  const what = `catalogue (${text.length} bytes)`;
  return [
    compared(`${what}: requests`, perSecond, [whole.requestsPerSecond, fastify.requestsPerSecond], 'Fastify'),
    cpuRow(`${what}: CPU for each request`, [whole, fastify], 'Fastify'),
    p99Row([whole, fastify], 'Fastify'),
  ];
}
