import { Keyring, Vault } from '#platform/crypto';
import type { Database } from '#platform/database';
import { capturedLog } from '#platform/testing';
import { connectedWallet } from '../testing/connected-wallet.js';
import { createWalletHarness, type WalletHarness } from '../testing/wallet-harness.js';
import { ReportMissingKeys } from './report-missing-keys.js';

describe('a process that starts', () => {
  const { logger, lines } = capturedLog();
  const other = new Vault(new Keyring([{ id: 'new', key: Buffer.alloc(32, 2) }]));
  let harness: WalletHarness;
  const start = (db: Database, vault: Vault) => new ReportMissingKeys(db, vault, logger).onApplicationBootstrap();

  beforeAll(async () => {
    harness = await createWalletHarness();
  });
  afterAll(() => harness.close());
  beforeEach(() => lines.splice(0));

  it('logs one error with the keys that stored credentials need and its vault lacks', async () => {
    await start(harness.db, other);
    expect(lines).toEqual([]);
    const project = await harness.project('test');
    await connectedWallet(harness.db, project, { vault: harness.vault });
    await connectedWallet(harness.db, project, { vault: harness.vault });
    await start(harness.db, other);
    expect(lines).toMatchObject([{ level: 50, keyIds: ['test'] }]);
    await start(harness.db, harness.vault);
    expect(lines).toHaveLength(1);
  });

  it('starts when the database does not respond', async () => {
    const unreachable: Pick<Database, 'query'> = { query: () => Promise.reject(new Error('Connection terminated')) };
    await expect(start(unreachable as Database, other)).resolves.toBeUndefined();
    expect(lines).toMatchObject([{ level: 40 }]);
  });

  it('starts when the comparison fails for another reason', async () => {
    const failing: Pick<Database, 'query'> = { query: () => Promise.reject(new Error('out of shared memory')) };
    await expect(start(failing as Database, other)).resolves.toBeUndefined();
    expect(lines).toMatchObject([{ level: 50 }]);
  });
});
