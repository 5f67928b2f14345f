import {
  olderThan,
  withMissingFields,
  withOtherFee,
  withOtherNetwork,
  withZeroPrices,
  type TickerChange,
} from './changes.js';
import type { AddressRecord, Protocol, HistoryChange, RefusalName, Reply, TickerForm } from './protocol.js';

/** The bytes of a response; null closes the connection without a response. */
export type Delivery = {
  status: number;
  contentType: string;
  body: string;
  headers?: Record<string, string>;
  times?: 2;
  /** The response is held back this long. */
  delayMs?: number;
} | null;

/** A call to which a fault applies. */
export interface FaultedCall {
  protocol: Protocol;
  /**
   * Verifies and carries out the call. If this function is called twice, the call is carried out twice. `clockMs`
   * shifts the exchange's clock.
   */
  act: (options?: { clockMs?: number }) => Reply;
  /** The same, while balances lack the changes of the last `delayMs`. */
  actWithOldBalances: () => Reply;
  /** Verifies the call now; the returned function carries it out. */
  admit: () => () => Reply;
  /** Runs `work` after `delayMs`, unless the exchange stops before. */
  later: (work: () => void) => void;
  /** Resolves after `delayMs`. */
  delay: () => Promise<void>;
  /** Resolves when the armed faults are deleted. */
  released: Promise<void>;
  delayMs: number;
  /** The `error` of the request that armed the fault: the error with which the exchange responds. */
  error: string | undefined;
  now: () => Date;
}

export type FaultAction = (call: FaultedCall) => Delivery | Promise<Delivery>;

const HTML = '<html><head><title>error</title></head><body><h1>Something went wrong</h1></body></html>';
const page = (status: number): Delivery => ({ status, contentType: 'text/html', body: HTML });

const HTTP_418 = { status: 418, contentType: 'text/html', body: HTML };

export function sent(reply: Reply): Delivery {
  if (reply === null) return null;
  const { body, ...more } = reply;
  return { ...more, contentType: 'application/json', body: JSON.stringify(body) };
}

const refused =
  (name: RefusalName): FaultAction =>
  ({ protocol, error }) => {
    const refusal = protocol.refusals[name];
    if (refusal === undefined) throw new Error(`${name} does not apply to this protocol`);
    return sent(refusal(error));
  };

const changed = ({ act }: FaultedCall, change: (body: unknown) => unknown): Delivery => {
  const reply = act();
  return sent(reply === null ? null : { ...reply, body: change(reply.body) });
};

const historyChanged =
  (change: HistoryChange): FaultAction =>
  (call) => {
    const form = call.protocol.history;
    if (form === undefined) throw new Error('this fault changes a history, and the protocol has none');
    return changed(call, (body) => form.mapped(body, change));
  };

/** Removes records of a history, entries of a ledger, and orders that are younger than `delayMs`. */
const lagging: FaultAction = (call) => {
  const { history, orders, ledger } = call.protocol;
  if (history === undefined) throw new Error('this fault changes a history, and the protocol has none');
  const time = call.now().getTime() - call.delayMs;
  return changed(call, (body) => {
    const records = history.mapped(body, olderThan(time, history));
    const entries = ledger === undefined ? records : ledger.bookedUpTo(records, time);
    return orders === undefined ? entries : orders.openedUpTo(entries, time);
  });
};

const addressesChanged = (call: FaultedCall, change: (record: AddressRecord) => AddressRecord): Delivery => {
  const form = call.protocol.addresses;
  if (form === undefined) throw new Error('this fault changes deposit addresses, and the protocol has none');
  return changed(call, (body) => form.mapped(body, change));
};

const tickersChanged =
  (changeOf: (form: TickerForm) => TickerChange): FaultAction =>
  (call) => {
    const form = call.protocol.tickers;
    if (form === undefined) throw new Error('this fault changes tickers, and the protocol has none');
    return changed(call, (body) => form.mapped(body, changeOf(form)));
  };

/** Each fault changes one call. "before" in a name means that the call is not carried out; "after" means that it is. */
export const faultActions = {
  request_lost: () => null,
  answer_lost: ({ act }) => {
    act();
    return null;
  },
  /** The request arrives twice: each copy is verified and carried out, and the caller gets the second response. */
  delivered_twice: ({ act }) => {
    act();
    return sent(act());
  },
  /**
   * The call is verified at once, with its nonce, and carried out after `delayMs`. A newer nonce does not prevent this.
   */
  accept_late: ({ admit, later }) => {
    later(admit());
    return null;
  },
  /** The whole request is delayed, so it fails if the exchange has accepted a higher nonce in the meantime. */
  arrive_late: ({ act, later }) => {
    later(() => void act());
    return null;
  },
  error_before: () => page(502),
  error_after: ({ act }) => {
    act();
    return page(502);
  },
  /** The call is carried out at once; its response comes after `delayMs`. */
  slow: async ({ act, delay }) => {
    const reply = act();
    await delay();
    return sent(reply);
  },
  /** The call is carried out after `delayMs`; its response then comes at once. */
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
  /** 418 with the seconds of `error` in `Retry-After`; the default is three days. */
  http_418: ({ error = '259200' }) => ({ ...HTTP_418, headers: { 'retry-after': error } }),
  malformed_before: () => page(200),
  malformed_after: ({ act }) => {
    act();
    return page(200);
  },
  empty_after: ({ act }) => {
    act();
    return { status: 200, contentType: 'application/json', body: '' };
  },
  result_null_after: ({ act, protocol }) => {
    const reply = act();
    return sent({ status: reply?.status ?? 200, body: protocol.emptied(reply?.body) });
  },
  definite_refusal: refused('definite_refusal'),
  /** The call is carried out, and its response is nevertheless a definite refusal. */
  executed_refusal: (call) => {
    call.act();
    return refused('definite_refusal')(call);
  },
  /** Balances lack the changes of the last `delayMs`. */
  balance_lags: ({ actWithOldBalances }) => sent(actWithOldBalances()),
  /** The same response is sent twice on one connection, which then closes. */
  duplicate_answer: ({ act }) => {
    const delivery = sent(act());
    return delivery === null ? null : { ...delivery, times: 2 };
  },
  /** A history, the ledger, or a list of orders lacks records that are younger than `delayMs`. */
  history_lags: lagging,
  history_errors: refused('history_errors'),
  /** A history shows another fee than the charged one; the sum of amount and fee stays the same. */
  history_other_fee: historyChanged(withOtherFee),
  /** Deposit addresses come without their tags. */
  tag_missing: (call) => addressesChanged(call, (record) => call.protocol.addresses?.withoutTag(record) ?? record),
  /** Deposit addresses belong to a network with a different address format. */
  other_network: (call) => addressesChanged(call, withOtherNetwork),
  /** Every price of every ticker is 0. */
  zero_prices: tickersChanged(withZeroPrices),
  /** Every second ticker, starting with the first, has no price. */
  missing_fields: tickersChanged(withMissingFields),
  /** The exchange's clock is `delayMs` ahead, or behind when `delayMs` is negative. */
  clock_jump: ({ act, delayMs }) => sent(act({ clockMs: delayMs })),
  wrong_nonce: refused('wrong_nonce'),
  revoked_key: refused('revoked_key'),
  ip_refused: refused('ip_refused'),
  service_unavailable: refused('service_unavailable'),
} as const satisfies Record<string, FaultAction>;

export type FaultName = keyof typeof faultActions;
export const faultNames = Object.keys(faultActions) as [FaultName, ...FaultName[]];
