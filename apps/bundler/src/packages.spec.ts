import { readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { projectRoot } from '#platform/testing';
import { bundledPackages } from './packages.js';

const require = createRequire(import.meta.url);
const versionIn = (file: string): string => (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;

describe('a compiled program', () => {
  it.each(bundledPackages)('imports $name from the bundle, in the installed version', ({ name, specifiers }) => {
    const bundles = path.join(realpathSync(projectRoot), 'node_modules', '.cache', 'packages');
    for (const specifier of specifiers) expect(realpathSync(require.resolve(specifier))).toContain(bundles);
    const installed = path.join(projectRoot, 'node_modules', name, 'package.json');
    expect(versionIn(require.resolve(`${name}/package.json`))).toBe(versionIn(installed));
  });
});
