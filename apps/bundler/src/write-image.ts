import { cpSync, existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { build, type Plugin } from 'esbuild';
import { leavingOut } from './bundle-options.js';

/** Packages whose files browsers load. All their files except those of `OF_DEVELOPMENT` are copied. */
const SERVED = ['@bull-board/ui', 'swagger-ui-dist'];

/** Files for compilers and debuggers. */
const OF_DEVELOPMENT = /\.(map|d\.[cm]?ts)$/;

/** Matches a path up to and including the folder of its innermost package. */
const PACKAGE = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/;

/**
 * Writes the files of the container image into `folder`: the bundled programs and, of the installed packages, the files
 * that the programs can import. A package that is loaded by a computed name, which the bundler cannot see, is missing.
 */
export async function writeImage(root: string, folder: string): Promise<void> {
  const files = ['package.json', 'dist/programs', ...(await packageFiles(root))];
  for (const file of files) cpSync(path.join(root, file), path.join(folder, file), { recursive: true });
}

/**
 * Returns the files of the installed packages that the programs can import, and the files that describe these packages:
 * `package.json`, which audits read, and the licence. The paths are relative to `root`.
 */
async function packageFiles(root: string): Promise<Iterable<string>> {
  const files = new Set<string>();
  // Node 22 and later resolve the export condition `module-sync`; older releases do not. The image
  // contains the files for both.
  for (const condition of [[], ['module-sync']]) {
    for (const file of await importedFiles(root, condition)) files.add(file);
  }
  for (const name of SERVED) {
    const served = readdirSync(path.join(root, 'node_modules', name), { recursive: true, withFileTypes: true });
    for (const entry of served) {
      const file = path.relative(root, path.join(entry.parentPath, entry.name));
      if (entry.isFile() && !OF_DEVELOPMENT.test(file)) files.add(file);
    }
  }
  for (const folder of foldersOf(files)) {
    const described = path.join(folder, 'package.json');
    if (existsSync(path.join(root, described))) files.add(described);
    if (PACKAGE.exec(folder)?.[0] !== folder) continue;
    for (const name of readdirSync(path.join(root, folder))) {
      if (/^(licen[cs]e|notice|copying)/i.test(name)) files.add(path.join(folder, name));
    }
  }
  return files;
}

/** esbuild resolves imports as Node does, and lists the files. Its bundle is not used. */
async function importedFiles(root: string, conditions: string[]): Promise<string[]> {
  const programs = readdirSync(path.join(root, 'dist/programs')).filter((file) => file.endsWith('.js'));
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: programs.map((file) => `dist/programs/${file}`),
    outdir: 'dist',
    write: false,
    metafile: true,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    // Replaces esbuild's default condition `module`, which Node does not know.
    conditions,
    loader: { '.node': 'empty' },
    logLevel: 'error',
    plugins: [fromRoot(root), leavingOut(() => false)],
  });
  return Object.keys(metafile.inputs).filter((file) => file.startsWith('node_modules/'));
}

/** Resolves imports of the programs to the installed packages, and not to the bundled ones in `dist/node_modules`. */
function fromRoot(root: string): Plugin {
  return {
    name: 'from-root',
    setup(bundler) {
      const programs = path.join(root, 'dist');
      bundler.onResolve({ filter: /^[^./]/ }, ({ path: specifier, resolveDir, kind }) => {
        if (!resolveDir.startsWith(programs)) return undefined;
        return bundler.resolve(specifier, { kind, resolveDir: root });
      });
    },
  };
}

/** The folders of the files, up to the folder of their package. */
function foldersOf(files: Iterable<string>): Set<string> {
  const folders = new Set<string>();
  for (const file of files) {
    const last = PACKAGE.exec(file)?.[0] ?? '';
    for (let folder = path.dirname(file); folder.length >= last.length; folder = path.dirname(folder)) {
      folders.add(folder);
    }
  }
  return folders;
}
