import { defineJob } from '#platform/queue';

/** Renews the access token of one wallet. The job has one attempt, because `wallet_grants` stores when to try again. */
export const RefreshGrantJob = defineJob<{ walletId: string; revision: string }>('grant.refresh', {
  concurrency: 10,
});
