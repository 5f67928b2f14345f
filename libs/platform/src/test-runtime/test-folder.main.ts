import { spawnSync } from 'node:child_process';
import { testsOf } from './folder-tests.js';

const USAGE = 'usage: npm run test:folder -- <changed file or folder>…     For example libs/withdrawal/src/quote.';

const changed = process.argv.slice(2).map((path) => path.replace(/^\.?\/|\/$/g, ''));
try {
  if (changed.length === 0) throw new Error(USAGE);
  const paths = new Set(changed.flatMap(testsOf));
  const projects = ['--selectProjects', 'unit', 'int', 'short-proof'];
  const jest = ['--max-semi-space-size=64', 'node_modules/jest/bin/jest.js', ...projects];
  const { status } = spawnSync(process.execPath, [...jest, '--testPathPatterns', ...paths], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
