import { createHash } from 'node:crypto';
import type { ProjectIdentity } from '#access';
import { CannotOpen } from '#platform/crypto';
import { withoutRules } from '#platform/testing';
import { connectedWallet } from '../testing/connected-wallet.js';
import { eraseCredentials } from '../testing/replace-credentials.js';
import { createWalletHarness, type WalletHarness } from '../testing/wallet-harness.js';
import type { Wallet } from '../wallets/wallet.entity.js';
import { WalletCredentials } from './wallet-credentials.service.js';

describe('credentials that their owner has replaced', () => {
  let harness: WalletHarness;
  let project: ProjectIdentity;
  let wallet: Wallet;
  let old: object[];

  beforeAll(async () => (harness = await createWalletHarness()));
  afterAll(() => harness.close());
  beforeEach(async () => {
    project = await harness.project('test');
    wallet = await connectedWallet(harness.db, project, { vault: harness.vault });
    old = await harness.db.query(`select sealed, key_digest from wallet_credentials where wallet_id = $1`, [wallet.id]);
    await harness.replaceCredentials(project, wallet);
  });

  const openKey = async (): Promise<string> => {
    const target = await harness.get(WalletCredentials).target(wallet.id, { deletedToo: false });
    return target.credentials.apiKey.reveal();
  };
  const sealedOf = (row: object | undefined): string => JSON.stringify((row as { sealed: object }).sealed);

  it('do not open when someone with the password of the database puts the old row back', async () => {
    expect(await openKey()).toBe('new-key');
    await harness.db.query(`update wallet_credentials set sealed = $2 where wallet_id = $1`, [
      wallet.id,
      sealedOf(old[0]),
    ]);
    await expect(openKey()).rejects.toThrow(CannotOpen);
  });

  it('do not open when the old row is deleted first and inserted again', async () => {
    await eraseCredentials(harness.database.ownerUrl, wallet);
    await harness.db.query(`insert into wallet_credentials (wallet_id, sealed) values ($1, $2)`, [
      wallet.id,
      sealedOf(old[0]),
    ]);
    await expect(openKey()).rejects.toThrow(CannotOpen);
  });

  it('do not open in one field beside the other fields of the new credentials', async () => {
    await harness.db.query(
      `update wallet_credentials set sealed = jsonb_set(sealed, '{fields,apiKey}', $2::jsonb->'fields'->'apiKey')
        where wallet_id = $1`,
      [wallet.id, sealedOf(old[0])],
    );
    await expect(openKey()).rejects.toThrow(CannotOpen);
  });
});

describe('credentials of another wallet of the project', () => {
  it('do not open when the owner of the table copies them to a wallet', async () => {
    const harness = await createWalletHarness();
    const project = await harness.project('test');
    const other = await connectedWallet(harness.db, project, { vault: harness.vault });
    const wallet = await connectedWallet(harness.db, project, { vault: harness.vault });
    const open = () => harness.get(WalletCredentials).target(wallet.id, { deletedToo: false });
    await expect(open()).resolves.toMatchObject({ walletId: wallet.id });
    await withoutRules(
      harness.database.ownerUrl,
      `update wallet_credentials set sealed = other.sealed from wallet_credentials other
        where wallet_credentials.wallet_id = '${wallet.id}' and other.wallet_id = '${other.id}'`,
    );
    await expect(open()).rejects.toThrow(CannotOpen);
    await harness.close();
  });
});

describe('the digest of an API key in the database', () => {
  it('is keyed, so that a copy of the database does not show which key it belongs to', async () => {
    const harness = await createWalletHarness();
    const project = await harness.project('test');
    const wallet = await connectedWallet(harness.db, project, { vault: harness.vault });
    await harness.replaceCredentials(project, wallet);
    const plain = createHash('sha256').update('new-key').digest('hex');
    const [row] = await harness.db.query<{ digest: string }>(
      `select encode(key_digest, 'hex') as digest from wallet_credentials where wallet_id = $1`,
      [wallet.id],
    );
    await harness.close();
    expect(row?.digest).toMatch(/^[0-9a-f]{64,}$/);
    expect(row?.digest).not.toContain(plain);
  });
});
