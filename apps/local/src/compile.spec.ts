import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { compile } from './compile.js';

/** Replaces the compiler in the test: it writes what `npm run compile` writes, and counts its runs. */
const COMPILER = `
import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
appendFileSync('runs', '.');
if (existsSync('libs/wrong.ts')) process.exit(2);
for (const folder of ['dist', 'clients/typescript/dist', 'clients/link/dist']) mkdirSync(folder, { recursive: true });
writeFileSync('dist/.tsbuildinfo', String(Date.now()));
writeFileSync('clients/typescript/dist/index.js', '');
writeFileSync('clients/link/dist/react.js', '');
`;

describe('the compile of npm start', () => {
  let root: string;
  const write = (file: string, text: string): void => writeFileSync(path.join(root, file), text);
  const runs = (): number => readFileSync(path.join(root, 'runs'), 'utf8').length;

  beforeAll(() => {
    root = mkdtempSync(path.join(tmpdir(), 'causeway-compile-'));
    for (const folder of ['apps/local', 'libs', 'clients/typescript', 'clients/link']) {
      mkdirSync(path.join(root, folder), { recursive: true });
    }
    write(
      'package.json',
      JSON.stringify({
        type: 'module',
        scripts: { compile: 'node compiler.js', 'compile:unchecked': 'node compiler.js' },
      }),
    );
    write('compiler.js', COMPILER);
    write('libs/a.ts', 'one');
  });

  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it('is skipped when nothing has changed', async () => {
    await compile(root, 'compile');
    await compile(root, 'compile');
    expect(runs()).toBe(1);
  });

  it('runs again when types must be checked and the last compile did not check them', async () => {
    write('libs/a.ts', 'not checked');
    const before = runs();
    for (const script of ['compile:unchecked', 'compile:unchecked', 'compile', 'compile:unchecked'] as const)
      await compile(root, script);
    expect(runs()).toBe(before + 2);
  });

  it.each<[string, () => void]>([
    ['a source has changed', () => write('libs/a.ts', 'other')],
    ['a source is new', () => write('apps/local/b.ts', 'new')],
    ['a source is gone', () => rmSync(path.join(root, 'libs/a.ts'))],
    ['other packages are installed', () => write('package-lock.json', '{}')],
    ['another program has compiled', () => write('dist/.tsbuildinfo', 'other')],
    ['a compiled file is missing', () => rmSync(path.join(root, 'clients/link/dist/react.js'))],
    ['the compiled files are deleted', () => rmSync(path.join(root, 'dist'), { recursive: true })],
  ])('runs again when %s', async (_what, change) => {
    await compile(root, 'compile');
    const before = runs();
    change();
    await compile(root, 'compile');
    expect(runs()).toBe(before + 1);
  });

  it('runs again after a failed compile', async () => {
    await compile(root, 'compile');
    const before = runs();
    write('libs/wrong.ts', 'wrong');
    await expect(compile(root, 'compile')).rejects.toThrow('do not compile');
    await expect(compile(root, 'compile')).rejects.toThrow('do not compile');
    expect(runs()).toBe(before + 2);
  });
});
