import type { VerificationMethod, WithdrawalClass } from '#exchange';
import type { VerificationTraits } from './exchange/challenges.js';
import type { ExchangeTraits } from './exchange/exchange.js';
import { faultKinds, type FaultKind } from './faults.js';
import type { Random } from './random.js';
import { timing } from './timing.js';

/** Somebody who wants to pay: what, and where to. Two of one shape look alike at the exchange. */
export interface PaymentPlan {
  amount: string;
  /** The network takes tags, and each client may send one of its own. */
  isTagged: boolean;
}

/** What one seed is about: who takes part, and what goes wrong. */
export interface Scenario {
  apis: number;
  workers: number;
  payments: PaymentPlan[];
  /** For each client the payment that it makes. */
  clients: number[];
  exchange: ExchangeTraits;
  verification: VerificationTraits;
  /** Processes that may die. */
  crashes: number;
  databaseFaultRate: number;
  /** How often time passes although something could happen. */
  jumpRate: number;
  /** Clocks are off by at most this. */
  skew: number;
  clockJumps: number;
  /** Withdrawals of other amounts that the account's owner makes meanwhile. */
  foreign: number;
  /** Withdrawals that look like the payments and were made just before: one is settled and failed, or is under way. */
  older: ('failed' | 'pending')[];
  /** Withdrawals of the owner meanwhile that may be taken for a payment, such as to the same address under another name. */
  alike: number;
  /** Clients wait until the end of their quotes is near, or over. */
  isLate: boolean;
  /** The balance does not suffice for all payments. */
  isPoor: boolean;
  /** Sleepers sleep up to so many times as long as they asked for. */
  oversleep: number;
}

const NONE: VerificationTraits = { kind: 'none' };

export function drawScenario(random: Random): Scenario {
  const faults = drawFaults(random);
  const exchangeClass = random.pick(['A', 'A', 'B', 'C', 'C', 'C'] as const);
  const isLate = random.chance(0.06);
  const payments = drawPayments(random);
  return {
    apis: random.between(2, 3),
    workers: random.between(1, 2),
    payments,
    clients: Array.from({ length: random.between(1, 4) }, (_, index) =>
      index < payments.length ? index : random.between(0, payments.length - 1),
    ),
    exchange: {
      class: exchangeClass,
      fenceMs: exchangeClass === 'A' ? random.between(timing.fenceMin, timing.fenceMax) : null,
      faults,
      faultRate: random.pick([0.3, 0.6, 1]),
      // Where more than one of ours may look like it, nobody can tell whose it is.
      ownerRepeats: random.chance(0.2) && payments.length === 1,
      readErrorRate: random.pick([0, 0, 0.05, 0.2]),
    },
    verification: random.chance(0.2) ? drawVerification(random, exchangeClass) : NONE,
    crashes: random.pick([0, 0, 1, 1, 2, 3]),
    databaseFaultRate: random.pick([0, 0, 0.02, 0.1]),
    jumpRate: random.pick([0, 0.02, 0.1]),
    skew: faults.includes('clock_jump') || isLate ? timing.skewMax : random.pick([0, 500, timing.skewMax]),
    clockJumps: faults.includes('clock_jump') ? random.between(1, 3) : 0,
    foreign: random.chance(0.15) ? random.between(1, 2) : 0,
    older: random.pick<('failed' | 'pending')[]>([[], [], [], [], [], ['failed'], ['pending'], ['failed', 'failed']]),
    alike: random.chance(0.06) ? 1 : 0,
    isLate,
    isPoor: random.chance(0.15),
    oversleep: random.pick([4, 10, 30]),
  };
}

/** Faults that are worst together. */
const THEMES: readonly FaultKind[][] = [
  ['accepted_late', 'history_lags', 'clock_jump'],
  ['accepted_late', 'history_lags'],
  ['answer_lost', 'history_errors'],
  ['refused_connection', 'slow_beyond_lease'],
];

function drawFaults(random: Random): FaultKind[] {
  const theme = random.chance(0.15) ? random.any(THEMES) : null;
  if (theme !== null) return theme;
  const count = random.pick([0, 1, 1, 1, 2, 2, 3]);
  return Array.from({ length: count }, () => random.pick(faultKinds));
}

function drawPayments(random: Random): PaymentPlan[] {
  const isTagged = random.chance(0.1);
  const amounts = ['1', random.chance(0.6) ? '1' : '2', '3'];
  return amounts.slice(0, random.pick([1, 1, 1, 2, 2, 3])).map((amount) => ({ amount, isTagged }));
}

/** A challenge is told from another by our reference, so an exchange without references has none. */
function drawVerification(random: Random, exchangeClass: WithdrawalClass): VerificationTraits {
  if (exchangeClass === 'C' || random.chance(0.3)) return { kind: 'totp' };
  return {
    kind: 'challenge',
    mode: random.pick(['step_by_step', 'all_at_once']),
    relation: random.pick(['AND', 'AND', 'OR']),
    methods: random.pick<readonly VerificationMethod[]>([
      ['GOOGLE', 'EMAIL'],
      ['GOOGLE', 'SMS', 'FACE'],
      ['EMAIL', 'SMS'],
    ]),
  };
}
