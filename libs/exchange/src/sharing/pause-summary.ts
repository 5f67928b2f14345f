import type { Clock } from '#platform/clock';
import type { LimitScope } from '../transport/call-limit.js';
import type { Pause, PauseReason } from '../transport/pauses.js';

/** The pauses of one exchange with the same reach and reason. */
export interface PauseSummary {
  readonly exchange: string;
  readonly reach: LimitScope;
  readonly reason: PauseReason;
  /** The number of these pauses. */
  readonly pauses: number;
  /** The beginning of the first of them, by the clock of this host. */
  readonly since: Date;
  /** The end of the last of them, by the clock of this host. */
  readonly until: Date;
  /** Milliseconds until the last of them ends. */
  readonly leftMs: number;
}

/** Summarizes pauses without naming credentials. The result has few entries, whatever the number of pauses. */
export function summaryOf(pauses: readonly Pause[], clock: Clock): PauseSummary[] {
  const groups = new Map<string, Pause[]>();
  for (const pause of pauses) {
    const key = `${pause.exchange} ${pause.of} ${pause.reason}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [pause]);
    else group.push(pause);
  }
  const offsetMs = clock.now().getTime() - clock.monotonicMs();
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { exchange, of: reach, reason } = first;
    const sinceMs = Math.min(...group.map((pause) => pause.sinceMs));
    const untilMs = Math.max(...group.map((pause) => pause.endsAtMs));
    return [
      {
        exchange,
        reach,
        reason,
        pauses: group.length,
        leftMs: untilMs - clock.monotonicMs(),
        since: new Date(offsetMs + sinceMs),
        until: new Date(offsetMs + untilMs),
      },
    ];
  });
}
