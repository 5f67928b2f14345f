import type { PreparedWithdrawal, SubmitOptions, SubmitOutcome, WithdrawalClass } from '#exchange';
import { Amount } from '#money';
import type { FaultKind, HistoryFault, SubmissionFault } from '../faults.js';
import { timeOfDay } from '../process.js';
import type { Random } from '../random.js';
import type { Scheduler } from '../scheduler.js';
import { timing } from '../timing.js';
import type { Challenges } from './challenges.js';
import { Ledger, type LedgerRecord, type RecordForm } from './ledger.js';

/** What the exchange is like in this run. */
export interface ExchangeTraits {
  class: WithdrawalClass;
  /** How long after it was prepared a request can be accepted; null = no fence. */
  fenceMs: number | null;
  faults: readonly FaultKind[];
  /** How often a call that an armed fault is about meets it. */
  faultRate: number;
  /** Its owner pays the same again by hand, soon after some of our withdrawals. */
  ownerRepeats: boolean;
  /** How often a read fails although no fault is about it. */
  readErrorRate: number;
}

export interface ExchangeParts {
  challenges: Challenges;
  scheduler: Scheduler;
  random: Random;
  onEvent: (event: string) => void;
  onFault: (fault: FaultKind) => void;
}

/** A request that has reached the exchange. */
export interface Arrival {
  prepared: PreparedWithdrawal;
  quoteId: string;
  sentInStep: number;
  debit: Amount;
  fee: Amount;
  proof: SubmitOptions['proof'];
}

/** What the account's owner does without us. */
export type Foreign = Pick<LedgerRecord, 'asset' | 'request' | 'debit' | 'form'>;

const FORMS: readonly [RecordForm, ...RecordForm[]] = ['certain', 'possible', 'strange'];
/** Beside one that is not recognized an equal one of the owner's would be taken for it by anybody. */
const REPEATED_FORMS: typeof FORMS = ['certain', 'possible'];

const REFUSALS = {
  WITHDRAWAL_AMOUNT_BELOW_MINIMUM: 'EFunding:Invalid amount',
  WITHDRAWAL_INVALID_ADDRESS: 'EFunding:Unknown withdraw key',
  WITHDRAWAL_KYC_REQUIRED: 'EFunding:KYC required',
} as const;

const OTHER_FEE = Amount.of('0.0003');

/** The simulated exchange: one account, its ledger, and what goes wrong with it. */
export class Exchange {
  readonly ledger: Ledger;
  /** Set when faults are over. */
  isCalm = false;
  /** How far its clock is off. */
  offset = 0;
  /** Requests that have arrived but were not acted on, and withdrawals that are not settled. */
  openMatters = 0;

  readonly challenges: Challenges;
  private readonly scheduler: Scheduler;
  private readonly random: Random;

  constructor(
    readonly traits: ExchangeTraits,
    private readonly parts: ExchangeParts,
  ) {
    this.ledger = new Ledger(traits.class);
    this.challenges = parts.challenges;
    this.scheduler = parts.scheduler;
    this.random = parts.random;
  }

  now(): Date {
    return timeOfDay(this.scheduler.now, this.offset);
  }

  /** Draws what goes wrong with a submission. */
  submissionFault(): SubmissionFault | null {
    return this.draw((fault): fault is SubmissionFault => !isHistoryFault(fault) && fault !== 'clock_jump');
  }

  /** Draws what goes wrong with a look at the history. */
  historyFault(): HistoryFault | null {
    return this.draw((fault): fault is HistoryFault => isHistoryFault(fault) && fault !== 'history_other_fee');
  }

  failsRead(): boolean {
    return !this.isCalm && this.random.chance(this.traits.readErrorRate);
  }

  /** Does something later, whoever lives then. */
  later(ms: number, label: string, work: () => void): void {
    this.openMatters += 1;
    const run = (): void => {
      this.openMatters -= 1;
      work();
    };
    this.scheduler.add({ owner: null, label: `exchange ${label}`, kind: 'event', in: ms, run });
  }

  /** What the exchange does with a request, and what it answers. */
  act(arrival: Arrival, isRefused: boolean): SubmitOutcome {
    const { prepared } = arrival;
    const repeated = this.traits.class === 'A' ? this.bookedAs(prepared.clientRef) : undefined;
    if (repeated !== undefined) return accepted(repeated);
    if (prepared.notAfter !== null && this.now() > prepared.notAfter) {
      return refusal('WITHDRAWAL_PROVIDER_ERROR', 'request_expired');
    }
    if (isRefused) {
      const code = this.random.weighted({
        WITHDRAWAL_AMOUNT_BELOW_MINIMUM: 1,
        WITHDRAWAL_INVALID_ADDRESS: 1,
        WITHDRAWAL_KYC_REQUIRED: 1,
      });
      return refusal(code, REFUSALS[code]);
    }
    const unverified = this.challenges.refusalOf(prepared, arrival.proof);
    if (unverified !== null) return unverified;
    if (this.ledger.balance.lessThan(arrival.debit)) {
      return refusal('WITHDRAWAL_INSUFFICIENT_BALANCE', 'EFunding:Insufficient funds');
    }
    return accepted(this.book(arrival));
  }

  /** Books what its owner does at the exchange itself, or has done before. */
  bookForeign({ asset, request, debit, form }: Foreign, before = 0): LedgerRecord {
    const bookedAt = this.scheduler.now - before;
    const record = this.ledger.book({
      ...{ asset, request, debit, bookedAt },
      quoteId: null,
      sentInStep: 0,
      clientRef: null,
      fee: OTHER_FEE,
      ...{ at: timeOfDay(bookedAt, this.offset), form },
    });
    this.parts.onEvent(`the owner withdraws: ${record.exchangeId}`);
    return record;
  }

  private book({ prepared, quoteId, sentInStep, debit, fee }: Arrival): LedgerRecord {
    const { faults, faultRate, ownerRepeats } = this.traits;
    const isOtherFee = faults.includes('history_other_fee') && this.random.chance(faultRate);
    if (isOtherFee) this.parts.onFault('history_other_fee');
    const record = this.ledger.book({
      ...{ quoteId, sentInStep, debit },
      clientRef: prepared.clientRef,
      asset: prepared.request['asset'] ?? '',
      request: prepared.request,
      fee: isOtherFee ? OTHER_FEE : fee,
      bookedAt: this.scheduler.now,
      at: this.now(),
      form: isOtherFee ? this.random.pick(ownerRepeats ? REPEATED_FORMS : FORMS) : 'certain',
    });
    this.parts.onEvent(`exchange books ${record.exchangeId}, which looks ${record.form}`);
    this.settleLater(record);
    if (ownerRepeats && this.random.chance(0.5)) {
      this.later(this.random.between(0, timing.historyLagMax), 'owner', () =>
        this.settleLater(this.bookForeign({ ...record, form: 'certain' })),
      );
    }
    return record;
  }

  settleLater(record: LedgerRecord): void {
    // An equal amount that comes back would hide a record that is not recognized: the balance is as it was before.
    const comesBack = !this.traits.faults.includes('history_other_fee') && this.random.chance(0.15);
    const status = comesBack ? this.random.pick(['failed', 'failed', 'canceled'] as const) : 'completed';
    this.later(this.random.between(500, timing.settlementMax), 'settles', () => {
      this.ledger.settle(record, status, this.scheduler.now);
      this.parts.onEvent(`exchange settles ${record.exchangeId} as ${status}`);
    });
  }

  private bookedAs(clientRef: string | null): LedgerRecord | undefined {
    return this.ledger.records.find((record) => record.clientRef !== null && record.clientRef === clientRef);
  }

  private draw<Kind extends FaultKind>(isAbout: (fault: FaultKind) => fault is Kind): Kind | null {
    if (this.isCalm) return null;
    const fault = this.random.any(this.traits.faults.filter(isAbout));
    if (fault === null || !this.random.chance(this.traits.faultRate)) return null;
    this.parts.onFault(fault);
    return fault;
  }
}

function isHistoryFault(fault: FaultKind): fault is HistoryFault {
  return fault.startsWith('history_');
}

function accepted({ exchangeId }: LedgerRecord): SubmitOutcome {
  return { kind: 'accepted', exchangeId, answer: { refid: exchangeId } };
}

function refusal(code: Extract<SubmitOutcome, { kind: 'rejected' }>['code'], rawCode: string): SubmitOutcome {
  return { kind: 'rejected', code, rawCode, answer: { error: [rawCode] } };
}
