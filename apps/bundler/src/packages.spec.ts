import { readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectRoot } from '#platform/testing';
import { bundledPackages, ccxtClasses } from './packages.js';

const require = createRequire(import.meta.url);
const versionIn = (file: string): string => (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;

interface CcxtModule {
  default: new () => { describe(): unknown };
}

/** Imports the class of one exchange from the ccxt package whose main file is `entry`. */
async function importClass(entry: string, id: string): Promise<CcxtModule> {
  return (await import(new URL(`./src/${id}.js`, pathToFileURL(entry)).href)) as CcxtModule;
}

/** Returns the result of a class's `describe()` as text, with error classes as their names. */
function textOf(description: unknown): string {
  return JSON.stringify(description, (_, value: unknown) => (typeof value === 'function' ? value.name : value));
}

describe('a compiled program', () => {
  it.each(bundledPackages)('imports $name from the bundle, in the installed version', ({ name, specifiers }) => {
    const bundles = path.join(realpathSync(projectRoot), 'node_modules', '.cache', 'packages');
    for (const specifier of specifiers) expect(realpathSync(require.resolve(specifier))).toContain(bundles);
    const installed = path.join(projectRoot, 'node_modules', name, 'package.json');
    expect(versionIn(require.resolve(`${name}/package.json`))).toBe(versionIn(installed));
  });

  it.each(ccxtClasses(projectRoot))(
    'imports from the bundle a class %s of ccxt that equals the installed class',
    async (id) => {
      const { default: Bundled } = await importClass(require.resolve('ccxt'), id);
      const { default: Installed } = await importClass(path.join(projectRoot, 'node_modules/ccxt/js/ccxt.js'), id);
      expect(Bundled).not.toBe(Installed);
      expect(Bundled.name).toBe(Installed.name);
      expect(Reflect.ownKeys(Bundled.prototype)).toEqual(Reflect.ownKeys(Installed.prototype));
      expect(textOf(new Bundled().describe())).toBe(textOf(new Installed().describe()));
      expect(versionIn(require.resolve('ccxt/package.json'))).toBe(
        versionIn(path.join(projectRoot, 'node_modules/ccxt/package.json')),
      );
    },
  );
});
