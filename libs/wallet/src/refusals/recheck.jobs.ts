import { defineJob } from '#platform/queue';

/** Tests refused credentials again. The job has one attempt, because `credential_refusals` stores when to try again. */
export const RecheckWalletJob = defineJob<{ walletId: string }>('wallet.recheck', {
  attempts: 1,
  backoffMs: 1_000,
  concurrency: 'WALLET_RECHECK_CONCURRENCY',
});
