import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { projectRoot } from '#platform/testing';
import { readExchanges } from './chosen-exchanges.js';

const LINKED = ['apps/local/src', 'libs', 'node_modules', 'package.json', 'tsconfig.json'];

describe('the option --exchanges of npm start', () => {
  it('accepts a list of ids, or all', () => {
    expect(readExchanges('okx, bybit').map(({ id }) => id)).toEqual(['okx', 'bybit']);
    expect(readExchanges('all').map(({ id }) => id)).toEqual(expect.arrayContaining(['okx', 'bybit', 'coinbase']));
  });

  it('is refused for an unknown id with a list of the known ids, before npm start compiles or writes anything', () => {
    const root = mkdtempSync(path.join(tmpdir(), 'causeway-start-'));
    try {
      mkdirSync(path.join(root, 'apps/local'), { recursive: true });
      for (const name of LINKED) symlinkSync(path.join(projectRoot, name), path.join(root, name));
      // start.mjs is copied and not linked, because Node runs a linked program in the folder of its original.
      copyFileSync(path.join(projectRoot, 'apps/local/start.mjs'), path.join(root, 'apps/local/start.mjs'));
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        ['apps/local/start.mjs', '--exchanges', 'okx,foo'],
        { cwd: root, encoding: 'utf8' },
      );
      const ids = readExchanges('all').map(({ id }) => id);
      expect([status, (stdout + stderr).trim()]).toEqual([1, `--exchanges: use all, or some of ${ids.join(', ')}`]);
      expect(existsSync(path.join(root, '.local'))).toBe(false);
    } finally {
      rmSync(root, { recursive: true });
    }
  });
});
