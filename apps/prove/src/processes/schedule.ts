import { faultKindNames, faultKinds, type Fault, type FaultKind } from './faults.js';
import { crashPoints, pointNames, type PointName } from './points.js';
import { Random } from './random.js';

/** One combination that the harness must have seen: at this point, with this fault. */
export interface Cell {
  point: PointName;
  fault: FaultKind;
}

/** A crash point, and at which visit of its moment it strikes. */
export interface Strike {
  point: PointName;
  visit: number;
}

export interface PlannedQuote {
  asset: (typeof assets)[number];
  amount: string;
  /** Clients that execute it at once. */
  clients: number;
  /** Whether they begin only after the strike: what was interrupted before it was sent is not sent again. */
  isLate: boolean;
}

/** All that a seed decides. What the processes make of it is theirs: the same seed asks the same, in real time. */
export interface Schedule {
  seed: number;
  cell: Cell;
  strikes: Strike[];
  faults: { kind: FaultKind; fault: Fault }[];
  quotes: PlannedQuote[];
  /** Whether every client begins at the API process that may be struck, instead of half of them. */
  isOneSided: boolean;
}

export const cellCount = pointNames.length * faultKindNames.length;

/** Diagonally: after as many seeds as there are points each was struck once, after `cellCount` every cell was. */
export function cellOf(seed: number): Cell {
  const index = (seed - 1) % cellCount;
  const round = Math.floor(index / pointNames.length);
  const point = pointNames[index % pointNames.length];
  const fault = faultKindNames[((index % pointNames.length) + round) % faultKindNames.length];
  if (point === undefined || fault === undefined) throw new Error(`a seed is a whole number from 1 on, not ${seed}`);
  return { point, fault };
}

/** The first seed whose schedule is about this cell. */
export function seedOf({ point, fault }: Cell): number {
  for (let seed = 1; seed <= cellCount; seed++) {
    const cell = cellOf(seed);
    if (cell.point === point && cell.fault === fault) return seed;
  }
  throw new Error(`no seed for ${point} and ${fault}`);
}

export function scheduleOf(seed: number): Schedule {
  const cell = cellOf(seed);
  const random = new Random(seed);
  const isOneSided = random.chance(0.4);
  const quotes = plannedQuotes(random, cell);
  // Each has as many visits as there are quotes, one of which may be refused for good; but one sweep may take all.
  const isVisitedAgain = (isOneSided || IN_WORKER.includes(cell.point)) && cell.point !== 'worker_after_take';
  const most = isVisitedAgain ? quotes.length - 1 : 1;
  const strikes: Strike[] =
    cell.point === 'none' ? [] : [{ point: cell.point, visit: random.between(1, Math.max(1, Math.min(2, most))) }];
  const faults: FaultKind[] = cell.fault === 'none' ? [] : [cell.fault];
  // Cells of "none" are about one thing alone.
  if (strikes.length > 0 && faults.length > 0) {
    const points = MORE.filter((point) => point !== cell.point);
    const kinds = faultKindNames.filter((kind) => kind !== 'none' && kind !== cell.fault);
    if (random.chance(0.2)) strikes.push(...random.some(points).map((point) => ({ point, visit: 1 })));
    if (random.chance(0.2)) faults.push(...random.some(kinds));
  }
  return {
    seed,
    cell,
    strikes,
    faults: faults.map((kind) => ({ kind, fault: faultKinds[kind](random) })),
    quotes,
    isOneSided,
  };
}

/** What was interrupted here is never sent: another quote has to meet the fault. */
const UNSENT: readonly PointName[] = ['api_after_intent', 'api_before_bytes', 'intent_commit_lost'];
/** Its moments must come even when the exchange refuses one of the withdrawals for good. */
const IN_WORKER: readonly PointName[] = pointNames.filter((point) => {
  const disturbance = crashPoints[point];
  return 'in' in disturbance && disturbance.in === 'worker';
});

/** Strikes that come on top: none that would keep the first one, or the fault, from coming. */
const MORE: readonly PointName[] = [...IN_WORKER, 'disconnect_before_result'];

/** What the account has plenty of, and amounts that tell quotes of one asset apart in its ledger. */
const assets = ['BTC', 'ETH', 'SOL', 'LTC'] as const;
const amounts = ['0.11', '0.12', '0.13', '0.14'] as const;

function plannedQuotes(random: Random, cell: Cell): PlannedQuote[] {
  const isUnsent = UNSENT.includes(cell.point);
  const count = random.between(isUnsent || IN_WORKER.includes(cell.point) ? 2 : 1, 4);
  const isLastLate = isUnsent || random.chance(0.25);
  const isOneAsset = random.chance(0.25);
  const isDuplicate = random.chance(0.15);
  return Array.from({ length: count }, (_, index) => ({
    asset: assets[isOneAsset || (isDuplicate && index === 1) ? 0 : index] ?? 'BTC',
    amount: amounts[isDuplicate && index === 1 ? 0 : index] ?? '0.11',
    clients: random.between(1, 3),
    isLate: isLastLate && index > 0 && index === count - 1,
  }));
}
