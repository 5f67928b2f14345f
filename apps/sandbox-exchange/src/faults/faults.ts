import type { Answer } from '../kraken/dispatch.js';
import { historyWith, olderThan, withOtherFee } from './history-faults.js';

/** What goes back over the wire; `null` = the connection is cut without a word. */
export type Delivery = { status: number; contentType: string; body: string; times?: 2 } | null;

/** One call as a fault sees it. */
export interface FaultedCall {
  /** Verifies and carries out the call; a second time would carry it out twice. `clockMs` moves the exchange's clock. */
  act: (options?: { clockMs?: number }) => Answer;
  /** Verifies the call now; what it returns carries it out. */
  admit: () => () => Answer;
  /** Runs `work` in `delayMs`, unless the exchange ends before. */
  later: (work: () => void) => void;
  /** Resolves in `delayMs`. */
  delay: () => Promise<void>;
  /** Resolves when the armed faults are deleted. */
  released: Promise<void>;
  delayMs: number;
  /** Given with the fault. */
  error: string | undefined;
  now: () => Date;
}

export type FaultAction = (call: FaultedCall) => Delivery | Promise<Delivery>;

const HTML = '<html><head><title>error</title></head><body><h1>Something went wrong</h1></body></html>';
const page = (status: number): Delivery => ({ status, contentType: 'text/html', body: HTML });

export const json = (answer: unknown): NonNullable<Delivery> => ({
  status: 200,
  contentType: 'application/json',
  body: JSON.stringify(answer),
});
const refused = (error: string): Delivery => json({ error: [error] });

/** Each does one thing to one call. "Before" = the call is not carried out; "after" = it is. */
export const faultActions = {
  request_lost: () => null,
  answer_lost: ({ act }) => {
    act();
    return null;
  },
  /** Verified now, nonce and all; carried out later: no later nonce can keep it from that. */
  accept_late: ({ admit, later }) => {
    later(admit());
    return null;
  },
  /** The request itself comes late: a later nonce that was accepted meanwhile makes it fail. */
  arrive_late: ({ act, later }) => {
    later(() => void act());
    return null;
  },
  error_before: () => page(502),
  error_after: ({ act }) => {
    act();
    return page(502);
  },
  /** Carried out at once, answered after `delayMs`. */
  slow: async ({ act, delay }) => {
    const answer = act();
    await delay();
    return json(answer);
  },
  /** Carried out and answered after `delayMs`. */
  latency: async ({ act, delay }) => {
    await delay();
    return json(act());
  },
  hang_before: async ({ released }) => {
    await released;
    return null;
  },
  hang_after: async ({ act, released }) => {
    act();
    await released;
    return null;
  },
  rate_limit: () => refused('EAPI:Rate limit exceeded'),
  http_429: () => page(429),
  malformed_before: () => page(200),
  malformed_after: ({ act }) => {
    act();
    return page(200);
  },
  empty_after: ({ act }) => {
    act();
    return { status: 200, contentType: 'application/json', body: '' };
  },
  result_null_after: ({ act }) => {
    act();
    return json({ error: [], result: null });
  },
  definite_refusal: ({ error }) => refused(error ?? 'EFunding:Insufficient funds'),
  /** The same answer twice on one connection, which then ends. */
  duplicate_answer: ({ act }) => ({ ...json(act()), times: 2 }),
  /** Leaves out of a history what is younger than `delayMs`. */
  history_lags: ({ act, now, delayMs }) => json(historyWith(act(), olderThan(now().getTime() - delayMs))),
  history_errors: ({ error }) => refused(error ?? 'EGeneral:Internal error'),
  /** A history shows another fee than was taken; amount and fee still make the same sum. */
  history_other_fee: ({ act }) => json(historyWith(act(), withOtherFee)),
  /** The exchange's clock is `delayMs` ahead, or behind when negative. */
  clock_jump: ({ act, delayMs }) => json(act({ clockMs: delayMs })),
  wrong_nonce: () => refused('EAPI:Invalid nonce'),
  revoked_key: () => refused('EAPI:Invalid key'),
  ip_refused: () => refused('EGeneral:Permission denied'),
  service_unavailable: () => refused('EService:Unavailable'),
} as const satisfies Record<string, FaultAction>;

export type FaultName = keyof typeof faultActions;
export const faultNames = Object.keys(faultActions) as [FaultName, ...FaultName[]];
