import { Projects, type ProjectIdentity } from '#access';
import { loadConfig } from '#platform/config';
import { Keyring, LocalKey, rowsOfEachKey, SealedTables, Vault } from '#platform/crypto';
import type { Database } from '#platform/database';
import { CheckVaultKeys } from '#platform/health';
import { capturedLog, withoutRules } from '#platform/testing';
import { connectedWallet } from '../testing/connected-wallet.js';
import { grantedWallet } from '../testing/granted-wallet.js';
import { createWalletHarness, type WalletHarness } from '../testing/wallet-harness.js';
import { KeyDigests } from './key-digests.js';
import { Wallets } from '../wallets/wallets.service.js';
import { SealedWalletTables } from './sealed-wallet-tables.js';

const API_KEY = `sealed->'fields'->'apiKey'`;
const vaultOf = (id: string, byte: number): Vault => new Vault(new Keyring([new LocalKey(id, Buffer.alloc(32, byte))]));

describe('a process that starts', () => {
  let { logger, lines } = capturedLog();
  const unused = vaultOf('new', 2);
  /** A vault with other bytes under the id of the key with which the records of the harness are sealed. */
  const wrong = vaultOf('test', 3);
  let harness: WalletHarness;
  let project: ProjectIdentity;

  beforeEach(async () => {
    harness = await createWalletHarness();
    project = await harness.project('test');
    ({ logger, lines } = capturedLog());
  });
  afterEach(() => harness.close());

  function samplesFor(vault: Vault, db: Database): SealedTables {
    const samples = new SealedTables(vault);
    const parts = [harness.get(Projects), harness.get(Wallets), harness.get(KeyDigests)] as const;
    void new SealedWalletTables(db, vault, ...parts, samples);
    return samples;
  }
  async function start(
    vault: Vault,
    { db = harness.db, lost = '' }: { db?: Pick<Database, 'query'>; lost?: string } = {},
  ): Promise<CheckVaultKeys> {
    const config = loadConfig({ VAULT_LOST_KEYS: lost });
    const keys = new CheckVaultKeys(samplesFor(vault, db as Database), config, logger);
    await keys.onModuleInit();
    return keys;
  }

  it('is not ready, and logs one error, when its vault lacks the keys of stored credentials', async () => {
    await start(unused);
    expect(lines).toEqual([]);
    await connectedWallet(harness.db, project, { vault: harness.vault });
    await connectedWallet(harness.db, project, { vault: harness.vault });
    await connectedWallet(harness.db, project, { vault: vaultOf('another', 4) });
    const keys = await start(unused);
    expect(lines).toMatchObject([{ level: 50, keyIds: ['another', 'test'], tables: ['wallet_credentials'] }]);
    expect(await keys.check()).toBe(false);
    expect(await (await start(harness.vault)).check()).toBe(false);
    expect(lines.slice(1)).toMatchObject([{ level: 50, keyIds: ['another'] }]);
  });

  it('is ready without the keys that VAULT_LOST_KEYS names, so that owners can connect their wallets again', async () => {
    await connectedWallet(harness.db, project, { vault: vaultOf('first', 4) });
    await connectedWallet(harness.db, project, { vault: vaultOf('second', 5) });
    expect(await (await start(unused, { lost: 'first, second' })).check()).toBe(true);
    expect(lines).toMatchObject([{ level: 40, keyIds: ['first', 'second'], tables: ['wallet_credentials'] }]);
    lines.splice(0);
    expect(await (await start(unused, { lost: 'second' })).check()).toBe(false);
    expect(lines).toMatchObject([
      { level: 50, keyIds: ['first'] },
      { level: 40, keyIds: ['second'] },
    ]);
  });

  it('does not start with wrong bytes of a key, even if VAULT_LOST_KEYS names the key', async () => {
    await connectedWallet(harness.db, project, { vault: harness.vault });
    await expect(start(wrong, { lost: 'test' })).rejects.toThrow('under the key id test');
  });

  it('refuses to start when a vault key has the id of the key that sealed credentials, but other bytes', async () => {
    await start(wrong);
    await connectedWallet(harness.db, project, { vault: harness.vault });
    await expect(start(wrong)).rejects.toThrow('encrypted with other bytes under the key id test; restore');
    await start(harness.vault);
    expect(lines).toEqual([]);
  });

  it('refuses to start with wrong bytes of a key even if the key sealed only replaced credentials or a refresh token', async () => {
    const { id } = await grantedWallet(harness, project);
    const forget = `update wallet_credentials set sealed = jsonb_set(sealed, '{fields,apiKey,keyId}', '"lost"')`;
    await harness.db.query(forget);
    await expect(start(wrong)).rejects.toThrow('under the key id test');
    await harness.db.query(`delete from wallet_grants`);
    await start(wrong);
    await connectedWallet(harness.db, project, { vault: harness.vault });
    await withoutRules(
      harness.database.ownerUrl,
      `insert into replaced_credentials (wallet_id, project_id, version, sealed, replaced_at, erase_after, stored_at)
       select wallet_id, project_id, 'old', sealed, now(), now(), now() from wallet_credentials where wallet_id <> '${id}'`,
    );
    await harness.db.query(forget);
    await expect(start(wrong)).rejects.toThrow('under the key id test');
  });

  it('starts, and logs an error, when its key opens some records under its id and not others', async () => {
    await connectedWallet(harness.db, project, { vault: harness.vault });
    await connectedWallet(harness.db, project, { vault: wrong });
    const keys = await start(harness.vault);
    expect(lines).toMatchObject([{ level: 50, keyIds: ['test'], tables: ['wallet_credentials'] }]);
    expect(await keys.check()).toBe(true);
  });

  it('starts, and logs an error, when its key opens only the newest of the credentials under its id', async () => {
    for (let index = 0; index < 4; index += 1) await connectedWallet(harness.db, project, { vault: wrong });
    await connectedWallet(harness.db, project, { vault: harness.vault });
    const keys = await start(harness.vault);
    expect(lines).toMatchObject([{ level: 50, keyIds: ['test'], tables: ['wallet_credentials'] }]);
    expect(await keys.check()).toBe(true);
  });

  it.each([
    ['wallet_credentials', API_KEY],
    ['replaced_credentials', API_KEY],
    ['wallet_grants', 'sealed'],
    ['wallet_identities', 'sealed'],
    ['webhook_secrets', 'sealed'],
  ])('finds the key ids in %s with an index', async (table, record) => {
    const plan = await harness.db.transaction(async (tx) => {
      // The planner reads a small table as a whole unless a setting makes this expensive.
      await harness.db.query(`set local enable_seqscan = off`, [], tx);
      await harness.db.query(`set local role causeway_api`, [], tx);
      return harness.db.query<{ 'QUERY PLAN': string }>(`explain ${rowsOfEachKey(`every_${table}`, record)}`, [], tx);
    });
    expect(plan.map((line) => line['QUERY PLAN']).join('\n')).not.toMatch(/Seq Scan/);
  });

  it.each([
    ['the database does not respond', 'Connection terminated', 40],
    ['the query for the records fails', 'out of shared memory', 50],
  ])(
    'starts and logs the failure when %s, and is not ready until it has compared its vault keys',
    async (_case, message, level) => {
      const { keys, repair } = await startWithFailingQuery(harness.vault, message);
      expect(lines).toMatchObject([{ level }]);
      expect(await keys.check()).toBe(false);
      repair();
      expect(await keys.check()).toBe(true);
    },
  );

  it('is never ready when it finds wrong bytes of a key after its start, and logs one error', async () => {
    await connectedWallet(harness.db, project, { vault: harness.vault });
    const { keys, repair } = await startWithFailingQuery(wrong, 'Connection terminated');
    repair();
    lines.splice(0);
    expect(await keys.check()).toBe(false);
    expect(await keys.check()).toBe(false);
    expect(lines).toMatchObject([{ level: 50, msg: expect.stringContaining('under the key id test') as string }]);
  });

  it('logs a comparison that fails at each readiness probe at most once in ten seconds', async () => {
    const { keys } = await startWithFailingQuery(harness.vault, 'Connection terminated');
    expect(await keys.check()).toBe(false);
    expect(await keys.check()).toBe(false);
    expect(lines).toMatchObject([{ level: 40, msg: expect.stringContaining('could not check') as string }]);
  });

  async function startWithFailingQuery(
    vault: Vault,
    message: string,
  ): Promise<{ keys: CheckVaultKeys; repair: () => void }> {
    let isFailing = true;
    const query = (...[sql, values]: Parameters<Database['query']>): Promise<never[]> =>
      isFailing ? Promise.reject(new Error(message)) : harness.db.query(sql, values);
    const keys = await start(vault, { db: { query } });
    return {
      keys,
      repair: () => {
        isFailing = false;
      },
    };
  }
});
