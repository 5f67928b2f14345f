import type { NumberSetting } from '#platform/config';

/** Anything that survives JSON: job payloads carry ids, never rows or secrets. */
export type JobPayload = Record<string, string | number | boolean>;

export interface JobOptions {
  /** Runs before the job counts as failed. Every processor is safe to run twice. */
  attempts: number;
  /** First pause between attempts; doubles each time. */
  backoffMs: number;
  /** The setting that says how many jobs of this kind one worker process runs at once. */
  concurrency: NumberSetting;
  /** The setting that says how many jobs of this kind all workers together begin in a second; unlimited without. */
  perSecond?: NumberSetting;
}

/** A kind of background work; each has a queue of its own, named like the job. */
export interface JobDefinition<Payload extends JobPayload = JobPayload> {
  readonly name: string;
  readonly options: JobOptions;
  /** Type only: what `enqueue` takes and the processor gets. */
  readonly payload?: Payload;
}

/** `name` is `<noun>.<verb>`, e.g. `withdrawal.reconcile`. */
export function defineJob<Payload extends JobPayload>(name: string, options: JobOptions): JobDefinition<Payload> {
  if (!/^[a-z-]+\.[a-z-]+$/.test(name)) throw new Error(`job name must be <noun>.<verb>: ${name}`);
  return { name, options };
}
