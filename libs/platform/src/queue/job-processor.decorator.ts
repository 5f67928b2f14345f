import { Processor } from '@nestjs/bullmq';
import { SetMetadata } from '@nestjs/common';
import type { Job } from 'bullmq';
import type { JobDefinition, JobPayload } from './define-job.js';

/** The metadata key under which a processor's class keeps the definition of its job. */
export const JOB_DEFINITION = 'causeway:job-definition';

interface JobHost<Payload extends JobPayload> {
  process(job: Job<Payload>): Promise<void>;
}

/**
 * Marks the class (a `WorkerHost`) that runs the jobs of this definition. The definition names the settings of its
 * concurrency and rate.
 */
export function JobProcessor<Payload extends JobPayload>(
  job: JobDefinition<Payload>,
): (target: new (...dependencies: never[]) => JobHost<Payload>) => void {
  return (target) => {
    Processor(job.name)(target);
    SetMetadata(JOB_DEFINITION, job)(target);
  };
}
