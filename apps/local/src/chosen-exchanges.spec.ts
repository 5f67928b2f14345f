import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { projectRoot } from '#platform/testing';
import { readExchanges } from './chosen-exchanges.js';

describe('the option --exchanges of npm start', () => {
  it('accepts a list of ids, or all', () => {
    expect(readExchanges('okx, bybit').map(({ id }) => id)).toEqual(['okx', 'bybit']);
    expect(readExchanges('all').map(({ id }) => id)).toEqual(expect.arrayContaining(['okx', 'bybit', 'coinbase']));
  });

  it('is refused for an unknown id with a list of the known ids, before anything starts', () => {
    const program = path.join(projectRoot, 'dist/apps/local/src/main.js');
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, '--exchanges', 'okx,foo'], {
      encoding: 'utf8',
    });
    const ids = readExchanges('all').map(({ id }) => id);
    expect([status, (stdout + stderr).trim()]).toEqual([1, `--exchanges: use all, or some of ${ids.join(', ')}`]);
  });
});
