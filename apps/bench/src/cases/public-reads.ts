import { cpuRow, loadInTurns, p99Row, type LoadOptions } from '../load.js';
import type { Row } from '../report.js';
import type { BenchProcess } from '../environment/bench-process.js';
import { firstText } from '../environment/http.js';
import type { BenchEnvironment } from '../environment/environment.js';

const TICKERS = '/v0/market/kraken/tickers';
const PATHS = [TICKERS, `${TICKERS}?coins=BTC,ETH`, '/v0/oauth2/exchanges', '/openapi.json', '/docs/swagger-ui.css'];
const CLIENTS = 100;
/** Limits that the load does not reach. The header of a proxy distinguishes the clients, as in production. */
const SETTINGS = { TRUST_PROXY: 'true', CONNECT_VISITS_PER_MINUTE: '100000' };
const OVERRIDES = { DOCS_PER_MINUTE: 100_000 };

/**
 * Compares public reads of our API with bare Fastify that sends the same text. Measures the API twice: with a log
 * line for each request, and without it.
 */
export async function benchPublicReads(
  environment: BenchEnvironment,
  api: BenchProcess,
  options: LoadOptions,
): Promise<Row[]> {
  const worker = await environment.startService('worker');
  await firstText(`${api.baseUrl}${TICKERS}`);
  await environment.stop(worker);
  const whole = await environment.startService('api', { ...SETTINGS, PUBLIC_READ_LOG_EVERY: '1' }, OVERRIDES);
  const quiet = await environment.startService('api', { ...SETTINGS, PUBLIC_READ_LOG_EVERY: '1000000' }, OVERRIDES);
  const other = await environment.startOther(SETTINGS);
  const rows: Row[] = [];
  for (const path of PATHS) {
    const text = await firstText(`${api.baseUrl}${path}`);
    const bare = await environment.startBare('bare-text', [environment.writeFile('public.txt', text)]);
    const servers = [whole, quiet, ...(other === null ? [] : [other])];
    const targets = servers.map((process) => ({ process, path, clients: CLIENTS }));
    const measured = await loadInTurns([{ process: bare, path: '/text', clients: CLIENTS }, ...targets], options);
    const [alone, logged, unlogged, before] = measured;
    await environment.stop(bare);
    const what = `${path} (${text.length} bytes)`;
    rows.push(cpuRow(`${what}: CPU for each request`, [logged, alone], 'Fastify'));
    rows.push(cpuRow(`${what}: … without the log line`, [unlogged, alone], 'Fastify'));
    if (other !== null) rows.push(cpuRow('… beside the other commit', [logged, before]));
    rows.push(p99Row([logged, alone], 'Fastify'));
  }
  await environment.stop(whole);
  await environment.stop(quiet);
  if (other !== null) await environment.stop(other);
  return rows;
}
