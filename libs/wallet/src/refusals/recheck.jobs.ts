import { defineJob } from '#platform/queue';

/** Tests refused credentials again. The job has one attempt, because `credential_refusals` stores when to try again. */
export const RecheckWalletJob = defineJob<{ walletId: string }>('wallet.recheck', {
  concurrency: 5,
});
