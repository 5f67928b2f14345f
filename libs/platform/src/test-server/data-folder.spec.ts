import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { dataFolder } from './data-folder.js';

describe('the folder of the test server', () => {
  const memory = mkdtempSync(path.join(tmpdir(), 'causeway-memory-'));
  const own = path.join(memory, `causeway-${process.getuid?.()}`);
  const onDisk = '.local/test-database';

  afterEach(() => rmSync(own, { recursive: true, force: true }));
  afterAll(() => rmSync(memory, { recursive: true, force: true }));

  it('is on the disk when the system has no folder in memory', () => {
    expect(dataFolder(path.join(memory, 'missing'), 0)).toBe(onDisk);
  });

  it.each([
    ['another user may write to it', () => (mkdirSync(own), chmodSync(own, 0o777))],
    ['it is a link', () => symlinkSync(tmpdir(), own)],
    ['it is a file', () => writeFileSync(own, '')],
  ])('is on the disk when the folder in memory cannot be trusted: %s', (_reason, make) => {
    make();
    expect(dataFolder(memory, 0)).toBe(onDisk);
  });

  it('is the same for all runs of one checkout', () => {
    expect(path.dirname(dataFolder(memory, 0))).toBe(own);
    expect(dataFolder(memory, 0)).toBe(dataFolder(memory, 0));
  });

  it('is on the disk when the memory has too little room', () => {
    expect(dataFolder(memory, Infinity)).toBe(onDisk);
  });
});
