import { kraken, type ProvenAsset, type ProvenExchange } from './exchanges.js';
import { faultKindNames, faultKinds, forOrders, type Fault, type FaultKind } from './faults.js';
import { crashPoints, isOfOrders, pointNames, type PointName } from './points.js';
import { Random } from './random.js';

/** One combination of a crash point and a fault that the harness must reach. */
export interface Cell {
  point: PointName;
  fault: FaultKind;
}

/** A crash point, and the number of the visit at which it acts. */
export interface Crash {
  point: PointName;
  visit: number;
}

export interface PlannedQuote {
  asset: ProvenAsset;
  amount: string;
  /** Number of clients that execute the quote at the same time. */
  clients: number;
  /**
   * Whether the clients begin only after the kill. Otherwise the kill could interrupt the quote before anything is
   * sent, and the fault would affect no submission.
   */
  isLate: boolean;
}

export interface PlannedOrder {
  /** Identifies the order at the exchange. */
  volume: string;
  /** A limit order that is executed at once or stays open, or a market order. */
  form: 'limit' | 'open' | 'market';
  /** Number of clients that send the same request at the same time. */
  clients: number;
  /** As for a quote. */
  isLate: boolean;
}

/**
 * Everything that a seed decides. The processes run in real time, so their order may differ between two runs of a seed.
 */
export interface Schedule {
  seed: number;
  cell: Cell;
  crashes: Crash[];
  /** Faults of orders when the crash point is in the work with orders, else of withdrawals. */
  faults: { kind: FaultKind; fault: Fault }[];
  /** The same faults of orders, when `faults` are of withdrawals and the schedule places orders all the same. */
  orderFaults: Fault[];
  quotes: PlannedQuote[];
  orders: PlannedOrder[];
  /** Whether every client begins at the API process that may crash, instead of half of them. */
  isOneSided: boolean;
}

/** The crash points of schedules at an exchange. Points in the work with orders need an exchange that takes orders. */
export function pointsAt({ trading }: ProvenExchange): readonly PointName[] {
  return trading === null ? pointNames.filter((point) => !isOfOrders(point)) : pointNames;
}

/** Number of combinations of a crash point and a fault at Kraken. */
export const cellCount = pointNames.length * faultKindNames.length;

/**
 * Returns the crash point and the fault of a seed. Both change from one seed to the next: as many seeds as there are
 * crash points visit each point once, and as many as there are combinations visit each combination once.
 */
export function cellOf(seed: number, exchange: ProvenExchange = kraken): Cell {
  const points = pointsAt(exchange);
  const index = (seed - 1) % (points.length * faultKindNames.length);
  const round = Math.floor(index / points.length);
  const point = points[index % points.length];
  const fault = faultKindNames[((index % points.length) + round) % faultKindNames.length];
  if (point === undefined || fault === undefined) throw new Error(`a seed is a whole number from 1 on, not ${seed}`);
  return { point, fault };
}

/** Returns the first seed whose schedule at Kraken has this crash point and this fault. */
export function seedOf({ point, fault }: Cell): number {
  for (let seed = 1; seed <= cellCount; seed++) {
    const cell = cellOf(seed);
    if (cell.point === point && cell.fault === fault) return seed;
  }
  throw new Error(`no seed has the crash point ${point} and the fault ${fault}`);
}

export function scheduleOf(seed: number, exchange: ProvenExchange = kraken): Schedule {
  const cell = cellOf(seed, exchange);
  const random = new Random(seed);
  const isOneSided = random.chance(0.4);
  const quotes = plannedQuotes(random, cell, exchange);
  // A process that serves all quotes visits the crash point once for each quote. One visit may be missing, because the
  // exchange may refuse one withdrawal. `worker_after_take` may have a single visit, because one sweep may take all
  // withdrawals.
  const isVisitedAgain = (isOneSided || IN_WORKER.includes(cell.point)) && cell.point !== 'worker_after_take';
  const most = isVisitedAgain && !isOfOrders(cell.point) ? quotes.length - 1 : 1;
  const crashes: Crash[] =
    cell.point === 'none' ? [] : [{ point: cell.point, visit: random.between(1, Math.max(1, Math.min(2, most))) }];
  const kinds: FaultKind[] = cell.fault === 'none' ? [] : [cell.fault];
  // A schedule without a crash point or without a fault gets no additional crash or fault.
  if (crashes.length > 0 && kinds.length > 0) {
    const points = MORE.filter((point) => point !== cell.point);
    const others = faultKindNames.filter((kind) => kind !== 'none' && kind !== cell.fault);
    if (random.chance(0.2)) crashes.push(...random.some(points).map((point) => ({ point, visit: 1 })));
    if (random.chance(0.2)) kinds.push(...random.some(others));
  }
  const faults = kinds.map((kind) => ({ kind, fault: faultKinds[kind](random, exchange) }));
  const orders = exchange.trading === null ? [] : plannedOrders(random, cell);
  const orderFaults = faults.map(({ kind, fault }) => ({ kind, fault: forOrders(fault, random) }));
  const common = { seed, cell, crashes, quotes, orders, isOneSided };
  if (isOfOrders(cell.point)) return { ...common, faults: orderFaults, orderFaults: [] };
  return { ...common, faults, orderFaults: orders.length === 0 ? [] : orderFaults.map(({ fault }) => fault) };
}

/**
 * Crash points that interrupt an execution before anything is sent. A schedule with such a point has at least two
 * quotes, so that the fault can affect the submission of another quote.
 */
const UNSENT: readonly PointName[] = ['api_after_intent', 'api_before_bytes', 'intent_commit_lost'];
/**
 * Points in the worker. A schedule with such a point has at least two quotes, so that the worker reaches the point even
 * when the exchange refuses one withdrawal.
 */
const IN_WORKER: readonly PointName[] = pointNames.filter((point) => {
  const disturbance = crashPoints[point];
  return 'in' in disturbance && disturbance.in === 'worker' && !isOfOrders(point);
});

/** Points of additional kills, which prevent neither the first kill nor the fault. */
const MORE: readonly PointName[] = [...IN_WORKER, 'disconnect_before_result'];

/** Amounts that identify quotes of one asset in the ledger. */
const amounts = ['0.11', '0.12', '0.13', '0.14'] as const;

function plannedQuotes(random: Random, cell: Cell, { assets }: ProvenExchange): PlannedQuote[] {
  const isUnsent = UNSENT.includes(cell.point);
  const count = random.between(isUnsent || IN_WORKER.includes(cell.point) ? 2 : 1, isOfOrders(cell.point) ? 2 : 4);
  const isLastLate = isUnsent || random.chance(0.25);
  const isOneAsset = random.chance(0.25);
  const isDuplicate = random.chance(0.15);
  return Array.from({ length: count }, (_, index) => ({
    asset: assets[isOneAsset || (isDuplicate && index === 1) ? 0 : index] ?? assets[0],
    amount: amounts[isDuplicate && index === 1 ? 0 : index] ?? '0.11',
    clients: random.between(1, 3),
    isLate: isLastLate && index > 0 && index === count - 1,
  }));
}

/** Share of the schedules of withdrawals that also place orders. */
const WITH_ORDERS = 0.3;
const forms = ['limit', 'market'] as const;

/**
 * The first order is executed at once, so that a second copy of it would be, too. When an API process is killed at its
 * order, a second order begins after the kill, so that the fault can affect it.
 */
function plannedOrders(random: Random, { point }: Cell): PlannedOrder[] {
  const isPoint = isOfOrders(point);
  const disturbance = crashPoints[point];
  const isInApi = 'in' in disturbance && disturbance.in === 'api';
  if (!isPoint && !random.chance(WITH_ORDERS)) return [];
  const count = isPoint ? 2 : random.between(1, 2);
  return Array.from({ length: count }, (_, index) => ({
    volume: String(index + 11),
    form: index === 0 ? random.pick(forms) : 'open',
    clients: random.between(1, 3),
    isLate: isPoint && isInApi && index > 0,
  }));
}
