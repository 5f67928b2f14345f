import type { FaultName } from '../../../sandbox-exchange/src/faults/faults.js';
import type { ArmedFault, Endpoint } from './installation/exchange-control.js';
import type { ProvenExchange } from './exchanges.js';
import type { Random } from './random.js';
import { timing } from './installation/timing.js';

/** One fault of a schedule. */
export type Fault =
  | { kind: 'none' }
  /** A fault of the exchange, armed through its control API. */
  | { kind: 'exchange'; armed: ArmedFault }
  /** The exchange's port is closed for `count` submissions. */
  | { kind: 'refused'; count: number };

const withdraw = (fault: FaultName, count: number, delayMs = 0): Fault => ({
  kind: 'exchange',
  armed: { endpoint: 'withdraw', fault, count, delayMs },
});
const history = (fault: FaultName, random: Random, delayMs = 0): Fault => ({
  kind: 'exchange',
  armed: { endpoint: 'history', fault, count: random.between(1, 4), delayMs },
});
/**
 * Faults in which the exchange responds to a repeated request: `delivered_twice` repeats the request, and `wrong_nonce`
 * refuses its nonce as already used.
 */
const copiesAt = ({ hasNonces, refusesCopies }: ProvenExchange): FaultName[] => [
  ...(refusesCopies ? (['delivered_twice'] as const) : []),
  ...(hasNonces ? (['wrong_nonce'] as const) : []),
];
const once = (random: Random): number => (random.chance(0.25) ? 2 : 1);
const WINDOW = timing.lateAcceptanceMs;
/** An error of the exchange's clock that is shorter than ORDER_SETTLE_SECONDS. */
const CLOCK_ERROR_MS = 500;

/** The kinds of fault. When a kind has several forms, the seed chooses one. */
export const faultKinds = {
  none: () => ({ kind: 'none' }),
  request_lost: (random) => withdraw('request_lost', once(random)),
  answer_lost: (random) => withdraw('answer_lost', once(random)),
  accepted_late: (random) =>
    withdraw(random.pick(['accept_late', 'arrive_late']), once(random), random.between(50, WINDOW)),
  server_error_before: (random) => withdraw('error_before', once(random)),
  server_error_after: (random) => withdraw('error_after', once(random)),
  slow_beyond_lease: () => withdraw('slow', 1, timing.beyondLeaseMs),
  hang: (random) => withdraw(random.pick(['hang_before', 'hang_after']), once(random)),
  /** With six refused connections, the execution sends nothing, because it tries fewer than six connections. */
  nothing_sent: (random) => ({ kind: 'refused', count: random.pick([1, 2, 6]) }),
  /** The exchange responds to a repeated request. Kraken's error does not show whether it executed an earlier copy. */
  used_nonce: (random, exchange) => {
    const [first, ...others] = copiesAt(exchange);
    return first === undefined ? { kind: 'none' } : withdraw(random.pick([first, ...others]), once(random));
  },
  too_many_requests: (random) => withdraw(random.pick(['http_429', 'rate_limit']), once(random)),
  malformed_success: (random) =>
    withdraw(random.pick(['malformed_before', 'malformed_after', 'empty_after', 'result_null_after']), once(random)),
  definite_refusal: () => withdraw('definite_refusal', 1),
  duplicate_answer: (random) => withdraw('duplicate_answer', once(random)),
  history_lags: (random) => history('history_lags', random, random.between(300, 2_000)),
  history_errors: (random) => history('history_errors', random),
  history_other_fee: (random) => history('history_other_fee', random),
  clock_jump: (random) => withdraw('clock_jump', once(random), random.pick([-30_000, 2_000])),
} as const satisfies Record<string, (random: Random, exchange: ProvenExchange) => Fault>;

export type FaultKind = keyof typeof faultKinds;
export const faultKindNames = Object.keys(faultKinds) as [FaultKind, ...FaultKind[]];

const ORDER_ENDPOINTS: Readonly<Record<Endpoint, Endpoint>> = {
  withdraw: 'place',
  history: 'list',
  place: 'place',
  list: 'list',
};

/** Returns the same fault for calls that place or list orders. */
export function forOrders(fault: Fault, random: Random): Fault {
  if (fault.kind !== 'exchange') return fault;
  const armed = { ...fault.armed, endpoint: ORDER_ENDPOINTS[fault.armed.endpoint] };
  switch (armed.fault) {
    case 'definite_refusal': {
      const refusal = random.pick(['definite_refusal', 'executed_refusal'] as const);
      return { kind: 'exchange', armed: { ...armed, fault: refusal, error: 'EOrder:Insufficient funds' } };
    }
    case 'clock_jump':
      // The search for an order begins ORDER_SETTLE_SECONDS before it was created, which covers this error. The setting
      // is shortened, so the error of the clock is, too.
      return { kind: 'exchange', armed: { ...armed, delayMs: random.pick([-CLOCK_ERROR_MS, CLOCK_ERROR_MS]) } };
    case 'history_other_fee':
      // Lists of orders show no fees that the service compares.
      return { kind: 'none' };
    default:
      return { kind: 'exchange', armed };
  }
}
