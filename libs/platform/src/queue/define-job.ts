import type { NumberSetting } from '#platform/config';

/** Values that JSON keeps. A payload has ids, never rows or secrets. */
export type JobPayload = Record<string, string | number | boolean>;

export interface JobOptions {
  /** Most runs before the job counts as failed. Every processor may run twice. */
  attempts: number;
  /** First pause between attempts. It doubles each time. */
  backoffMs: number;
  /** The number of jobs of this kind that one worker process runs at the same time, or the name of its setting. */
  concurrency: NumberSetting | number;
  /** The setting with the number of jobs of this kind that all workers together begin in a second. Default: no limit. */
  perSecond?: NumberSetting;
}

/** A kind of background work. Each kind has a separate queue with the name of the job. */
export interface JobDefinition<Payload extends JobPayload = JobPayload> {
  readonly name: string;
  readonly options: JobOptions;
  /** Only for the type of the payload; never set. */
  readonly payload?: Payload;
}

/** @param name `<noun>.<verb>`, such as `withdrawal.reconcile`. */
export function defineJob<Payload extends JobPayload>(name: string, options: JobOptions): JobDefinition<Payload> {
  if (!/^[a-z-]+\.[a-z-]+$/.test(name)) throw new Error(`job name must be <noun>.<verb>: ${name}`);
  return { name, options };
}
