import type { ProjectIdentity } from '#access';
import type { AccountIdentity } from '#exchange';
import { CannotOpen, SealedTables } from '#platform/crypto';
import { WalletSessions, type Wallet } from '#wallet';
import { authorizedAs, createWalletHarness, grantedWallet, type WalletHarness } from '#wallet/testing';
import { Identities } from './identities.js';
import { KycModule } from './kyc.module.js';

const ada: AccountIdentity = { fullName: 'Ada Lovelace', email: 'ada@example.org', iban: null, country: 'GB' };

describe('the identity of a wallet', () => {
  let harness: WalletHarness;
  let project: ProjectIdentity;
  let wallet: Wallet;

  beforeAll(async () => {
    harness = await createWalletHarness({ imports: [{ module: KycModule }] });
  });
  afterAll(() => harness.close());
  beforeEach(async () => {
    harness.authorizations.reset();
    project = await harness.project('test');
    wallet = await grantedWallet(harness, project, { accessLivesMs: -1 });
    await store(ada);
  });

  async function store(identity: AccountIdentity): Promise<void> {
    const owner = { project, walletId: wallet.id, sealer: await harness.vault.sealer(project) };
    await harness.db.transaction((tx) => harness.get(Identities).store(tx, owner, identity));
  }
  const get = (): Promise<AccountIdentity> => harness.get(Identities).get(project, wallet.externalId);
  const count = async (): Promise<number> =>
    (await harness.db.query(`select from wallet_identities where wallet_id = $1`, [wallet.id])).length;

  it('stays when the access token is renewed', async () => {
    harness.authorizations.onRefresh = () => authorizedAs('second');
    await harness.get(WalletSessions).use(wallet, { autoDelete: true }, (session) => session.balances());
    expect(harness.authorizations.refreshed).toEqual(['refresh-first']);
    expect(await get()).toEqual(ada);
  });

  it('is among the sealed records with which a process checks its vault keys', async () => {
    const samples = harness.get(SealedTables);
    expect(await samples.findProblems()).toEqual([]);
    await harness.db.query(`update wallet_identities set sealed = jsonb_set(sealed, '{keyId}', '"lost"')`);
    expect(await samples.findProblems()).toEqual([{ keyId: 'lost', kind: 'missing', tables: ['wallet_identities'] }]);
    await harness.db.query(`delete from wallet_identities`);
  });

  it('is erased when the credentials are replaced', async () => {
    await harness.replaceCredentials(project, wallet);
    await expect(get()).rejects.toMatchObject({ code: 'WALLET_IDENTITY_NOT_FOUND' });
    expect(await count()).toBe(0);
  });

  it('is replaced by a newer identity', async () => {
    await store({ ...ada, fullName: 'Ada King' });
    expect(await get()).toMatchObject({ fullName: 'Ada King' });
  });

  it('of earlier credentials does not open beside the new ones, because these may belong to another person', async () => {
    const read = `select sealed from wallet_identities where wallet_id = $1`;
    const [old] = await harness.db.query<{ sealed: object }>(read, [wallet.id]);
    await harness.replaceCredentials(project, wallet);
    await harness.db.query(`insert into wallet_identities (wallet_id, sealed, created_at) values ($1, $2, now())`, [
      wallet.id,
      JSON.stringify(old?.sealed),
    ]);
    await expect(get()).rejects.toThrow(CannotOpen);
  });

  it('is not stored when the transaction fails', async () => {
    const owner = { project, walletId: wallet.id, sealer: await harness.vault.sealer(project) };
    const failed = harness.db.transaction(async (tx) => {
      await harness.get(Identities).store(tx, owner, { ...ada, fullName: 'Nobody' });
      throw new Error('something else failed');
    });
    await expect(failed).rejects.toThrow('something else failed');
    expect(await get()).toEqual(ada);
  });
});
