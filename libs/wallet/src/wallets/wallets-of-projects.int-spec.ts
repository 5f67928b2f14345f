import type { ProjectIdentity } from '#access';
import { GetWallet } from '../reading/get-wallet.js';
import { connectedWallet } from '../testing/connected-wallet.js';
import { createWalletHarness, type WalletHarness } from '../testing/wallet-harness.js';
import { WalletNotFound } from '../wallets/wallet.errors.js';
import type { Wallet } from './wallet.entity.js';
import { Wallets } from './wallets.service.js';

type Look = (harness: WalletHarness, project: ProjectIdentity, wallet: Wallet) => Promise<unknown>;

const LOOKS: [what: string, look: Look][] = [
  ['Wallets.get', (harness, project, { externalId }) => harness.get(Wallets).get(project, externalId)],
  ['Wallets.find', (harness, project, { externalId }) => harness.get(Wallets).find(project, externalId)],
  [
    'Wallets.wasConnected',
    (harness, project, { externalId }) => harness.get(Wallets).wasConnected(project, externalId),
  ],
  [
    'Wallets.hasExternalId',
    (harness, project, { id, externalId }) => harness.get(Wallets).hasExternalId(project, id, externalId),
  ],
  ['GetWallet', (harness, project, { externalId }) => harness.get(GetWallet).execute(project, externalId)],
];

describe('a wallet', () => {
  let harness: WalletHarness;
  beforeAll(async () => (harness = await createWalletHarness()));
  afterAll(() => harness.close());

  /** Returns whether the look has shown the wallet. */
  const shows = async (look: Look, project: ProjectIdentity, wallet: Wallet): Promise<boolean> => {
    const shown = await look(harness, project, wallet).catch((error: unknown) => {
      if (!(error instanceof WalletNotFound)) throw error;
      return null;
    });
    return shown !== null && shown !== false;
  };

  it.each(LOOKS)('is shown by %s only to its own project', async (_what, look) => {
    const [own, other] = [await harness.project('test'), await harness.project('test')];
    const wallet = await connectedWallet(harness.db, own);
    expect([await shows(look, own, wallet), await shows(look, other, wallet)]).toEqual([true, false]);
  });

  it('keeps the external id under which it was connected, and has no other id of its project', async () => {
    const project = await harness.project('test');
    const [wallet, other] = [await connectedWallet(harness.db, project), await connectedWallet(harness.db, project)];
    await harness.db.query(`update wallets set deleted_at = now() where id = $1`, [wallet.id]);
    const has = ({ externalId }: Wallet) => harness.get(Wallets).hasExternalId(project, wallet.id, externalId);
    expect([await has(wallet), await has(other)]).toEqual([true, false]);
  });
});
