import { defineJob } from '#platform/queue';

/** Asks an exchange again about refused credentials. One attempt: the row says when the worker asks again. */
export const RecheckWalletJob = defineJob<{ walletId: string }>('wallet.recheck', {
  attempts: 1,
  backoffMs: 1_000,
  concurrency: 'WALLET_RECHECK_CONCURRENCY',
});
