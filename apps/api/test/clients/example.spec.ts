import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '#platform/testing';

const PROGRAM = join(projectRoot, 'dist/examples/shop/main.js');

describe('npm run example', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'causeway-example-'));
    mkdirSync(join(folder, '.local'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('asks for npm start when that was never started', () => {
    const { status, stderr } = spawnSync(process.execPath, [PROGRAM], { cwd: folder, encoding: 'utf8' });
    expect([status, stderr]).toEqual([1, expect.stringMatching(/demo\.json is missing: run npm start/)]);
  });

  it('asks for npm start when that has stopped', () => {
    // Port 1 belongs to no server.
    const demo = { baseUrl: 'http://127.0.0.1:1', sandboxWallet: { addresses: {} } };
    writeFileSync(join(folder, '.local/demo.json'), JSON.stringify(demo));
    const { status, stderr } = spawnSync(process.execPath, [PROGRAM], { cwd: folder, encoding: 'utf8' });
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/does not respond at http:\/\/127\.0\.0\.1:1: run npm/),
    ]);
  });
});
