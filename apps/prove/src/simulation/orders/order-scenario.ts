import type { OrderSide } from '#exchange';
import type { Random } from '../world/random.js';
import type { OrderExchangeTraits } from './order-exchange.js';
import { orderFaults, orderViews, type OrderFault, type OrderView } from './order-faults.js';
import { orderTiming } from './order-timing.js';

/** An order that a client wants. Two plans may have equal terms. */
export interface OrderPlan {
  side: OrderSide;
  volume: string;
  /** null = a market order. */
  price: string | null;
  /** The `Idempotency-Key`; null = the client sends none. */
  key: string | null;
}

/** An action of the wallet's owner, or of the database's administrator. */
export interface OrderDeed {
  does: 'connect' | 'back_up' | 'restore';
  /** The API key of `connect`. */
  key: string;
  /** Milliseconds after the start of the run. */
  at: number;
}

/** The scenario of one seed: the participants and the faults. */
export interface OrderScenario {
  apis: number;
  workers: number;
  /** Whether a person decides about orders whose outcome no evidence settles. */
  hasOperator: boolean;
  plans: OrderPlan[];
  /** For each client, the index of the plan that it follows. */
  clients: number[];
  exchange: OrderExchangeTraits;
  deeds: OrderDeed[];
  /** Number of processes that may die. */
  crashes: number;
  databaseFaultRate: number;
  /** The probability that time passes although a step could happen. */
  jumpRate: number;
  /** Largest error of a clock. */
  skew: number;
  /** Largest factor by which a sleep may last longer than requested. */
  oversleep: number;
}

const EVENTS_UNTIL_MS = 120_000;
/** What limits the time in which an exchange accepts a request: its deadline, its signature, or nothing. */
const LIMITS = [
  { deadlineMs: 30_000, signedForMs: null },
  { deadlineMs: 30_000, signedForMs: null },
  { deadlineMs: null, signedForMs: 5_000 },
  { deadlineMs: null, signedForMs: 60_000 },
  { deadlineMs: null, signedForMs: null },
] as const;
/** The probability that views are later than the service assumes. */
const LATE_RATE = 0.1;
/** Terms of which a run draws some; equal ones are drawn often. */
const TERMS: readonly [Omit<OrderPlan, 'key'>, ...Omit<OrderPlan, 'key'>[]] = [
  { side: 'sell', volume: '0.5', price: '20000' },
  { side: 'sell', volume: '0.5', price: '20000' },
  { side: 'sell', volume: '0.2', price: '30000' },
  { side: 'buy', volume: '0.5', price: '20000' },
  { side: 'buy', volume: '0.3', price: null },
];

export function drawOrderScenario(random: Random): OrderScenario {
  const plans = Array.from({ length: random.between(1, 3) }, (_, index) => ({
    ...random.pick(TERMS),
    key: random.chance(0.75) ? `key-${index + 1}` : null,
  }));
  const exchange = drawExchange(random);
  const isLimited = exchange.deadlineMs !== null || exchange.signedForMs !== null;
  return {
    apis: random.between(2, 3),
    workers: random.between(1, 2),
    hasOperator: !isLimited || random.chance(0.2),
    plans,
    clients: Array.from({ length: random.between(1, 4) }, (_, index) =>
      index < plans.length ? index : random.between(0, plans.length - 1),
    ),
    exchange,
    deeds: drawDeeds(random),
    crashes: random.pick([0, 0, 1, 1, 2, 3]),
    databaseFaultRate: random.pick([0, 0, 0.02, 0.1]),
    jumpRate: random.pick([0, 0.02, 0.1]),
    skew: random.pick([0, 500, orderTiming.skewMax]),
    oversleep: random.pick([4, 10, 30]),
  };
}

function drawExchange(random: Random): OrderExchangeTraits {
  return {
    ...random.pick(LIMITS),
    recognizes: random.pick(['every_id', 'open_ids', 'nonces'] as const),
    idSearch: random.chance(0.7) ? 'all' : 'open',
    isFundsRefusalDefinite: random.chance(0.5),
    faults: drawFaults(random),
    faultRate: random.pick([0.5, 0.8, 1]),
    readErrorRate: random.pick([0, 0, 0.05, 0.2]),
    lags: drawLags(random),
    isPoor: random.chance(0.1),
  };
}

/** Draws few faults, so that each run shows what one lie does. */
function drawFaults(random: Random): OrderFault[] {
  const count = random.pick([0, 1, 1, 1, 2, 2, 4, 6]);
  return Array.from({ length: count }, () => random.any(orderFaults)).filter((fault) => fault !== null);
}

function drawLags(random: Random): Record<OrderView, number> {
  const isLate = random.chance(0.6);
  const longest = random.chance(LATE_RATE) ? orderTiming.lateViewLagMax : orderTiming.viewLagMax;
  const draw = (): number => (isLate && random.chance(0.7) ? random.between(0, longest) : 0);
  const [byClientId = 0, byId = 0, open = 0, ended = 0, balances = 0] = orderViews.map(draw);
  return { by_client_id: byClientId, by_id: byId, open, ended, balances };
}

function drawDeeds(random: Random): OrderDeed[] {
  const at = (): number => random.between(0, EVENTS_UNTIL_MS);
  if (random.chance(0.1)) {
    const [first = 0, second = 0] = [at(), at()].sort((a, b) => a - b);
    return [
      { does: 'back_up', key: '', at: first },
      { does: 'restore', key: '', at: second },
    ];
  }
  if (!random.chance(0.15)) return [];
  return random.pick([['B1'], ['A2'], ['B1', 'A1']]).map((key) => ({ does: 'connect', key, at: at() }));
}
