import { pino } from 'pino';
import type { Logger } from './logger.js';

/** Each cause gets one line in this time. An outage or an overload would otherwise write hundreds of lines a second. */
const PERIOD_MS = 10_000;
/**
 * Maximum number of counted causes of one output stream. It is above the number of all error codes and reasons. At the
 * limit all counts are deleted, and some causes may be logged twice within PERIOD_MS.
 */
const CAUSES_MAX = 1_000;

interface Repeats {
  loggedAt: number;
  /** Occurrences since the last line. */
  times: number;
}

/** The counted causes, separately for each output stream. A logger and its children have the same stream. */
const causesOfStreams = new WeakMap<object, Map<string, Repeats>>();

/** A line whose cause may occur hundreds of times a second. */
export interface RepeatedLine {
  message: string;
  /** Lines with this message and this cause count as repeats. */
  cause: string;
  /** The facts of this occurrence. */
  facts: Readonly<Record<string, unknown>>;
}

/**
 * Logs one line in ten seconds for each message and cause. The line's member `again` is the number of repeats since the
 * previous line.
 */
export function logRepeated(
  log: Pick<Logger, 'warn' | 'error'>,
  level: 'warn' | 'error',
  { message, cause, facts }: RepeatedLine,
  now = performance.now(),
): void {
  const causes = causesOf(log);
  const key = `${message} ${cause}`;
  const known = causes.get(key);
  if (known !== undefined && now - known.loggedAt < PERIOD_MS) {
    known.times += 1;
    return;
  }
  if (causes.size >= CAUSES_MAX) causes.clear();
  causes.set(key, { loggedAt: now, times: 0 });
  log[level]({ ...facts, again: known?.times ?? 0 }, message);
}

function causesOf(log: object): Map<string, Repeats> {
  const { [pino.symbols.streamSym]: stream = log } = log as { [pino.symbols.streamSym]?: object };
  const causes = causesOfStreams.get(stream) ?? new Map<string, Repeats>();
  causesOfStreams.set(stream, causes);
  return causes;
}
