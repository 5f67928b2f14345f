import type { AddressRecord, Dialect, HistoryChange, RefusalName, Reply, TickerForm } from './dialect.js';
import { withOtherNetwork } from './address-faults.js';
import { olderThan, withOtherFee } from './history-faults.js';
import { withMissingFields, withZeroPrices, type TickerChange } from './ticker-faults.js';

/** What goes back over the wire; `null` = the connection is cut without a word. */
export type Delivery = {
  status: number;
  contentType: string;
  body: string;
  headers?: Record<string, string>;
  times?: 2;
  /** The answer waits this long. */
  delayMs?: number;
} | null;

/** One call as a fault sees it. */
export interface FaultedCall {
  dialect: Dialect;
  /** Verifies and carries out the call; a second time would carry it out twice. `clockMs` moves the exchange's clock. */
  act: (options?: { clockMs?: number }) => Reply;
  /** Verifies the call now; what it returns carries it out. */
  admit: () => () => Reply;
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

export function sent(reply: Reply): Delivery {
  if (reply === null) return null;
  const { body, ...more } = reply;
  return { ...more, contentType: 'application/json', body: JSON.stringify(body) };
}

const refused =
  (name: RefusalName): FaultAction =>
  ({ dialect, error }) => {
    const refusal = dialect.refusals[name];
    if (refusal === undefined) throw new Error(`${name} means nothing in this dialect`);
    return sent(refusal(error));
  };

const changed = ({ act }: FaultedCall, change: (body: unknown) => unknown): Delivery => {
  const reply = act();
  return sent(reply === null ? null : { ...reply, body: change(reply.body) });
};

const historyChanged =
  (change: HistoryChange): FaultAction =>
  (call) => {
    const form = call.dialect.history;
    if (form === undefined) throw new Error('there are no histories in this dialect');
    return changed(call, (body) => form.mapped(body, change));
  };

/** Leaves out what is younger: records of a history, entries of a ledger, and orders. */
const lagging: FaultAction = (call) => {
  const { history, orders, ledger } = call.dialect;
  if (history === undefined) throw new Error('there are no histories in this dialect');
  const time = call.now().getTime() - call.delayMs;
  return changed(call, (body) => {
    const records = history.mapped(body, olderThan(time, history));
    const entries = ledger === undefined ? records : ledger.bookedUpTo(records, time);
    return orders === undefined ? entries : orders.openedUpTo(entries, time);
  });
};

const addressesChanged = (call: FaultedCall, change: (record: AddressRecord) => AddressRecord): Delivery => {
  const form = call.dialect.addresses;
  if (form === undefined) throw new Error('there are no addresses in this dialect');
  return changed(call, (body) => form.mapped(body, change));
};

const tickersChanged =
  (changeOf: (form: TickerForm) => TickerChange): FaultAction =>
  (call) => {
    const form = call.dialect.tickers;
    if (form === undefined) throw new Error('there are no tickers in this dialect');
    return changed(call, (body) => form.mapped(body, changeOf(form)));
  };

/** Each does one thing to one call. "Before" = the call is not carried out; "after" = it is. */
export const faultActions = {
  request_lost: () => null,
  answer_lost: ({ act }) => {
    act();
    return null;
  },
  /** The request arrives twice: each copy is verified and carried out, and the answer to the second one is sent. */
  delivered_twice: ({ act }) => {
    act();
    return sent(act());
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
    const reply = act();
    await delay();
    return sent(reply);
  },
  /** Carried out and answered after `delayMs`. */
  latency: async ({ act, delay }) => {
    await delay();
    return sent(act());
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
  rate_limit: refused('rate_limit'),
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
  result_null_after: ({ act, dialect }) => {
    const reply = act();
    return sent({ status: reply?.status ?? 200, body: dialect.emptied(reply?.body) });
  },
  definite_refusal: refused('definite_refusal'),
  /** The same answer twice on one connection, which then ends. */
  duplicate_answer: ({ act }) => {
    const delivery = sent(act());
    return delivery === null ? null : { ...delivery, times: 2 };
  },
  /** Leaves out of a history, of the ledger, or of a list of orders, what is younger than `delayMs`. */
  history_lags: lagging,
  history_errors: refused('history_errors'),
  /** A history shows another fee than was taken; amount and fee still make the same sum. */
  history_other_fee: historyChanged(withOtherFee),
  /** Deposit addresses come without their tags. */
  tag_missing: (call) => addressesChanged(call, (record) => call.dialect.addresses?.withoutTag(record) ?? record),
  /** Deposit addresses are of a chain with another form of addresses. */
  other_network: (call) => addressesChanged(call, withOtherNetwork),
  /** Every price of every ticker is 0. */
  zero_prices: tickersChanged(withZeroPrices),
  /** Every other ticker, from the first on, has no price. */
  missing_fields: tickersChanged(withMissingFields),
  /** The exchange's clock is `delayMs` ahead, or behind when negative. */
  clock_jump: ({ act, delayMs }) => sent(act({ clockMs: delayMs })),
  wrong_nonce: refused('wrong_nonce'),
  revoked_key: refused('revoked_key'),
  ip_refused: refused('ip_refused'),
  service_unavailable: refused('service_unavailable'),
} as const satisfies Record<string, FaultAction>;

export type FaultName = keyof typeof faultActions;
export const faultNames = Object.keys(faultActions) as [FaultName, ...FaultName[]];
