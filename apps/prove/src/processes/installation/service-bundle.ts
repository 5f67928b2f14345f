import { mkdtempSync } from 'node:fs';
import { build } from 'esbuild';
import { programOptions } from '../../../../bundler/src/program-options.js';
import { WRAPPED_FILES } from '../wrapped-files.js';
import { distDir, serviceBundles } from './dist-dir.js';

/**
 * Bundles the API and the worker as in production (ADR 40), and the wrapped files as entries of the same bundle: a
 * module that imports such an entry gets the class that the programs use.
 * @returns the folder of the bundle, which the caller deletes. It has the structure of `dist`.
 */
export async function bundleServices(): Promise<string> {
  // Programs below `dist` find the bundled packages in `dist/node_modules`.
  const outdir = mkdtempSync(serviceBundles);
  await build({
    ...programOptions,
    absWorkingDir: distDir,
    entryPoints: ['apps/api/src/main.js', 'apps/worker/src/main.js', ...WRAPPED_FILES],
    outbase: '.',
    outdir,
  });
  return outdir;
}
