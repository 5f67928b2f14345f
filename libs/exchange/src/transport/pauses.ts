import type { Clock } from '#platform/clock';
import type { LimitReached, LimitScope } from './call-limit.js';
import type { HttpResponse } from './transport.js';

/** Longest pause that a response can cause, except a documented ban. A wrong header must not stop calls for longer. */
export const PAUSE_MAX_MS = 600_000;
/** Longest pause after a ban. The longest ban that an exchange documents lasts three days. */
export const BAN_MAX_MS = 3 * 24 * 60 * 60 * 1000;
/** Maximum number of pauses that a process keeps. Beyond it, the pauses of credentials that end first are dropped. */
const PAUSES_MAX = 10_000;
/** A pause that becomes longer by less than this time is the same pause, which many responses report at once. */
const SAME_PAUSE_MS = 1_000;

/** An exchange at one address of its API, such as a regional site or the sandbox exchange. */
export interface Site {
  readonly exchange: string;
  /** The origin of the base address. */
  readonly origin: string;
}

/** The calls to which a pause applies. */
export interface PauseReach extends Site {
  readonly of: LimitScope;
  /** null = the calls of all credentials, for `address` and `address_endpoint`. */
  readonly credentialId: string | null;
  /** Method and path, as declared in code; null = all endpoints, for `address` and `credential`. */
  readonly endpoint: string | null;
}

/**
 * Why calls are paused. `ban`, `rate_limit`: the exchange refused a call, as it documents. `used_up`: a header showed a
 * limit as used up. `retry_after`: a response asked for the pause in `Retry-After`, which the exchange's declaration
 * does not mention.
 */
export type PauseReason = 'ban' | 'rate_limit' | 'used_up' | 'retry_after';

/** A pause of calls to an exchange. */
export interface Pause extends PauseReach {
  readonly reason: PauseReason;
  /** The HTTP status of the response that caused the pause. */
  readonly status: number;
  /** Monotonic time of this process. */
  readonly sinceMs: number;
  /** Monotonic time of this process. */
  readonly endsAtMs: number;
}

/** A pause in the memory of this process. */
interface KnownPause extends Pause {
  endsAtMs: number;
  /** Whether the store of all processes has this pause. */
  isStored: boolean;
}

/** The calls of one credential to one site. */
export interface Caller {
  readonly site: Site;
  readonly credentialId: string;
}

/** The pauses of calls to exchanges that this process knows: its own, and those of the other processes. */
export class PauseBook {
  private readonly pauses = new Map<string, KnownPause>();

  constructor(
    private readonly clock: Clock,
    /** Called when a pause begins here, or becomes longer. */
    private readonly onBegin: (pause: Pause) => void = () => undefined,
  ) {}

  /** The pauses that concern the calls of one credential. */
  of(caller: Caller): CallerPauses {
    return new CallerPauses(this, caller);
  }

  /** Begins or extends a pause. */
  begin(reach: PauseReach, { pauseMs, ...cause }: { pauseMs: number } & Pick<Pause, 'reason' | 'status'>): void {
    const nowMs = this.clock.monotonicMs();
    const endsAtMs = nowMs + Math.min(pauseMs, cause.reason === 'ban' ? BAN_MAX_MS : PAUSE_MAX_MS);
    const key = keyOf(reach);
    if (endsAtMs <= nowMs) return;
    const known = this.pauses.get(key);
    if (known !== undefined && known.endsAtMs > endsAtMs - SAME_PAUSE_MS && known.endsAtMs > nowMs) {
      known.endsAtMs = Math.max(known.endsAtMs, endsAtMs);
      return;
    }
    const sinceMs = known !== undefined && known.endsAtMs > nowMs ? known.sinceMs : nowMs;
    const pause = { ...reach, ...cause, sinceMs, endsAtMs, isStored: false };
    this.makeRoom();
    this.pauses.set(key, pause);
    this.onBegin(pause);
  }

  /** Whether there is no pause, not even one that is over. */
  get isEmpty(): boolean {
    return this.pauses.size === 0;
  }

  /** The remaining time of the longest of the named pauses; 0 = there is none. */
  leftMs(keys: readonly string[]): number {
    const ends = keys.map((key) => this.pauses.get(key)?.endsAtMs ?? 0);
    return Math.max(0, Math.max(...ends) - this.clock.monotonicMs());
  }

  /** The pauses that are not over. */
  list(): Pause[] {
    const nowMs = this.clock.monotonicMs();
    return [...this.pauses.values()].filter(({ endsAtMs }) => endsAtMs > nowMs);
  }

  /** Records that the store of all processes has the pause. */
  markStored(pause: Pause): void {
    const known = this.pauses.get(keyOf(pause));
    if (known === pause) known.isStored = true;
  }

  /** The pauses that are not over, and that the store of all processes has, or lacks. */
  listStored(isStored: boolean): Pause[] {
    return this.list().filter((pause) => (pause as KnownPause).isStored === isStored);
  }

  /**
   * Takes over the pauses of the store. A pause that the store has lost was ended by an operator.
   * @param known the result of `listStored(true)` before the store was read
   */
  replace(stored: readonly Pause[], known: readonly Pause[]): void {
    const keys = new Set(stored.map(keyOf));
    for (const pause of known) {
      const key = keyOf(pause);
      if (!keys.has(key) && this.pauses.get(key) === pause) this.pauses.delete(key);
    }
    for (const pause of stored) {
      const key = keyOf(pause);
      // A pause that this process has just begun or extended reaches the store later.
      if ((this.pauses.get(key)?.endsAtMs ?? 0) >= pause.endsAtMs) continue;
      this.makeRoom();
      this.pauses.set(key, { ...pause, isStored: true });
    }
  }

  private makeRoom(): void {
    if (this.pauses.size < PAUSES_MAX) return;
    const nowMs = this.clock.monotonicMs();
    for (const [key, { endsAtMs }] of this.pauses) if (endsAtMs <= nowMs) this.pauses.delete(key);
    if (this.pauses.size < PAUSES_MAX) return;
    const ofCredentials = [...this.pauses].filter(([, { credentialId }]) => credentialId !== null);
    const [first] = ofCredentials.sort(([, one], [, other]) => one.endsAtMs - other.endsAtMs);
    if (first !== undefined) this.pauses.delete(first[0]);
  }
}

/** The pauses that concern the calls of one credential to one site. */
export class CallerPauses {
  private readonly keysOfAll: readonly string[];

  constructor(
    private readonly book: PauseBook,
    private readonly caller: Caller,
  ) {
    this.keysOfAll = [this.reach('address', null), this.reach('credential', null)].map(keyOf);
  }

  /** @param endpoint method and path, as declared in code */
  begin(of: LimitScope, endpoint: string, cause: { pauseMs: number } & Pick<Pause, 'reason' | 'status'>): void {
    this.book.begin(this.reach(of, endpoint), cause);
  }

  /** The remaining time until calls may go to the endpoint; absent = an endpoint that no pause names. */
  leftMs(endpoint?: string): number {
    if (this.book.isEmpty) return 0;
    if (endpoint === undefined) return this.book.leftMs(this.keysOfAll);
    const own = [this.reach('address_endpoint', endpoint), this.reach('endpoint', endpoint)].map(keyOf);
    return this.book.leftMs([...this.keysOfAll, ...own]);
  }

  private reach(of: LimitScope, endpoint: string | null): PauseReach {
    const { site, credentialId } = this.caller;
    const { exchange, origin } = site;
    const isOfAddress = of === 'address' || of === 'address_endpoint';
    const hasEndpoint = of === 'endpoint' || of === 'address_endpoint';
    return {
      exchange,
      origin,
      of,
      credentialId: isOfAddress ? null : credentialId,
      endpoint: hasEndpoint ? endpoint : null,
    };
  }
}

function keyOf({ exchange, origin, of, credentialId, endpoint }: PauseReach): string {
  return [exchange, origin, of, credentialId ?? '', endpoint ?? ''].join(' ');
}

/** The reason of a pause that a limit causes. */
export function reasonOf({ shownBy }: LimitReached): PauseReason {
  return shownBy === 'header' ? 'used_up' : shownBy;
}

/** The pause in milliseconds that begins with this response; undefined = the response demands none. */
export function demandedPauseMs({ retryAfterMs = 0, limitsReached = [] }: HttpResponse): number | undefined {
  const demandedMs = Math.min(retryAfterMs, PAUSE_MAX_MS);
  return Math.max(demandedMs, ...limitsReached.map(({ pauseMs }) => pauseMs)) || undefined;
}
