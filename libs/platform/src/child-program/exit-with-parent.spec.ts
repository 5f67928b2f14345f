import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { projectRoot } from '#platform/testing';
import { ChildProgram } from './child-program.js';

const MODULE = path.join(projectRoot, 'dist/libs/platform/src/child-program/exit-with-parent.js');
/** The child ends by itself after this time, so that a failing test leaves no process behind. */
const OUTLIVES_MS = 10_000;

/**
 * A program that kills itself when its child sends a message. The child writes to the same output, so a test that waits
 * for the end of the output waits for the child, too.
 */
const PARENT = `
  import { fork } from 'node:child_process';
  const child = fork(process.argv[2], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  child.on('message', () => process.kill(process.pid, 'SIGKILL'));
`;
const CHILD_START = `
  import { exitWithParent } from '${MODULE}';
  setTimeout(() => { console.log('outlived'); process.exit(); }, ${OUTLIVES_MS});
`;

describe('a process that exits with its parent', () => {
  const dir = mkdtempSync(path.join(tmpdir(), 'exit-with-parent-'));
  afterAll(() => rmSync(dir, { recursive: true }));

  const write = (name: string, code: string): string => {
    const file = path.join(dir, name);
    writeFileSync(file, code);
    return file;
  };

  it.each([
    ['while it works', `exitWithParent(); process.send('ready');`],
    [
      'while it starts',
      `process.send('starting'); await new Promise((resolve) => process.once('disconnect', resolve)); exitWithParent();`,
    ],
  ])('ends when its parent is killed %s', async (name, code) => {
    const child = write(`${name}.child.mjs`, `${CHILD_START}${code}`);
    const parent = new ChildProgram({ file: write(`${name}.mjs`, PARENT), args: [child], env: {} });
    expect(await parent.exitCode()).toBeNull();
    expect([parent.stdout, parent.stderr]).toEqual(['', '']);
  });

  it('ends by itself when its work is done', async () => {
    const code = `import { exitWithParent } from '${MODULE}'; exitWithParent(); console.log('done');`;
    const program = new ChildProgram({ file: write('done.mjs', code), env: {} });
    expect(await program.exitCode()).toBe(0);
    expect(program.stdout).toBe('done\n');
  });

  it('runs normally when its parent did not fork it', async () => {
    const alone = write('alone.mjs', `${CHILD_START} exitWithParent(); console.log('works'); process.exit();`);
    const parent = `import { spawnSync } from 'node:child_process';
      console.log(String(spawnSync(process.execPath, ['${alone}']).stdout));`;
    const program = new ChildProgram({ file: write('spawns.mjs', parent), env: {} });
    expect(await program.exitCode()).toBe(0);
    expect(program.stdout.trim()).toBe('works');
  });
});
