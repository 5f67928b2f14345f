import { WorkerHost } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import { JobProcessor } from '#platform/queue';
import { PollQrLoginJob } from './qr-login.jobs.js';
import { PollDueQrLogin } from './poll-due-qr-login.js';

@JobProcessor(PollQrLoginJob)
export class QrLoginProcessor extends WorkerHost {
  constructor(private readonly pollDueQrLogin: PollDueQrLogin) {
    super();
  }

  async process(job: Job<{ sessionId: string; taken: string }>): Promise<void> {
    await this.pollDueQrLogin.execute(job.data.sessionId, new Date(job.data.taken));
  }
}
