import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'esbuild';
import { z } from 'zod';
import { bundle } from './bundle.js';
import { leavingOut, packageOptions } from './bundle-options.js';
import { bundledPackages, type BundledPackage } from './packages.js';

const PackageJson = z.object({ version: z.string(), dependencies: z.record(z.string(), z.string()).default({}) });

/** Prefix of the names of the generated modules. Each re-exports one package, or one path of a package. */
const FACE = 'face:';

/**
 * Writes the bundled packages into `folder`, which has to be named node_modules. They share their code in `.chunks`, so
 * that each of their modules exists once.
 */
export async function bundlePackages(root: string, folder: string): Promise<void> {
  const specifiers = bundledPackages.flatMap((each) => each.specifiers);
  const faces = new Map<string, string>();
  for (const specifier of specifiers) faces.set(specifier, await faceOf(specifier));
  await bundle({
    ...packageOptions,
    absWorkingDir: root,
    entryPoints: Object.fromEntries(specifiers.map((specifier) => [entryOf(specifier), `${FACE}${specifier}`])),
    outdir: folder,
    chunkNames: '.chunks/[name]-[hash]',
    plugins: [faceLoader(root, faces), withoutOthers(root)],
  });
  for (const each of bundledPackages) describe(root, folder, each);
}

/** Asks Node for the names that a CommonJS package exports, because the bundler does not find them. */
async function faceOf(specifier: string): Promise<string> {
  const exported = Object.keys((await import(specifier)) as object).filter((name) => name !== 'module.exports');
  return `export { ${exported.join(', ')} } from ${JSON.stringify(specifier)};`;
}

function entryOf(specifier: string): string {
  return `${specifier.replace(/\.js$/, '')}/index`;
}

/** Returns a plugin with which esbuild loads the generated modules. */
function faceLoader(root: string, faces: ReadonlyMap<string, string>): Plugin {
  return {
    name: 'faces',
    setup(bundler) {
      bundler.onResolve({ filter: /^face:/ }, ({ path: specifier }) => ({
        path: specifier.slice(FACE.length),
        namespace: 'face',
      }));
      bundler.onLoad({ filter: /./, namespace: 'face' }, ({ path: specifier }) => ({
        contents: faces.get(specifier),
        resolveDir: root,
      }));
    },
  };
}

function withoutOthers(root: string): Plugin {
  const { dependencies } = readPackageJson(root);
  const names = new Set(bundledPackages.map(({ name }) => name));
  return leavingOut((specifier, kind) => {
    const [name = ''] = /^(@[^/]+\/)?[^/]+/.exec(specifier) ?? [];
    // Dynamic imports of packages stay outside, because Node gives a CommonJS package named exports, and the bundler
    // would not.
    if (kind === 'dynamic-import' && existsSync(path.join(root, 'node_modules', name))) return true;
    // A dependency of the project that is not in `bundledPackages` stays outside, because the bundle would contain a
    // second instance of it.
    return name in dependencies && !names.has(name);
  });
}

function describe(root: string, folder: string, { name, specifiers }: BundledPackage): void {
  const { version } = readPackageJson(path.join(root, 'node_modules', name));
  const place = path.join(folder, name);
  const exports: Record<string, string> = { './package.json': './package.json' };
  for (const specifier of specifiers) {
    const file = `./${path.posix.relative(name, `${entryOf(specifier)}.js`)}`;
    const key = `.${specifier.slice(name.length)}`;
    // `require` also accepts a file name without its extension.
    for (const each of [key, key.replace(/\.js$/, '')]) exports[each] = file;
  }
  mkdirSync(place, { recursive: true });
  const description = { name, version, type: 'module', exports };
  writeFileSync(path.join(place, 'package.json'), `${JSON.stringify(description, null, 2)}\n`);
}

function readPackageJson(folder: string): z.infer<typeof PackageJson> {
  return PackageJson.parse(JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')));
}
