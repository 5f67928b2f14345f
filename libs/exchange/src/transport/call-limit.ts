/** A limit of calls, as the declaration of an exchange describes it. */
export type CallLimit = HeaderLimit | LimitRefusal;

/**
 * The exchange reports in headers of its responses how much of the limit is used. When a response shows that all of it
 * is used, the calls that the limit counts wait for the end of the period.
 */
export interface HeaderLimit {
  /** The calls that the limit counts. */
  readonly of: LimitScope;
  /** The header with the used or remaining part of the limit, in lower case. */
  readonly header: string;
  /** Whether the header states the used part of the limit, or the part that is left. */
  readonly states: 'used' | 'left';
  /** The limit is used up when the header states at least this value (`used`), or at most this value (`left`). */
  readonly stopAt: number;
  /** The documented period of the limit. */
  readonly periodMs: number;
  /** The header that states when the period ends, in lower case; absent = the pause lasts one period. */
  readonly reset?: {
    readonly header: string;
    /** The milliseconds that are left, or an epoch second, which is compared with the response's own `Date`. */
    readonly states: 'milliseconds_left' | 'epoch_second';
  };
}

/**
 * A documented refusal of calls beyond a limit. A refusal that no exchange documents concerns only the credential that
 * got it, or only the endpoint if the call moves money.
 */
export interface LimitRefusal {
  /**
   * `ban`: after this refusal, the exchange refuses all calls in `of` until a time, whatever their number.
   * `rate_limit`: the exchange refuses only the calls beyond the limit. After a submission, such a refusal pauses only
   * the endpoint of the submission.
   */
  readonly means: 'ban' | 'rate_limit';
  /** The calls that the exchange refuses. */
  readonly of: LimitScope;
  /** The HTTP status of the refusal. */
  readonly status: number;
  /** A part of the refusal's body, in lower case; absent = the exchange documents the status alone. */
  readonly text?: string;
  /** The documented time of the refusals, or their shortest time if the exchange documents several. */
  readonly periodMs: number;
  /**
   * The longest documented time, if the response states the time in `Retry-After` or `endsAfter`; absent = always
   * `periodMs`.
   */
  readonly maxMs?: number;
  /**
   * The text of the body, in lower case, that the end of the refusals follows, as an epoch time in milliseconds. It is
   * compared with the response's own `Date`. Absent = the body states no end.
   */
  readonly endsAfter?: string;
}

/** The number of calls in a period that an exchange documents for one address. */
export interface AddressRate {
  readonly calls: number;
  readonly periodMs: number;
}

/**
 * The calls that a limit counts. `endpoint`: calls of one credential to one endpoint. `credential`: all calls of one
 * credential. `address_endpoint`: calls from our address to one endpoint. `address`: all calls from our address.
 */
export type LimitScope = 'endpoint' | 'credential' | 'address_endpoint' | 'address';

/** A limit that a response shows as used up. */
export interface LimitReached {
  readonly of: LimitScope;
  readonly pauseMs: number;
  /** How the response shows the limit: by a header, or by the documented refusal of the call. */
  readonly shownBy: 'header' | LimitRefusal['means'];
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** A response, as far as it can show a limit. */
export interface LimitedResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
  /** The time in `Retry-After`; absent = the response states none. */
  readonly retryAfterMs?: number;
}

/** The limits that a response shows as used up. A header in another format is ignored. */
export function limitsReached(limits: readonly CallLimit[], response: LimitedResponse): LimitReached[] {
  return limits.flatMap((limit): LimitReached[] => {
    if ('means' in limit) {
      const pauseMs = refusedForMs(limit, response);
      return pauseMs === null ? [] : [{ of: limit.of, pauseMs, shownBy: limit.means }];
    }
    const { headers } = response;
    const count = countIn(headers, limit.header);
    if (count === null) return [];
    const isReached = limit.states === 'used' ? count >= limit.stopAt : count <= limit.stopAt;
    return isReached ? [{ of: limit.of, pauseMs: pauseOf(limit, headers), shownBy: 'header' }] : [];
  });
}

/** For how long the exchange refuses calls; null = the response is another one. */
function refusedForMs(refusal: LimitRefusal, response: LimitedResponse): number | null {
  const { text = '', periodMs, maxMs } = refusal;
  const { status, body, retryAfterMs } = response;
  if (status !== refusal.status || !body.toLowerCase().includes(text)) return null;
  if (maxMs === undefined) return periodMs;
  // A stated time beyond the documented times is wrong, so the nearest documented time counts.
  const statedMs = retryAfterMs ?? endInMs(refusal, response) ?? periodMs;
  return Math.min(Math.max(statedMs, periodMs), maxMs);
}

/** The milliseconds until the end that the body states; null = it states none. */
function endInMs({ endsAfter }: LimitRefusal, { body, headers: { date } }: LimitedResponse): number | null {
  const [, rest] = endsAfter === undefined ? [] : body.toLowerCase().split(endsAfter);
  const end = /^\D{0,3}(\d{13})/.exec(rest ?? '')?.[1];
  const leftMs = Number(end ?? NaN) - Date.parse(typeof date === 'string' ? date : '');
  return Number.isNaN(leftMs) ? null : leftMs;
}

function pauseOf({ reset, periodMs }: HeaderLimit, headers: Headers): number {
  const stated = reset === undefined ? null : countIn(headers, reset.header);
  if (reset === undefined || stated === null) return periodMs;
  const { date } = headers;
  const pauseMs =
    reset.states === 'milliseconds_left' ? stated : stated * 1_000 - Date.parse(typeof date === 'string' ? date : '');
  // A clock or a header may be wrong, so a pause never lasts longer than the period of the limit.
  return pauseMs >= 0 && pauseMs <= periodMs ? pauseMs : periodMs;
}

function countIn(headers: Headers, name: string): number | null {
  const text = headers[name];
  return typeof text === 'string' && /^\d{1,12}$/.test(text) ? Number(text) : null;
}
