import { DeleteProject, ProjectSuspended, SuspendProject, type ProjectIdentity } from '#access';
import { connectedWallet } from '../testing/connected-wallet.js';
import { holdCredentials } from '../testing/replace-credentials.js';
import { createWalletHarness, type WalletHarness } from '../testing/wallet-harness.js';
import { WalletSessions } from '../sessions/wallet-sessions.service.js';
import type { Wallet } from '../wallets/wallet.entity.js';
import { WalletCredentials } from './wallet-credentials.service.js';

describe.each([
  ['suspended', (harness: WalletHarness, id: string) => harness.get(SuspendProject).suspend(id, 'tests')],
  ['deleted', (harness: WalletHarness, id: string) => harness.get(DeleteProject).execute(id, 'tests')],
] as const)('the credentials of a project that was %s', (_how, stop) => {
  let harness: WalletHarness;
  let project: ProjectIdentity;
  let wallet: Wallet;

  beforeAll(async () => (harness = await createWalletHarness()));
  afterAll(() => harness.close());
  beforeEach(async () => {
    project = await harness.project('test');
    wallet = await connectedWallet(harness.db, project, { vault: harness.vault });
    await holdCredentials(harness, wallet);
  });

  const credentials = () => harness.get(WalletCredentials);
  const takenOf = async ({ id }: Wallet): Promise<number> => {
    const now = harness.clock.now();
    const taken = await credentials().takeDue(now, new Date(now.getTime() + 1), 1_000);
    return taken.filter(({ walletId }) => walletId === id).length;
  };
  const used = (): Promise<string> =>
    harness.get(WalletSessions).use(wallet, { autoDelete: false }, () => Promise.resolve('used'));

  it('are used neither by callers nor by the refresh of due wallets', async () => {
    expect(await used()).toBe('used');
    expect(await takenOf(wallet)).toBe(1);
    await harness.db.query(`update wallets set next_sync_at = created_at where id = $1`, [wallet.id]);
    await stop(harness, project.id);
    await expect(used()).rejects.toThrow(ProjectSuspended);
    expect(await takenOf(wallet)).toBe(0);
  });

  it('still open to settle what began with them', async () => {
    const { version } = await credentials().target(wallet.id, { deletedToo: false });
    await stop(harness, project.id);
    expect(await credentials().targetOfVersion(wallet.id, version)).toMatchObject({ version });
    await expect(harness.get(WalletSessions).openVersion(wallet.id, version)).resolves.toBeDefined();
  });
});
