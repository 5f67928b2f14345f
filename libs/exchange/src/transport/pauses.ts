import type { Clock } from '#platform/clock';
import type { HttpResponse } from './transport.js';

/** Longest pause that a response can cause, except a ban. A wrong header must not stop a wallet for longer. */
const PAUSE_MAX_MS = 600_000;
/** The HTTP status for all calls from an address that is banned. Further calls make the ban longer. */
export const BANNED = 418;
/** Longest pause after a ban. The longest documented ban of an address lasts three days. */
export const BAN_MAX_MS = 3 * 24 * 60 * 60 * 1000;

/** The pauses that an exchange has demanded, by the name of the paused endpoint or group of calls. */
export class Pauses {
  /** The ends of the pauses by name, in monotonic time. */
  private readonly endsAtMs = new Map<string, number>();

  constructor(private readonly clock: Clock) {}

  /** Begins or extends a pause. @param name a name that the code declares, so that the map stays small */
  begin(name: string, pauseMs: number, maxMs = PAUSE_MAX_MS): void {
    const nowMs = this.clock.monotonicMs();
    const endMs = nowMs + Math.min(pauseMs, maxMs);
    this.endsAtMs.set(name, Math.max(this.endsAtMs.get(name) ?? endMs, endMs));
  }

  /** The remaining time of a pause; 0 = there is no pause. */
  leftMs(name: string): number {
    return Math.max(0, (this.endsAtMs.get(name) ?? 0) - this.clock.monotonicMs());
  }
}

/** The pause in milliseconds that begins with this response; undefined = the response demands none. */
export function demandedPauseMs({ status, retryAfterMs = 0, limitsReached = [] }: HttpResponse): number | undefined {
  const demandedMs = Math.min(retryAfterMs, status === BANNED ? BAN_MAX_MS : PAUSE_MAX_MS);
  return Math.max(demandedMs, ...limitsReached.map(({ pauseMs }) => pauseMs)) || undefined;
}
