import { Projects } from '#access';
import { Vault } from '#platform/crypto';
import type { AccountIdentity } from '#exchange';
import { Identities } from '#kyc';
import { refusalOf } from '../support/causeway-client.js';
import type { SandboxAccount } from '../support/sandbox.js';
import { TestApp, type TestProjectWithClient, type TestWallet } from '../support/test-app.js';

const KYC = '/v0/wallet/kyc';
const ada: AccountIdentity = {
  fullName: 'Ada Canary Lovelace',
  email: 'ada.canary@example.org',
  iban: 'DE89370400440532013000',
  country: 'DE',
};

describe('the identity behind a wallet', () => {
  let app: TestApp;
  let project: TestProjectWithClient;
  let wallet: TestWallet;

  beforeAll(async () => {
    app = await TestApp.create();
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    project = await app.project();
    wallet = await app.wallet(project);
  });

  async function uuidOf({ walletId }: TestWallet): Promise<string> {
    const [row] = await app.db.query<{ id: string }>(
      `select id from wallets where project_id = $1 and external_id = $2 and deleted_at is null`,
      [project.projectId, walletId],
    );
    if (row === undefined) throw new Error('no such wallet');
    return row.id;
  }

  async function store(identity: AccountIdentity): Promise<void> {
    const context = await app.api.get(Projects).getContext(project.projectId);
    const sealer = await app.api.get(Vault).sealer(context);
    const owner = { project: context, walletId: await uuidOf(wallet), sealer };
    await app.db.transaction((tx) => app.api.get(Identities).store(tx, owner, identity));
  }

  const countIdentities = async (): Promise<number> =>
    (
      await app.db.query(
        `select from wallet_identities i join wallets w on w.id = i.wallet_id where w.project_id = $1`,
        [project.projectId],
      )
    ).length;

  it('is returned as the exchange supplied it, with cache-control no-store', async () => {
    await store(ada);
    const { status, body, headers } = await wallet.http.get(KYC);
    expect([status, body]).toEqual([200, ada]);
    expect(headers['cache-control']).toBe('no-store');
  });

  it('has all four members, null where the exchange supplied nothing', async () => {
    await store({ fullName: 'Ada', email: null, iban: null, country: null });
    expect(await wallet.causeway.getIdentity()).toEqual({ fullName: 'Ada', email: null, iban: null, country: null });
  });

  it('is not found for a wallet that was connected by an API key', async () => {
    const { status, code, message } = await refusalOf(wallet.causeway.getIdentity());
    expect([status, code]).toEqual([404, 'WALLET_IDENTITY_NOT_FOUND']);
    expect(message).toMatch(/no linked identity/);
  });

  it('is not found for an unknown wallet, or a wallet of another project', async () => {
    await store(ada);
    const other = await app.project();
    const foreign = await refusalOf(other.causeway.getIdentity({ walletId: wallet.walletId }));
    const none = await refusalOf(project.causeway.getIdentity({ walletId: 'none' }));
    for (const { status, code, message } of [foreign, none]) {
      expect([status, code, message]).toEqual([404, 'WALLET_NOT_FOUND', 'Wallet not found']);
    }
  });

  it('requires the wallet header and the scopes read and kyc', async () => {
    expect((await refusalOf(project.causeway.getIdentity())).code).toBe('GENERIC_VALIDATION_ERROR');
    const reader = await app.project({ scopes: ['read'] });
    const { status, code, missing } = await refusalOf(reader.causeway.getIdentity({ walletId: 'w' }));
    expect([status, code, missing]).toEqual([403, 'APIKEY_INSUFFICIENT_PERMISSIONS', ['kyc']]);
    const kycOnly = await app.project({ scopes: ['kyc'] });
    expect((await refusalOf(kycOnly.causeway.getIdentity({ walletId: 'w' }))).missing).toEqual(['read']);
  });

  it('is erased with the wallet, even while a withdrawal holds its credentials', async () => {
    await store(ada);
    await app.db.query(
      `insert into credential_holds (wallet_id, holder, version, created_at)
       select wallet_id, $2, sealed->>'id', now() from wallet_credentials where wallet_id = $1`,
      [await uuidOf(wallet), project.projectId],
    );
    expect(await countIdentities()).toBe(1);
    await wallet.causeway.deleteWallet();
    expect(await countIdentities()).toBe(0);
  });

  it('is erased when other credentials are connected, and kept when the same credentials are connected again', async () => {
    await store(ada);
    const connect = ({ apiKey, apiSecret }: Pick<SandboxAccount, 'apiKey' | 'apiSecret'>) =>
      wallet.causeway.connectWallet({ exchange: 'kraken', apiKey, apiSecret });
    await connect(wallet.account);
    expect(await wallet.causeway.getIdentity()).toEqual(ada);
    await connect(await app.sandbox.open());
    expect((await refusalOf(wallet.causeway.getIdentity())).code).toBe('WALLET_IDENTITY_NOT_FOUND');
  });

  it('cannot be decrypted for another wallet, and is readable neither in the database nor in the log', async () => {
    await store(ada);
    const own = await wallet.http.get(KYC, { headers: { 'x-request-id': 'read-identity' } });
    expect(own.status).toBe(200);
    const other = await app.wallet(project);
    await app.db.query(
      `insert into wallet_identities (wallet_id, sealed, created_at) select $1, sealed, created_at from wallet_identities where wallet_id = $2`,
      [await uuidOf(other), await uuidOf(wallet)],
    );
    expect((await refusalOf(other.causeway.getIdentity())).code).toBe('GENERIC_INTERNAL_SERVER_ERROR');
    const rows = JSON.stringify(await app.db.query(`select * from wallet_identities`));
    const written = [rows, ...app.logLines];
    expect(app.logLines.some((line) => line.includes('read-identity'))).toBe(true);
    for (const canary of [ada.fullName, ada.email, ada.iban]) {
      expect(written.filter((text) => text.includes(canary ?? ''))).toEqual([]);
    }
  });
});
