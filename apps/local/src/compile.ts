import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Problem } from './problem.js';
import { say } from './terminal.js';

const REPORT_MS = 5_000;
/** The files and folders that `npm run compile` reads. */
const SOURCES = ['apps', 'libs', 'clients', 'examples', 'package.json', 'package-lock.json', 'tsconfig.json'];
const NOT_SOURCES = /(^|[\\/])(dist|node_modules)([\\/]|$)/;
/** One result of each step of `npm run compile`. The compiler rewrites `.tsbuildinfo` with each file that it writes. */
const COMPILED = ['dist/.tsbuildinfo', 'clients/typescript/dist/index.js', 'clients/link/dist/react.js'];
/** This file stores which script compiled last, and a hash of the sources and the results of that compile. */
const COMPILED_STATE = 'dist/.compiled-state';

/**
 * Compiles the sources when a source or result has changed since the last compile. Reports every few seconds that the
 * compiler is running.
 * @param script `compile:unchecked` writes the same files in a third of the CPU time and reports no type errors, which
 *   the next compile with a check still finds
 */
export async function compile(root: string, script: 'compile' | 'compile:unchecked'): Promise<void> {
  const stateFile = path.join(root, COMPILED_STATE);
  const [last, state] = existsSync(stateFile) ? readFileSync(stateFile, 'utf8').split(' ') : [];
  if ((last === script || last === 'compile') && state === stateOf(root)) return;
  const began = Date.now();
  const seconds = (): number => Math.round((Date.now() - began) / 1_000);
  // A source that changes after this line is compiled at the next start.
  const sources = sourcesOf(root);
  say('compiling the sources');
  const compiler = spawn('npm', ['run', '-s', script], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  });
  const timer = setInterval(() => say(`compiling the sources: ${seconds()} s`), REPORT_MS);
  const [code] = (await once(compiler, 'exit')) as [number | null];
  clearInterval(timer);
  if (code !== 0) throw new Problem('The sources do not compile; see the errors above');
  writeFileSync(stateFile, `${script} ${stateWith(root, sources)}`);
}

function stateOf(root: string): string {
  return stateWith(root, sourcesOf(root));
}

/** Returns a text that stays the same only while no source changes and no other program compiles. */
function stateWith(root: string, sources: readonly string[]): string {
  const compiled = COMPILED.map((file) => describe(root, file));
  return createHash('sha256')
    .update([...sources, ...compiled].join('\n'))
    .digest('hex');
}

function sourcesOf(root: string): string[] {
  const files = SOURCES.flatMap((source) => {
    const place = path.join(root, source);
    if (!existsSync(place) || !statSync(place).isDirectory()) return [source];
    return readdirSync(place, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => path.relative(root, path.join(parentPath, name)));
  });
  return files
    .filter((file) => !NOT_SOURCES.test(file))
    .sort()
    .map((file) => describe(root, file));
}

/** The name, the time of the last change and the size of a file. */
function describe(root: string, file: string): string {
  const facts = statSync(path.join(root, file), { throwIfNoEntry: false });
  return facts === undefined ? `${file} is missing` : `${file} ${facts.mtimeMs} ${facts.size}`;
}
