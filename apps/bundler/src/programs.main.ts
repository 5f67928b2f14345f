import { existsSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';

/**
 * Bundles our own compiled modules into one file for each program that starts often, and the files that these programs
 * share ([ADR 42](docs/decisions/0040-bundled-programs.md)): `dist/programs`. Packages stay outside.
 */
const dist = path.resolve(import.meta.dirname, '../../..');
const programs = {
  api: 'apps/api/src/main.js',
  worker: 'apps/worker/src/main.js',
  'sandbox-exchange': 'apps/sandbox-exchange/src/main.js',
  cli: 'apps/cli/src/main.js',
  migrate: 'libs/platform/src/database/migrate.main.js',
};

if (!isCurrent()) {
  rmSync(path.join(dist, 'programs'), { recursive: true, force: true });
  await build({
    absWorkingDir: dist,
    entryPoints: programs,
    outdir: 'programs',
    bundle: true,
    splitting: true,
    chunkNames: 'shared/[hash]',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    // Logs, metrics, the injector of Nest and the migrations read the names of classes.
    keepNames: true,
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'warning',
  });
}

/** The compiler writes its build information whenever it writes a module. */
function isCurrent(): boolean {
  const bundle = path.join(dist, 'programs/migrate.js');
  if (!existsSync(bundle)) return false;
  const written = [path.join(dist, '.tsbuildinfo'), import.meta.filename].filter((file) => existsSync(file));
  return written.every((file) => statSync(file).mtimeMs < statSync(bundle).mtimeMs);
}
