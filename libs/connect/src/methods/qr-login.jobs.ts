import { defineJob } from '#platform/queue';

/**
 * Polls one login with the app of an exchange. The job has one attempt, because the row stores when the next poll is
 * due.
 */
export const PollQrLoginJob = defineJob<{ sessionId: string; taken: string }>('qr-login.poll', {
  concurrency: 10,
});
