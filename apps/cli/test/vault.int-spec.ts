import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ProjectIdentity } from '#access';
import { Secret, type KeyStatus } from '#platform/crypto';
import { projectRoot, TEST_API_KEY_PEPPER, until } from '#platform/testing';
import type { Wallet } from '#wallet';
import {
  connectedWallet,
  createWalletHarness,
  grantedWallet,
  WalletCredentials,
  type WalletHarness,
} from '#wallet/testing';
import { CommandLine } from './command-line.js';

const key = (id: string, byte: number): string => `${id}:${Buffer.alloc(32, byte).toString('base64')}`;
const OLD = key('test', 1);
const NEW = key('k2', 2);
const WALLETS = 60;
/** A busy machine takes long to start the process that is killed. */
const ROTATION_TIMEOUT_MS = 240_000;

describe('the vault', () => {
  let before: WalletHarness;
  let project: ProjectIdentity;
  let cli: CommandLine;
  const wallets: Wallet[] = [];

  beforeAll(async () => {
    before = await createWalletHarness({ settings: { VAULT_KEYS: OLD } });
    project = await before.project('test');
    for (let index = 0; index < WALLETS; index++) {
      const credentials = { apiKey: new Secret(`key-${index}`), apiSecret: new Secret('secret') };
      wallets.push(await connectedWallet(before.db, project, { vault: before.vault, credentials }));
    }
    await grantedWallet(before, project);
    cli = new CommandLine({ DATABASE_URL: before.database.roleUrl('cli'), VAULT_KEYS: `${NEW},${OLD}` });
  });
  afterAll(() => before.close());

  const status = (VAULT_KEYS: string): Promise<KeyStatus[]> =>
    new CommandLine({ DATABASE_URL: before.database.roleUrl('cli'), VAULT_KEYS }).json('vault', 'status');
  const countOld = async (): Promise<number> =>
    (await status(`${NEW},${OLD}`)).find(({ keyId }) => keyId === 'test')?.records ?? 0;

  /** Starts `vault rotate` in a process of its own, and kills the process after its first rows. */
  async function killRotation(): Promise<void> {
    const child = spawn(process.execPath, ['dist/apps/cli/src/main.js', 'vault', 'rotate', '--batch', '1'], {
      cwd: projectRoot,
      env: {
        DATABASE_URL: before.database.roleUrl('cli'),
        API_KEY_PEPPER: TEST_API_KEY_PEPPER,
        VAULT_KEYS: `${NEW},${OLD}`,
      },
    });
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (out += chunk.toString()));
    const end = once(child, 'exit');
    await until('some rows are encrypted again', () => /wallet_credentials .* [1-9]\d* of/.test(out), 120_000);
    child.kill('SIGKILL');
    expect(await end).toEqual([null, 'SIGKILL']);
  }

  it('shows the keys that the records need, and the keys that may be removed', async () => {
    expect(await status(`${NEW},${OLD}`)).toMatchObject([
      { keyId: 'k2', source: 'environment', isPrimary: true, records: 0, problem: null, mayBeRemoved: false },
      {
        keyId: 'test',
        isPrimary: false,
        records: WALLETS + 2,
        problem: null,
        mayBeRemoved: false,
        tables: { wallet_credentials: WALLETS + 1, wallet_grants: 1 },
      },
    ]);
    const { code, out, err } = await new CommandLine({
      DATABASE_URL: before.database.roleUrl('cli'),
      VAULT_KEYS: NEW,
    }).run(['vault', 'status']);
    expect([code, err]).toEqual([1, 'error: samples cannot be opened: test\n']);
    expect(out).toMatch(/^test +missing +- +62 .* missing +no$/m);
  });

  it(
    'encrypts everything again under concurrent writes and after a kill, so that the old key can be removed',
    async () => {
      const during = await createWalletHarness({ beside: before, settings: { VAULT_KEYS: `${NEW},${OLD}` } });
      await killRotation();
      const left = await countOld();
      expect(left).toBeGreaterThan(0);
      expect(left).toBeLessThan(WALLETS + 2);

      const replaced = new Map<string, string>();
      let isWriting = true;
      const writing = (async () => {
        for (let index = WALLETS - 1; isWriting && index >= 0; index -= 5) {
          const wallet = wallets[index];
          if (wallet === undefined) break;
          await during.replaceCredentials(project, wallet);
          replaced.set(wallet.id, 'new-key');
        }
      })();
      const { code, out, err } = await cli.run(['vault', 'rotate', '--batch', '7']);
      isWriting = false;
      await writing;
      expect([code, err]).toEqual([0, '']);
      expect(out).toMatch(/wallet_credentials +\[#+\] (\d+) of \1/);
      expect(replaced.size).toBeGreaterThan(0);

      expect(await status(`${NEW},${OLD}`)).toMatchObject([
        { keyId: 'k2', isPrimary: true, records: WALLETS + 2 },
        { keyId: 'test', records: 0, mayBeRemoved: true },
      ]);
      const after = await createWalletHarness({ beside: before, settings: { VAULT_KEYS: NEW } });
      for (const [index, { id }] of wallets.entries()) {
        const { credentials } = await after.get(WalletCredentials).target(id, { deletedToo: false });
        expect(credentials.apiKey.reveal()).toBe(replaced.get(id) ?? `key-${index}`);
      }
      await during.close();
      await after.close();
    },
    ROTATION_TIMEOUT_MS,
  );

  it('makes the digests of API keys anew after API_KEY_PEPPER has changed', async () => {
    const digests = async (): Promise<string[]> =>
      (
        await before.db.query<{ digest: string }>(
          `select encode(key_digest, 'hex') as digest from wallet_credentials where key_digest is not null order by 1`,
        )
      ).map(({ digest }) => digest);
    const old = await digests();
    const API_KEY_PEPPER = Buffer.alloc(32, 8).toString('base64');
    const { code } = await cli.run(['vault', 'rotate'], { API_KEY_PEPPER });
    expect(code).toBe(0);
    const made = await digests();
    expect(made).toHaveLength(old.length);
    expect(made.filter((digest) => old.includes(digest))).toEqual([]);
    expect(await cli.run(['vault', 'rotate'], { API_KEY_PEPPER })).toMatchObject({
      out: expect.stringContaining('0 rows were encrypted again') as string,
    });
  });

  it('leaves rows that cannot be decrypted, names them, and fails', async () => {
    const [wallet] = wallets;
    await before.db.query(
      `update wallet_credentials set sealed = jsonb_set(sealed, '{fields,apiKey,keyId}', '"lost"') where wallet_id = $1`,
      [wallet?.id],
    );
    expect(await cli.run(['vault', 'rotate'])).toMatchObject({
      code: 1,
      err: expect.stringContaining(`cannot be decrypted and were left: wallet_credentials ${wallet?.id}`) as string,
    });
  });
});
