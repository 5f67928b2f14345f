import { defineJob } from '#platform/queue';

/** Tests refused credentials again. One attempt: the row stores when to try again. */
export const RecheckWalletJob = defineJob<{ walletId: string }>('wallet.recheck', {
  attempts: 1,
  backoffMs: 1_000,
  concurrency: 'WALLET_RECHECK_CONCURRENCY',
});
