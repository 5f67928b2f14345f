import { spawnSync } from 'node:child_process';
import { projectRoot } from '#platform/testing';

const PROGRAM = `${projectRoot}/dist/apps/prove/src/main.js`;
const OUTPUT_MAX_BYTES = 64 * 1_048_576;

/** Runs the compiled program as `npm run prove` does. */
export function prove(...options: string[]): { status: number | null; lines: string[] } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...options], {
    encoding: 'utf8',
    maxBuffer: OUTPUT_MAX_BYTES,
  });
  return { status, lines: `${stdout}${stderr}`.split('\n') };
}
