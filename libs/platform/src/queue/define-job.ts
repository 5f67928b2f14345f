import type { Config, NumberName, NumberSetting } from '#platform/config';

/** Values that JSON keeps. A payload has only ids and versions of rows, never rows or secrets. */
export type JobPayload = Record<string, string | number | boolean>;

export interface JobOptions {
  /** How many jobs of this kind one worker process runs at once, or the name of this number in the configuration. */
  concurrency: NumberName | number;
  /**
   * The setting with the number of jobs of this kind that all workers together begin in a second. Default: no limit.
   */
  perSecond?: NumberSetting;
  /**
   * Maximum number of due rows that one job takes when it runs. With this option, `perSecond` limits the rows in a
   * second and not the jobs. Default: 1.
   */
  rowsPerJob?: number;
}

/** The rows of a second are divided among at least this many jobs, so that the rows are not all taken at once. */
const JOBS_PER_SECOND_MIN = 10;

/**
 * A kind of background work. Each kind has a separate queue with the name of the job. A job that fails is not run
 * again: the row or the schedule that it came from creates the next one. A job whose worker dies may run once more, so
 * every processor must be safe to repeat.
 */
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

/** Maximum number of due rows that one job of this kind takes with these settings. */
export function rowsPerJob({ options }: JobDefinition, { values }: Config): number {
  const { perSecond, rowsPerJob: most = 1 } = options;
  if (perSecond === undefined) return most;
  return Math.max(1, Math.min(most, Math.floor(values[perSecond] / JOBS_PER_SECOND_MIN)));
}

/** Maximum number of jobs of this kind that all workers together begin in a second; undefined = no limit. */
export function jobsPerSecond(job: JobDefinition, config: Config): number | undefined {
  const { perSecond } = job.options;
  return perSecond && Math.floor(config.values[perSecond] / rowsPerJob(job, config));
}
