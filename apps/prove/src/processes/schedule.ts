import { kraken, type ProvenAsset, type ProvenExchange } from './exchanges.js';
import { faultKindNames, faultKinds, type Fault, type FaultKind } from './faults.js';
import { crashPoints, pointNames, type PointName } from './points.js';
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

/**
 * Everything that a seed decides. The processes run in real time, so their order may differ between two runs of a seed.
 */
export interface Schedule {
  seed: number;
  cell: Cell;
  crashes: Crash[];
  faults: { kind: FaultKind; fault: Fault }[];
  quotes: PlannedQuote[];
  /** Whether every client begins at the API process that may crash, instead of half of them. */
  isOneSided: boolean;
}

export const cellCount = pointNames.length * faultKindNames.length;

/**
 * Returns the crash point and the fault of a seed. Both change from one seed to the next: as many seeds as there are
 * crash points visit each point once, and `cellCount` seeds visit each combination once.
 */
export function cellOf(seed: number): Cell {
  const index = (seed - 1) % cellCount;
  const round = Math.floor(index / pointNames.length);
  const point = pointNames[index % pointNames.length];
  const fault = faultKindNames[((index % pointNames.length) + round) % faultKindNames.length];
  if (point === undefined || fault === undefined) throw new Error(`a seed is a whole number from 1 on, not ${seed}`);
  return { point, fault };
}

/** Returns the first seed whose schedule has this crash point and this fault. */
export function seedOf({ point, fault }: Cell): number {
  for (let seed = 1; seed <= cellCount; seed++) {
    const cell = cellOf(seed);
    if (cell.point === point && cell.fault === fault) return seed;
  }
  throw new Error(`no seed has the crash point ${point} and the fault ${fault}`);
}

export function scheduleOf(seed: number, exchange: ProvenExchange = kraken): Schedule {
  const cell = cellOf(seed);
  const random = new Random(seed);
  const isOneSided = random.chance(0.4);
  const quotes = plannedQuotes(random, cell, exchange);
  // A process that serves all quotes visits the crash point once for each quote. One visit may be missing, because the
  // exchange may refuse one withdrawal. `worker_after_take` may have a single visit, because one sweep may take all
  // withdrawals.
  const isVisitedAgain = (isOneSided || IN_WORKER.includes(cell.point)) && cell.point !== 'worker_after_take';
  const most = isVisitedAgain ? quotes.length - 1 : 1;
  const crashes: Crash[] =
    cell.point === 'none' ? [] : [{ point: cell.point, visit: random.between(1, Math.max(1, Math.min(2, most))) }];
  const faults: FaultKind[] = cell.fault === 'none' ? [] : [cell.fault];
  // A schedule without a crash point or without a fault gets no additional crash or fault.
  if (crashes.length > 0 && faults.length > 0) {
    const points = MORE.filter((point) => point !== cell.point);
    const kinds = faultKindNames.filter((kind) => kind !== 'none' && kind !== cell.fault);
    if (random.chance(0.2)) crashes.push(...random.some(points).map((point) => ({ point, visit: 1 })));
    if (random.chance(0.2)) faults.push(...random.some(kinds));
  }
  return {
    seed,
    cell,
    crashes,
    faults: faults.map((kind) => ({ kind, fault: faultKinds[kind](random, exchange) })),
    quotes,
    isOneSided,
  };
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
  return 'in' in disturbance && disturbance.in === 'worker';
});

/** Points of additional kills, which prevent neither the first kill nor the fault. */
const MORE: readonly PointName[] = [...IN_WORKER, 'disconnect_before_result'];

/** Amounts that identify quotes of one asset in the ledger. */
const amounts = ['0.11', '0.12', '0.13', '0.14'] as const;

function plannedQuotes(random: Random, cell: Cell, { assets }: ProvenExchange): PlannedQuote[] {
  const isUnsent = UNSENT.includes(cell.point);
  const count = random.between(isUnsent || IN_WORKER.includes(cell.point) ? 2 : 1, 4);
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
