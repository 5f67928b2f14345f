import type { ProjectIdentity } from '#access';
import type { DepositMethod } from '#exchange';
import type { Wallet } from '#wallet';
import {
  connectedWallet,
  createWalletHarness,
  credentialVersionOf,
  replaceCredentials,
  type WalletHarness,
} from '#wallet/testing';
import { DepositAddresses, toDepositAddress } from './deposit-addresses.js';
import { DepositModule } from './deposit.module.js';

const METHOD: DepositMethod = {
  asset: 'ETH',
  network: 'ethereum',
  exchangeMethodId: 'Ether',
  tagType: null,
  minimum: null,
  fee: null,
  limit: null,
  canGenerateAddress: true,
};

describe('the stored deposit address', () => {
  let harness: WalletHarness;
  let project: ProjectIdentity;
  let wallet: Wallet;
  let begun: number;
  beforeAll(async () => {
    harness = await createWalletHarness({ imports: [{ module: DepositModule }] });
  });
  afterAll(() => harness.close());
  beforeEach(async () => {
    project = await harness.project('test');
    wallet = await connectedWallet(harness.db, project, { vault: harness.vault });
    begun = harness.clock.now().getTime();
  });

  const key = () => ({ walletId: wallet.id, asset: 'ETH', network: 'ethereum' });
  const stored = async () => (await harness.get(DepositAddresses).find(key()))?.address;
  /** Stores an address that was requested this many milliseconds after the test began. */
  async function record(address: string, ms: number, version?: string): Promise<void> {
    const given = toDepositAddress(METHOD, { address, tag: null, expiresAt: null }, new Date(begun + ms));
    const ofNow = await credentialVersionOf(harness.db, wallet.id);
    await harness.get(DepositAddresses).record({ ...key(), folded: null }, given, version ?? ofNow);
  }

  it('is replaced by that of a later request, and not by that of an earlier request', async () => {
    await record('0xa', 0);
    await record('0xb', -1);
    expect(await stored()).toBe('0xa');
    await record('0xc', 1);
    expect(await stored()).toBe('0xc');
  });

  it('is replaced only by an address that was requested with the present credentials of the wallet', async () => {
    const before = await credentialVersionOf(harness.db, wallet.id);
    await record('0xa', 10);
    await replaceCredentials(harness, project, wallet);
    await record('0xb', 0);
    expect(await stored()).toBe('0xb');
    await record('0xc', 20, before);
    expect(await stored()).toBe('0xb');
  });
});
