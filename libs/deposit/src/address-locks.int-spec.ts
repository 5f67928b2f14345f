import { connectedWallet, createWalletHarness, type WalletHarness } from '#wallet/testing';
import { AddressLocks } from './address-locks.js';
import { DepositModule } from './deposit.module.js';

describe('the lock of a deposit address', () => {
  let harness: WalletHarness;

  beforeAll(async () => {
    harness = await createWalletHarness({ imports: [{ module: DepositModule }] });
  });
  afterAll(() => harness.close());

  it('is held by one call at a time, however long each call takes', async () => {
    const { id: walletId } = await connectedWallet(harness.db, await harness.project('test'));
    let [pauses, running] = [0, 0];
    harness.clock.sleep = () => {
      pauses++;
      return new Promise(setImmediate);
    };
    const work = async (): Promise<void> => {
      expect(++running).toBe(1);
      for (let steps = 0; steps < 6; steps++) {
        harness.clock.advance(3_000);
        // The call that waits for the lock, and the renewal of the lock, pause again and again.
        const [enough, deadline] = [pauses + 20, Date.now() + 500];
        while (pauses < enough && Date.now() < deadline) await new Promise(setImmediate);
      }
      running--;
    };
    const locks = harness.get(AddressLocks);
    const key = { walletId, asset: 'ETH', network: 'ethereum' };
    await Promise.all([locks.run(key, work), locks.run(key, work)]);
  });
});
