import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { bundle } from './bundle.js';
import { leavingOut, packageOptions } from './bundle-options.js';
import { ccxtClasses } from './packages.js';

/** Optional packages with native code. ccxt also works without them, so the bundle leaves them out. */
const MACHINE_CODE = ['bufferutil', 'utf-8-validate'];

const PackageJson = z.object({ version: z.string(), license: z.string() });

/**
 * Writes the ccxt classes of our exchanges, with all that they import, into `folder`/ccxt. The files of the classes
 * have the same paths as in the installed package, so `loadCcxtClass` can load either. The bundled files load in less
 * time and need less memory, because the installed files contain the documentation of each method.
 */
export async function bundleCcxt(root: string, folder: string): Promise<void> {
  const installed = path.join(root, 'node_modules/ccxt');
  const place = path.join(folder, 'ccxt');
  await bundle({
    ...packageOptions,
    absWorkingDir: installed,
    entryPoints: ccxtClasses(root).map((id) => `js/src/${id}.js`),
    outbase: '.',
    outdir: place,
    chunkNames: 'js/src/.chunks/[name]-[hash]',
    plugins: [leavingOut((specifier) => MACHINE_CODE.includes(specifier))],
  });
  copyFileSync(path.join(installed, 'LICENSE.txt'), path.join(place, 'LICENSE.txt'));
  const { version, license } = PackageJson.parse(
    JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8')),
  );
  const exports = { '.': './js/ccxt.js', './package.json': './package.json' };
  const description = { name: 'ccxt', version, license, type: 'module', exports };
  writeFileSync(path.join(place, 'package.json'), `${JSON.stringify(description, null, 2)}\n`);
  const index = path.relative(path.join(place, 'js'), path.join(installed, 'js/ccxt.js')).replaceAll(path.sep, '/');
  writeFileSync(
    path.join(place, 'js/ccxt.js'),
    `// All exchanges, which only tests and benchmarks import.\nexport * from '${index}';\nexport { default } from '${index}';\n`,
  );
}
