import { ExchangeError } from '#exchange';
import { loadConfig, type Config } from '#platform/config';
import { capturedLog, ManualClock } from '#platform/testing';
import type { WalletSessions } from '#wallet';
import { comparesNoRefusals } from '../testing/compares-no-refusals.js';
import { CompareWallet } from './compare-wallet.js';
import type { EpochCheck, EpochChecks } from '../epoch/epoch-checks.js';

describe('the log of the comparison after a restore', () => {
  it('has one warning without a stack for all wallets of an exchange that cannot be reached', async () => {
    const { logger, lines } = capturedLog();
    const clock = new ManualClock();
    const checks: Pick<EpochChecks, 'find' | 'hasUndecided' | 'postpone'> = {
      find: (walletId) => Promise.resolve({ walletId, firstSeenAt: clock.now(), checkCount: 1 } as EpochCheck),
      hasUndecided: () => Promise.resolve(false),
      postpone: () => Promise.resolve(),
    };
    const sessions: Pick<WalletSessions, 'openById'> = {
      openById: (wallet) => Promise.reject(new ExchangeError('unavailable', 'kraken', `time-out for ${wallet}`)),
    };
    const config: Config = loadConfig({ NODE_ENV: 'test' });
    const compare = new CompareWallet(
      checks as EpochChecks,
      sessions as WalletSessions,
      comparesNoRefusals,
      clock,
      config,
      logger,
    );
    for (let index = 0; index < 50; index += 1) await compare.execute(`wallet-${index}`);
    expect(lines).toMatchObject([{ level: 40, wallet: 'wallet-0', cause: 'kraken unavailable' }]);
    expect(lines[0]).not.toHaveProperty('err');
  });
});
