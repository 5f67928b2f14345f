import type { ProjectIdentity } from '#access';
import type { AccountIdentity } from '#exchange';
import { WalletSessions, type Wallet } from '#wallet';
import { authorizedAs, createWalletHarness, grantedWallet, type WalletHarness } from '#wallet/testing';
import { GetIdentity } from './get-identity.js';
import { KycModule } from './kyc.module.js';
import { StoreIdentity } from './store-identity.js';

const ada: AccountIdentity = { fullName: 'Ada Lovelace', email: 'ada@example.org', iban: null, country: 'GB' };

describe('the identity of a wallet', () => {
  let bed: WalletHarness;
  let project: ProjectIdentity;
  let wallet: Wallet;

  beforeAll(async () => {
    bed = await createWalletHarness({ imports: [{ module: KycModule }] });
  });
  afterAll(() => bed.close());
  beforeEach(async () => {
    bed.authorizations.reset();
    project = await bed.project('test');
    wallet = await grantedWallet(bed, project, { accessLivesMs: -1 });
    await store(ada);
  });

  const store = (identity: AccountIdentity): Promise<void> =>
    bed.db.transaction((tx) => bed.get(StoreIdentity).execute(tx, { project, walletId: wallet.id }, identity));
  const get = (): Promise<AccountIdentity> => bed.get(GetIdentity).execute(project, wallet.externalId);
  const count = async (): Promise<number> =>
    (await bed.db.query(`select from wallet_identities where wallet_id = $1`, [wallet.id])).length;

  it('stays when the access token is renewed', async () => {
    bed.authorizations.onRefresh = () => authorizedAs('second');
    await bed.get(WalletSessions).use(wallet, { autoDelete: true }, (session) => session.balances());
    expect(bed.authorizations.refreshed).toEqual(['refresh-first']);
    expect(await get()).toEqual(ada);
  });

  it('is erased when the credentials are replaced', async () => {
    await bed.replaceCredentials(project, wallet);
    await expect(get()).rejects.toMatchObject({ code: 'WALLET_IDENTITY_NOT_FOUND' });
    expect(await count()).toBe(0);
  });

  it('is replaced by a newer one', async () => {
    await store({ ...ada, fullName: 'Ada King' });
    expect(await get()).toMatchObject({ fullName: 'Ada King' });
  });

  it('is not stored when the transaction fails', async () => {
    const failed = bed.db.transaction(async (tx) => {
      await bed.get(StoreIdentity).execute(tx, { project, walletId: wallet.id }, { ...ada, fullName: 'Nobody' });
      throw new Error('something else failed');
    });
    await expect(failed).rejects.toThrow('something else failed');
    expect(await get()).toEqual(ada);
  });
});
