import { Processor } from '@nestjs/bullmq';
import { SetMetadata } from '@nestjs/common';
import type { Job } from 'bullmq';
import type { JobDefinition, JobPayload } from './define-job.js';

/** Metadata of a processor: the definition of its job. */
export const JOB_DEFINITION = 'causeway:job-definition';

interface JobHost<Payload extends JobPayload> {
  process(job: Job<Payload>): Promise<void>;
}

/**
 * The class (a `WorkerHost`) that runs jobs of this definition. How many at once and how fast stands in the
 * configuration, under the settings that the definition names.
 */
export function JobProcessor<Payload extends JobPayload>(
  job: JobDefinition<Payload>,
): (target: new (...dependencies: never[]) => JobHost<Payload>) => void {
  return (target) => {
    Processor(job.name)(target);
    SetMetadata(JOB_DEFINITION, job)(target);
  };
}
