import { loadInTurns, type LoadOptions, type Target } from '../load.js';
import { meaning, stages } from '../pipeline/stages.js';
import { compared, micros, type Row } from '../report.js';
import type { BenchProcess } from '../environment/bench-process.js';
import type { BenchEnvironment } from '../environment/environment.js';

/** A body of the size of a ticker response. */
const BODY = JSON.stringify({
  success: true,
  prices: Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`COIN${index}`, index * 1.25])),
});

/**
 * Measures the CPU time of each stage of a request: adds the stages one by one, beside Fastify alone in the same run.
 */
export async function benchPipeline(
  environment: BenchEnvironment,
  api: BenchProcess,
  options: LoadOptions,
): Promise<Row[]> {
  const headers = await environment.createProject(api);
  const file = environment.writeFile('pipeline.json', BODY);
  const bare = await environment.startBare('bare-text', [file]);
  const targets: Target[] = [{ process: bare, path: '/text', headers }];
  for (const stage of stages) {
    const level = stage === 'log' ? 'info' : 'silent';
    const started = await environment.startPipeline([stage, file], { LOG_LEVEL: level });
    targets.push({ process: started, path: '/stage/text', headers });
  }
  const [alone, ...figures] = (await loadInTurns(targets, options)).map(({ cpuMsPerRequest }) => cpuMsPerRequest);
  for (const { process } of targets) await environment.stop(process);
  return stages.map((stage, index) => {
    const [ms, before] = [figures[index], figures[index - 1] ?? alone];
    const label = `adds ${micros(ms - before)} to Fastify’s`;
    return compared(`+ ${stage} (${meaning[stage]}): CPU for each request`, micros, [ms, alone], label);
  });
}
