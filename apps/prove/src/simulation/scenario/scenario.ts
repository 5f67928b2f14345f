import type { VerificationMethod, SubmissionClass } from '#exchange';
import type { VerificationTraits } from '../exchange/challenges.js';
import type { BusinessTraits } from '../exchange/business.js';
import type { ExchangeTraits } from '../exchange/exchange.js';
import type { Random } from '../world/random.js';
import { commonFaults, type FaultKind } from './faults.js';
import type { DeclaredTraits } from './declared.js';
import type { Feature } from './features.js';
import { drawOwner, type OwnerPlan } from './owner-plan.js';
import { timing } from './timing.js';

/** A payment. Equal payments look alike at the exchange. */
export interface PaymentPlan {
  amount: string;
  /** Whether the network takes tags. Then each client may send a different tag. */
  isTagged: boolean;
  /** Index of the paying wallet. */
  wallet: number;
}

/** The scenario of one seed: the participants and the faults. */
export interface Scenario {
  features: readonly Feature[];
  apis: number;
  workers: number;
  /** The API key with which each wallet is connected: `A1` and `A2` open the account `A`. */
  wallets: string[];
  /** Whether the second wallet belongs to another project. */
  hasTwoProjects: boolean;
  payments: PaymentPlan[];
  /** For each client, the index of the payment that it makes. */
  clients: number[];
  exchange: ExchangeTraits;
  verification: VerificationTraits;
  owner: OwnerPlan[];
  /** Number of processes that may die. */
  crashes: number;
  databaseFaultRate: number;
  /** The probability that time passes although a step could happen. */
  jumpRate: number;
  /** Largest error of a clock. */
  skew: number;
  clockJumps: number;
  /** Largest error of a wrong host clock; 0 = no host clock is wrong. The smallest error is a tenth of this. */
  hostSkew: number;
  /** Number of withdrawals that the owner makes during the run. No payment has their amounts. */
  foreign: number;
  /** Withdrawals just before the run that look like the payments: failed ones, or one that is under way. */
  older: ('failed' | 'pending')[];
  /** Number of the owner's withdrawals during the run that the history shows as possible matches of a payment. */
  alike: number;
  /** Whether clients wait until shortly before or after the expiry of their quotes. */
  isLate: boolean;
  /** Whether the balance is too small for all payments. */
  isPoor: boolean;
  /** Largest factor by which a sleep may last longer than requested. */
  oversleep: number;
}

/** A scenario without the wallets and without the details of features. */
type PlainScenario = Omit<Scenario, 'features' | 'wallets' | 'hasTwoProjects' | 'owner' | 'hostSkew'>;

const NONE: VerificationTraits = { kind: 'none' };

/**
 * Draws the scenario of a run.
 * @param random draws the values that every scenario has.
 * @param more draws the details of features, so that a new feature does not change the runs without it.
 * @param declared the exchange of every run; null = the seed draws one.
 */
export function drawScenario(
  { random, more }: { random: Random; more: Random },
  features: ReadonlySet<Feature>,
  declared: DeclaredTraits | null,
): Scenario {
  const isSlow = features.has('late_acceptance');
  const faults = isSlow ? SLOW : drawFaults(random);
  const drawnClass = random.pick([
    'idempotent',
    'idempotent',
    'by_reference',
    'by_match',
    'by_match',
    'by_match',
  ] as const);
  // Without a reference, a record that disproves a refusal may also be that of the next equal quote.
  const refusableClass = features.has('disproved_refusal') && drawnClass === 'by_match' ? 'by_reference' : drawnClass;
  const exchangeClass = declared?.class ?? refusableClass;
  const isLate = features.has('late_clients');
  const payments = drawPayments(random);
  const plain: PlainScenario = {
    apis: random.between(2, 3),
    workers: random.between(1, 2),
    payments,
    clients: Array.from({ length: random.between(1, 4) }, (_, index) =>
      index < payments.length ? index : random.between(0, payments.length - 1),
    ),
    exchange: {
      class: exchangeClass,
      deadlineMs: drawDeadline(random, exchangeClass, declared),
      replay: exchangeClass === 'idempotent' ? 'reference' : 'nonce',
      faults,
      faultRate: random.pick([0.3, 0.6, 1]),
      ownerRepeats: features.has('repeated_by_hand'),
      readErrorRate: random.pick([0, 0, 0.05, 0.2]),
      hasUnclearRecords: features.has('unclear_records'),
      movements: drawMovements(more, features, declared),
      showsPayingAccount: hasPayingAccount(declared),
      holdsPending: false,
      business: drawBusiness(more, features),
      recordOffset: features.has('record_clock') ? drawRecordOffset(more) : 0,
    },
    verification: random.chance(0.2) ? drawVerification(random, exchangeClass, declared) : NONE,
    crashes: random.pick([0, 0, 1, 1, 2, 3]),
    databaseFaultRate: random.pick([0, 0, 0.02, 0.1]),
    jumpRate: random.pick([0, 0.02, 0.1]),
    skew: faults.includes('clock_jump') || isLate || isSlow ? timing.skewMax : random.pick([0, 500, timing.skewMax]),
    clockJumps: faults.includes('clock_jump') ? random.between(1, 3) : 0,
    foreign: random.chance(0.15) ? random.between(1, 2) : 0,
    older: random.pick<('failed' | 'pending')[]>([[], [], [], [], [], ['failed'], ['pending'], ['failed', 'failed']]),
    alike: features.has('unclear_records') ? 1 : 0,
    isLate,
    isPoor: random.chance(0.15),
    oversleep: random.pick([4, 10, 30]),
  };
  return withFeatures(plain, more, features);
}

function withFeatures(plain: PlainScenario, more: Random, features: ReadonlySet<Feature>): Scenario {
  const { exchange } = plain;
  const isUnnoticed = features.has('booked_twice') || features.has('refused_copy');
  const isLying = features.has('executed_refusal') || features.has('disproved_refusal');
  return {
    ...plain,
    ...drawWallets(plain, more, features),
    features: [...features],
    owner: drawOwner(more, features),
    hostSkew: features.has('host_clock') ? timing.hostSkewMax : 0,
    exchange: {
      ...exchange,
      ...(isUnnoticed && { replay: 'unnoticed' }),
      ...(features.has('no_deadline') && { deadlineMs: null }),
      holdsPending: exchange.movements !== 'listed' && more.chance(0.5),
      faults: [
        ...(isLying ? exchange.faults.filter(showsInTime) : exchange.faults),
        ...(features.has('delivered_twice') || features.has('booked_twice') ? (['delivered_twice'] as const) : []),
        ...(features.has('refused_copy') ? (['second_copy_refused'] as const) : []),
        ...(features.has('executed_refusal') ? (['executed_refusal'] as const) : []),
        ...(features.has('disproved_refusal') ? (['disproved_refusal'] as const) : []),
        ...(features.has('unclear_records') && !features.has('executed_refusal')
          ? (['history_other_fee'] as const)
          : []),
      ],
    },
  };
}

/**
 * Whether an exchange with this fault shows an executed withdrawal within its lag, in a form that is recognized. The
 * service promises nothing about refusals of other exchanges.
 */
function showsInTime(fault: FaultKind): boolean {
  return fault !== 'history_lags' && fault !== 'history_other_fee';
}

const ONE_WALLET = { wallets: ['A1'], hasTwoProjects: false };

function drawWallets(
  plain: Pick<Scenario, 'payments' | 'clients'>,
  more: Random,
  features: ReadonlySet<Feature>,
): Pick<Scenario, 'wallets' | 'hasTwoProjects' | 'payments' | 'clients'> {
  const { payments, clients } = plain;
  // These features add records that look like a payment. With several payments, no one could know to which of them such
  // a record belongs.
  const lookalikes: readonly Feature[] = ['booked_twice', 'refused_copy', 'repeated_by_hand'];
  if (lookalikes.some((feature) => features.has(feature))) {
    return { ...ONE_WALLET, payments: payments.slice(0, 1), clients: clients.map(() => 0) };
  }
  const [first] = payments;
  if (!features.has('same_account') || first === undefined) return { ...ONE_WALLET, payments, clients };
  return {
    wallets: ['A1', more.pick(['A1', 'A2'])],
    hasTwoProjects: more.chance(0.5),
    payments: [...payments, { ...first, wallet: 1 }],
    clients: [...clients, payments.length],
  };
}

const UNTRUE: readonly FaultKind[] = ['clock_jump', 'disproved_refusal'];

/**
 * Whether all reads of the exchange are correct, complete and current, and the credentials stay valid. Only responses
 * to submissions may be lost.
 */
export function isTruthful({ exchange, owner, alike, hostSkew }: Scenario): boolean {
  const { faults, replay, ownerRepeats, readErrorRate, movements, business, recordOffset } = exchange;
  const lies = faults.some((fault) => fault.startsWith('history_') || UNTRUE.includes(fault));
  const isComplete =
    movements === 'listed' && business?.isOdd !== true && readErrorRate === 0 && replay !== 'unnoticed';
  return (
    !lies && isComplete && !ownerRepeats && alike === 0 && recordOffset === 0 && owner.length === 0 && hostSkew === 0
  );
}

function drawDeadline(random: Random, exchangeClass: SubmissionClass, declared: DeclaredTraits | null): number | null {
  if (exchangeClass !== 'idempotent' || declared?.hasDeadline === false) return null;
  return random.between(timing.deadlineMin, timing.deadlineMax);
}

function hasPayingAccount(declared: DeclaredTraits | null): boolean {
  return declared?.hasPayingAccount === true;
}

function drawMovements(
  more: Random,
  features: ReadonlySet<Feature>,
  declared: DeclaredTraits | null,
): Scenario['exchange']['movements'] {
  if (declared?.hasMovements === false) return 'absent';
  return features.has('no_movements') ? more.pick(['refused', 'absent']) : 'listed';
}

function drawBusiness(more: Random, features: ReadonlySet<Feature>): BusinessTraits | null {
  const isOdd = features.has('odd_movements');
  return features.has('busy_account') || isOdd ? { paceMs: more.pick([4_000, 15_000, 60_000]), isOdd } : null;
}

/**
 * Draws the error of the times of records: more than WITHDRAWAL_CLOCK_SKEW_MS, up to hours. The service must not rely
 * on such times.
 */
function drawRecordOffset(more: Random): number {
  const size = more.pick([62_000, more.between(61_000, 600_000), more.between(600_000, timing.recordSkewMax)]);
  return more.chance(0.5) ? size : -size;
}

const SLOW: FaultKind[] = ['accepted_late', 'history_lags'];
/** Combinations of faults that are the most dangerous. */
const THEMES: readonly FaultKind[][] = [
  ['accepted_late', 'history_lags', 'clock_jump'],
  SLOW,
  ['answer_lost', 'history_errors'],
  ['refused_connection', 'slow_beyond_lease'],
];

function drawFaults(random: Random): FaultKind[] {
  const theme = random.chance(0.15) ? random.any(THEMES) : null;
  if (theme !== null) return theme;
  const count = random.pick([0, 1, 1, 1, 2, 2, 3]);
  return Array.from({ length: count }, () => random.any(commonFaults)).filter((fault) => fault !== null);
}

function drawPayments(random: Random): PaymentPlan[] {
  const isTagged = random.chance(0.1);
  const amounts = ['1', random.chance(0.6) ? '1' : '2', '3'];
  return amounts.slice(0, random.pick([1, 1, 1, 2, 2, 3])).map((amount) => ({ amount, isTagged, wallet: 0 }));
}

/** Challenges are identified by our reference, so an exchange without references has none. */
function drawVerification(
  random: Random,
  exchangeClass: SubmissionClass,
  declared: DeclaredTraits | null,
): VerificationTraits {
  if (exchangeClass === 'by_match' || random.chance(0.3) || declared?.hasChallenges === false) return { kind: 'totp' };
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
