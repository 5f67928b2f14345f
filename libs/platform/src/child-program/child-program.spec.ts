import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ChildProgram } from './index.js';

describe('a child program', () => {
  const dir = mkdtempSync(path.join(tmpdir(), 'child-program-'));
  afterAll(() => rmSync(dir, { recursive: true }));

  const start = (name: string, code: string): ChildProgram => {
    const file = path.join(dir, `${name}.mjs`);
    writeFileSync(file, code);
    return new ChildProgram({ file, env: {} });
  };

  it('reports the address that it has printed, and ends when it is stopped', async () => {
    const program = start(
      'server',
      `console.log('listens on http://127.0.0.1:8787/docs'); setInterval(() => {}, 1000);`,
    );
    expect(await program.address()).toBe('http://127.0.0.1:8787');
    expect(program.hasEnded).toBe(false);
    await program.stop();
    expect([program.hasEnded, program.child.signalCode]).toEqual([true, 'SIGTERM']);
    await program.stop();
  });

  it('is killed when it does not end in time', async () => {
    const program = start(
      'deaf',
      `process.on('SIGTERM', () => {}); console.log('ready'); setInterval(() => {}, 1000);`,
    );
    await program.printed(/ready/);
    await program.stop(10);
    expect(program.child.signalCode).toBe('SIGKILL');
  });

  it('can still write after `discardOutput` was called, but this output is not kept', async () => {
    const program = start(
      'talker',
      `console.log('first'); process.once('message', () => console.log('x'.repeat(100_000)));`,
    );
    await program.printed(/first/);
    program.discardOutput();
    program.child.send('write');
    expect(await program.exitCode()).toBe(0);
    expect(program.stdout).toBe('first\n');
  });

  it('that ends too early is reported with its exit code and its output', async () => {
    const program = start('broken', `console.error('no settings'); process.exitCode = 3;`);
    await expect(program.address()).rejects.toThrow(/broken\.mjs ended \(code 3\) without printing .*no settings/s);
    expect(await program.exitCode()).toBe(3);
    expect([program.stdout, program.stderr]).toEqual(['', 'no settings\n']);
  });
});
