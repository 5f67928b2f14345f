import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Problem } from './problem.js';
import { say } from './terminal.js';

const REPORT_MS = 5_000;

/** Compiles the sources, and reports every few seconds that it still does. */
export async function compile(root: string): Promise<void> {
  const began = Date.now();
  const seconds = (): number => Math.round((Date.now() - began) / 1_000);
  say('compiling the sources');
  const compiler = spawn('npm', ['run', '-s', 'compile'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  });
  const timer = setInterval(() => say(`compiling the sources: ${seconds()} s`), REPORT_MS);
  const [code] = (await once(compiler, 'exit')) as [number | null];
  clearInterval(timer);
  if (code !== 0) throw new Problem('The sources do not compile');
}
