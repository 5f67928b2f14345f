import { Keyring, Vault } from '#platform/crypto';
import type { Database } from '#platform/database';
import { capturedLog } from '#platform/testing';
import { connectedWallet } from '../testing/connected-wallet.js';
import { createWalletHarness, type WalletHarness } from '../testing/wallet-harness.js';
import { KEYS_IN_USE, ReportMissingKeys } from './report-missing-keys.js';

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

  it('logs one error with the ids of the encryption keys that stored credentials need and its vault lacks', async () => {
    await start(harness.db, other);
    expect(lines).toEqual([]);
    const project = await harness.project('test');
    await connectedWallet(harness.db, project, { vault: harness.vault });
    await connectedWallet(harness.db, project, { vault: harness.vault });
    await start(harness.db, other);
    lines.splice(0);
    const another = new Vault(new Keyring([{ id: 'another', key: Buffer.alloc(32, 3) }]));
    await connectedWallet(harness.db, project, { vault: another });
    await start(harness.db, other);
    expect(lines).toMatchObject([{ level: 50, keyIds: ['another', 'test'] }]);
    await start(harness.db, harness.vault);
    expect(lines.slice(1)).toMatchObject([{ level: 50, keyIds: ['another'] }]);
  });

  it('finds the key ids of stored credentials with an index', async () => {
    const plan = await harness.db.transaction(async (tx) => {
      // The planner reads a small table as a whole unless a setting makes this expensive.
      await harness.db.query(`set local enable_seqscan = off`, [], tx);
      return harness.db.query<{ 'QUERY PLAN': string }>(`explain ${KEYS_IN_USE}`, [], tx);
    });
    expect(plan.map((line) => line['QUERY PLAN']).join('\n')).not.toMatch(/Seq Scan/);
  });

  it('starts, and logs a warning, when the database does not respond', async () => {
    const unreachable: Pick<Database, 'query'> = { query: () => Promise.reject(new Error('Connection terminated')) };
    await expect(start(unreachable as Database, other)).resolves.toBeUndefined();
    expect(lines).toMatchObject([{ level: 40 }]);
  });

  it('starts, and logs an error, when the query for the key ids fails', async () => {
    const failing: Pick<Database, 'query'> = { query: () => Promise.reject(new Error('out of shared memory')) };
    await expect(start(failing as Database, other)).resolves.toBeUndefined();
    expect(lines).toMatchObject([{ level: 50 }]);
  });
});
