import type { ProjectIdentity } from '#access';
import { WalletCredentials } from '../credentials/wallet-credentials.service.js';
import { grantedWallet, grantOf } from '../testing/granted-wallet.js';
import { holdCredentials } from '../testing/replace-credentials.js';
import { authorizedAs } from '../testing/scripted-authorizations.js';
import { createWalletHarness, type WalletHarness } from '../testing/wallet-harness.js';
import type { Wallet } from '../wallets/wallet.entity.js';
import { RefreshGrant } from './refresh-grant.js';
import { StoreGrant } from './store-grant.js';

describe('held credentials with a grant', () => {
  let harness: WalletHarness;
  /** Connects with the role of the worker, which may not encrypt credentials again. */
  let worker: WalletHarness;
  let project: ProjectIdentity;
  let wallet: Wallet;

  beforeAll(async () => {
    harness = await createWalletHarness();
    worker = await createWalletHarness({
      beside: harness,
      settings: { DATABASE_URL: harness.database.roleUrl('worker') },
    });
  });
  afterAll(async () => {
    await worker.close();
    await harness.close();
  });
  beforeEach(async () => {
    harness.authorizations.reset();
    worker.authorizations.reset();
    project = await harness.project('test');
    wallet = await grantedWallet(harness, project);
    await holdCredentials(harness, wallet);
  });

  const keyNow = async (): Promise<string> => {
    const { credentials } = await harness.get(WalletCredentials).target(wallet.id, { deletedToo: false });
    return credentials.apiKey.reveal();
  };

  it.each([
    ['another grant', {}],
    ['no other grant', null],
  ])('are renewed when the exchange returns %s', async (_, grant) => {
    worker.authorizations.onRefresh = () => authorizedAs('second', grant);
    const revision = (await grantOf(harness, wallet))?.revision ?? '';
    await worker.get(RefreshGrant).execute(wallet.id, revision);
    expect(await keyNow()).toBe('access-second');
    expect((await grantOf(harness, wallet)) === null).toBe(grant === null);
  });

  it('get a new grant when the owner connects with the same access token again', async () => {
    const before = await grantOf(harness, wallet);
    const { credentials, grant, scopes } = authorizedAs('first');
    const owner = { project, walletId: wallet.id, sealer: await harness.vault.sealer(project) };
    await worker.db.transaction(async (tx) => {
      await worker.get(WalletCredentials).store(tx, owner, credentials, owner.sealer);
      await worker.get(StoreGrant).execute(tx, owner, grant, scopes);
    });
    const after = await grantOf(harness, wallet);
    expect(after).toMatchObject({ failures: 0, ended_at: null, holder: null });
    expect(after?.revision).not.toBe(before?.revision);
  });
});
