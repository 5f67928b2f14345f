import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { bundle } from './bundle.js';
import { programOptions } from './program-options.js';

/**
 * Bundles our own compiled modules into one file for each program that starts often, and the files that these programs
 * share ([ADR 40](docs/decisions/0040-bundled-programs.md)): `dist/programs`. Packages stay outside.
 */
const dist = path.resolve(import.meta.dirname, '../../..');
/** A file that exists only when all files of the bundle are written. */
const complete = path.join(dist, 'programs/.complete');
const programs = {
  api: 'apps/api/src/main.js',
  worker: 'apps/worker/src/main.js',
  'sandbox-exchange': 'apps/sandbox-exchange/src/main.js',
  cli: 'apps/cli/src/main.js',
  migrate: 'libs/platform/src/database/migrate.main.js',
};

if (!isCurrent()) {
  rmSync(path.join(dist, 'programs'), { recursive: true, force: true });
  await bundle({
    ...programOptions,
    absWorkingDir: dist,
    entryPoints: programs,
    outdir: 'programs',
  });
  writeFileSync(complete, '');
}

/**
 * Whether the bundle is newer than the compiled modules and the installed packages. The compiler writes its build
 * information whenever it writes a module, and npm writes its list whenever it installs a package.
 */
function isCurrent(): boolean {
  if (!existsSync(complete)) return false;
  const sources = [
    path.join(dist, '.tsbuildinfo'),
    path.join(dist, '../node_modules/.package-lock.json'),
    import.meta.filename,
  ];
  const bundledMs = statSync(complete).mtimeMs;
  return sources.every((file) => (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) < bundledMs);
}
