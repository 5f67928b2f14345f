/** A limit of calls, as the declaration of an exchange describes it. */
export type CallLimit = HeaderLimit | Ban;

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

/** The exchange refuses the calls for a documented time, without a header that states the time. */
export interface Ban {
  readonly of: LimitScope;
  /** The HTTP status of the refusal. */
  readonly status: number;
  /** A part of the refusal's body, in lower case. */
  readonly text: string;
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
  /** Whether the response is the refusal of a call. */
  readonly isBan?: true;
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** A response, as far as it can show a limit. */
export interface LimitedResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** The limits that a response shows as used up. A header in another format is ignored. */
export function limitsReached(limits: readonly CallLimit[], response: LimitedResponse): LimitReached[] {
  const { status, headers, body } = response;
  return limits.flatMap((limit): LimitReached[] => {
    if ('text' in limit) {
      const isBan = status === limit.status && body.toLowerCase().includes(limit.text);
      return isBan ? [{ of: limit.of, pauseMs: limit.periodMs, isBan }] : [];
    }
    const count = countIn(headers, limit.header);
    if (count === null) return [];
    const isReached = limit.states === 'used' ? count >= limit.stopAt : count <= limit.stopAt;
    return isReached ? [{ of: limit.of, pauseMs: pauseOf(limit, headers) }] : [];
  });
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
