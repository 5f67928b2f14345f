import { loadInTurns, spreadOf, type LoadOptions } from '../load.js';
import { micros, millis, ratio, type Row } from '../report.js';
import type { BenchProcess } from '../environment/bench-process.js';
import { firstText } from '../environment/http.js';
import type { BenchEnvironment } from '../environment/environment.js';

const TICKERS = '/v0/market/kraken/tickers';
const PATHS = [TICKERS, `${TICKERS}?coins=BTC,ETH`, '/v0/oauth2/exchanges', '/openapi.json', '/docs/swagger-ui.css'];
const CLIENTS = 100;
/** Limits that the load does not reach. The header of a proxy distinguishes the clients, as in production. */
const SETTINGS = { TRUST_PROXY: 'true', DOCS_PER_MINUTE: '100000', CONNECT_VISITS_PER_MINUTE: '100000' };

/**
 * Compares public reads of our API with bare Fastify that sends the same text. Measures the API twice: with its log
 * line, as in production, and without it.
 */
export async function benchPublicReads(
  environment: BenchEnvironment,
  api: BenchProcess,
  options: LoadOptions,
): Promise<Row[]> {
  const worker = await environment.startService('worker');
  await firstText(`${api.baseUrl}${TICKERS}`);
  await environment.stop(worker);
  const whole = await environment.startService('api', SETTINGS);
  const quiet = await environment.startService('api', { ...SETTINGS, PUBLIC_READ_LOG_EVERY: '1000000' });
  const other = await environment.startOther(SETTINGS);
  const rows: Row[] = [];
  for (const path of PATHS) {
    const text = await firstText(`${api.baseUrl}${path}`);
    const bare = await environment.startBare('bare-text', [environment.writeFile('public.txt', text)]);
    const targets = [
      { process: whole, path, clients: CLIENTS },
      { process: quiet, path, clients: CLIENTS },
      { process: bare, path: '/text', clients: CLIENTS },
      ...(other === null ? [] : [{ process: other, path, clients: CLIENTS }]),
    ];
    const [logged, unlogged, alone, before] = await loadInTurns(targets, options);
    await environment.stop(bare);
    if (logged === undefined || unlogged === undefined || alone === undefined) continue;
    for (const [what, ours] of [
      ['CPU for each request', logged],
      ['… without the log line', unlogged],
    ] as const) {
      rows.push({
        what: `${path} (${text.length} bytes): ${what}`,
        ours: `${micros(ours.cpuMsPerRequest)} ${spreadOf(ours)}`,
        bare: `Fastify ${micros(alone.cpuMsPerRequest)} ${spreadOf(alone)}`,
        ratio: ratio(ours.cpuMsPerRequest, alone.cpuMsPerRequest),
      });
    }
    if (before !== undefined) {
      rows.push({
        what: '… beside the other commit',
        ours: micros(logged.cpuMsPerRequest),
        bare: `${micros(before.cpuMsPerRequest)} ${spreadOf(before)}`,
        ratio: ratio(logged.cpuMsPerRequest, before.cpuMsPerRequest),
      });
    }
    rows.push({
      what: '… p99',
      ours: millis(logged.p99Ms),
      bare: `Fastify ${millis(alone.p99Ms)}`,
      ratio: ratio(logged.p99Ms, alone.p99Ms),
    });
  }
  await environment.stop(whole);
  await environment.stop(quiet);
  if (other !== null) await environment.stop(other);
  return rows;
}
