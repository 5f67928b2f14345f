import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadSecrets } from './secrets.js';

describe('the vault key of npm start', () => {
  it('stays the same, and gets a new id after its file was deleted', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'causeway-secrets-'));
    try {
      const read = (): string => readFileSync(loadSecrets(folder).vaultKeysFile, 'utf8');
      const first = read();
      expect(read()).toBe(first);
      rmSync(path.join(folder, 'vault-keys'));
      expect(read().split(':')[0]).not.toBe(first.split(':')[0]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
