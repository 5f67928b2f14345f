import { mock } from 'node:test';
import { Projects, type ProjectIdentity } from '#access';
import { Keyring, LocalKey, ResealRecords, SealedTables, Vault } from '#platform/crypto';
import { connectedWallet } from '../testing/connected-wallet.js';
import { grantedWallet } from '../testing/granted-wallet.js';
import { holdCredentials } from '../testing/replace-credentials.js';
import { createWalletHarness, type WalletHarness } from '../testing/wallet-harness.js';
import { Wallets } from '../wallets/wallets.service.js';
import { KeyDigests } from './key-digests.js';
import { SealedWalletTables } from './sealed-wallet-tables.js';

describe('sealed records of wallets, when the key of the vault is replaced', () => {
  let harness: WalletHarness;
  let project: ProjectIdentity;
  let vault: Vault;
  let tables: SealedTables;

  beforeEach(async () => {
    harness = await createWalletHarness();
    project = await harness.project('test');
    const granted = await grantedWallet(harness, project);
    const wallet = await connectedWallet(harness.db, project, { vault: harness.vault });
    await holdCredentials(harness, wallet);
    await harness.replaceCredentials(project, wallet);
    expect(granted.id).not.toBe(wallet.id);
    vault = new Vault(new Keyring([new LocalKey('next', Buffer.alloc(32, 5)), harness.get(Keyring).primary]));
    tables = new SealedTables(vault);
    const parts = [harness.get(Projects), harness.get(Wallets), harness.get(KeyDigests)] as const;
    void new SealedWalletTables(harness.db, vault, ...parts, tables);
  });
  afterEach(() => harness.close());

  const reseal = () => new ResealRecords(vault, tables).execute({ batch: 1, onProgress: () => undefined });
  const keysOf = async (table: string): Promise<string[]> =>
    (
      await tables
        .list()
        .find(([name]) => name === table)?.[1]
        .countByKey()
    )?.map(({ keyId }) => keyId) ?? [];

  it('are all sealed with the new key, and open', async () => {
    expect(await reseal()).toMatchObject({ unreadable: 0, left: 0 });
    for (const [table] of tables.list()) expect([table, await keysOf(table)]).toEqual([table, ['next']]);
    expect(await tables.findProblems()).toEqual([]);
  });

  it.each(['wallet_credentials', 'replaced_credentials', 'wallet_grants'])(
    'of %s are sealed again when another process has written them meanwhile',
    async (table) => {
      const before = await harness.db.query<{ sealed: object }>(`select sealed from ${table} order by wallet_id`);
      const sealer = vault.sealer.bind(vault);
      const written = new Set<string>();
      // Another process writes each row once, after it was read and before it is written.
      mock.method(vault, 'sealer', async (of: ProjectIdentity) => {
        const made = await sealer(of);
        for (const { id } of await harness.db.query<{ id: string }>(
          `update ${table} set sealed = sealed || '{"by": "another process"}' where not sealed ? 'by' returning wallet_id as id`,
        ))
          written.add(id);
        return made;
      });
      const { resealed, left } = await reseal();
      expect(written.size).toBe(before.length);
      expect(resealed).toBeGreaterThanOrEqual(before.length);
      expect(left).toBe(0);
      expect(await keysOf(table)).toEqual(['next']);
      const after = await harness.db.query<{ by: string | null }>(`select sealed->>'by' as by from ${table}`);
      // A record is sealed anew as a whole, and credentials keep what is beside their records.
      const isKept = table !== 'wallet_grants';
      expect(after.map(({ by }) => by === 'another process')).toEqual(before.map(() => isKept));
    },
  );
});
