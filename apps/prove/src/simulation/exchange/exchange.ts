import type { PreparedWithdrawal, SubmitOptions, SubmitOutcome, SubmissionClass } from '#exchange';
import { Amount } from '#money';
import type { FaultKind, HistoryFault, SubmissionFault } from '../scenario/faults.js';
import { timing } from '../scenario/timing.js';
import { timeOfDay } from '../world/process.js';
import type { Random } from '../world/random.js';
import type { Scheduler } from '../world/scheduler.js';
import { Account, isDenied, type LedgerRecord, type RecordForm } from './account.js';
import { Business, type BusinessTraits } from './business.js';
import type { Challenges } from './challenges.js';
import type { Delays } from './deliveries.js';

/** The traits of the exchange in this run. */
export interface ExchangeTraits {
  class: SubmissionClass;
  /** How long after its preparation a request can be accepted; null = the exchange has no submission deadline. */
  deadlineMs: number | null;
  /** How the exchange recognizes a second copy of a request: by its nonce, by its reference, or not at all. */
  replay: 'nonce' | 'reference' | 'unnoticed';
  faults: readonly FaultKind[];
  /** The probability that an armed fault affects a call. */
  faultRate: number;
  /** Whether the owner makes an equal withdrawal by hand soon after some of ours. */
  ownerRepeats: boolean;
  /** Whether a record whose fee differs from the quote's may be `possible` or `strange` (see `RecordForm`). */
  hasUnclearRecords: boolean;
  /** The probability that a read fails without an armed fault. */
  readErrorRate: number;
  /** Whether the exchange lists the movements of an account, and whether the key may read them. */
  movements: 'listed' | 'refused' | 'absent';
  /** Whether the balance contains a withdrawal, as a part that is in use, until the exchange has sent it. */
  holdsPending: boolean;
  /** Whether the exchange lists the balance of the account after each change (`payingAccount`). */
  showsPayingAccount: boolean;
  /** The trades, deposits and other withdrawals that change the accounts; null = there are none. */
  business: BusinessTraits | null;
  /** How far the times in the exchange's records are ahead of its clock, in milliseconds. */
  recordOffset: number;
}

export interface ExchangeParts {
  seed: number;
  challenges: Challenges;
  scheduler: Scheduler;
  random: Random;
  onEvent: (event: string) => void;
  onFault: (fault: FaultKind) => void;
}

/** A request that has reached the exchange. */
export interface Arrival {
  /** The API key that signed the request. */
  key: string;
  prepared: PreparedWithdrawal;
  quoteId: string;
  sentInStep: number;
  debit: Amount;
  fee: Amount;
  proof: SubmitOptions['proof'];
  delays: Delays | null;
}

/** A withdrawal that the owner makes without our service. */
export type Foreign = Pick<LedgerRecord, 'asset' | 'request' | 'debit' | 'form'>;

const REFUSALS = {
  WITHDRAWAL_AMOUNT_BELOW_MINIMUM: 'EFunding:Invalid amount',
  WITHDRAWAL_INVALID_ADDRESS: 'EFunding:Unknown withdraw key',
  WITHDRAWAL_KYC_REQUIRED: 'EFunding:KYC required',
} as const;

const OTHER_FEE = Amount.of('0.0003');

/** The simulated exchange: its accounts, their keys, and its faults. */
export class Exchange {
  /** Whether all faults are over. */
  isCalm = false;
  /** How far the exchange's clock is ahead of the true time, in milliseconds. */
  offset = 0;
  /** Number of planned actions of the exchange, such as executing a request or settling a withdrawal. */
  openMatters = 0;

  readonly challenges: Challenges;
  private readonly accounts = new Map<string, Account>();
  private readonly revoked = new Set<string>();
  /** The `sentInStep` of each request of which the exchange has acted on a copy. All copies have the same value. */
  private readonly seen = new Set<number>();
  private readonly scheduler: Scheduler;
  private readonly random: Random;
  private ids = 0;

  constructor(
    readonly traits: ExchangeTraits,
    private readonly parts: ExchangeParts,
  ) {
    this.challenges = parts.challenges;
    this.scheduler = parts.scheduler;
    this.random = parts.random;
  }

  now(): Date {
    return timeOfDay(this.scheduler.now, this.offset);
  }

  /** The account that a key opens: the keys `A1` and `A2` open the account `A`. */
  accountOf(key: string): Account {
    const name = key.slice(0, 1);
    const known = this.accounts.get(name);
    if (known !== undefined) return known;
    const { seed } = this.parts;
    const { business: traits } = this.traits;
    const business = traits && new Business(seed + this.accounts.size, traits, (moment) => this.recordTime(moment));
    const account = new Account(name, this.traits.class, business, () => `X${(this.ids += 1)}`);
    this.accounts.set(name, account);
    return account;
  }

  /** All records of all accounts. */
  get records(): LedgerRecord[] {
    return [...this.accounts.values()].flatMap(({ records }) => records);
  }

  isRevoked(key: string): boolean {
    return this.revoked.has(key);
  }

  revoke(key: string): void {
    this.revoked.add(key);
  }

  /** Draws the fault of a submission. */
  submissionFault(): SubmissionFault | null {
    return this.draw((fault): fault is SubmissionFault => !isHistoryFault(fault) && fault !== 'clock_jump');
  }

  /** Draws the fault of a read of the history. */
  historyFault(): HistoryFault | null {
    return this.draw((fault): fault is HistoryFault => isHistoryFault(fault) && fault !== 'history_other_fee');
  }

  failsRead(): boolean {
    return !this.isCalm && this.random.chance(this.traits.readErrorRate);
  }

  /** Runs `work` later, also when processes have died by then. */
  later(ms: number, label: string, work: () => void): void {
    this.openMatters += 1;
    const run = (): void => {
      this.openMatters -= 1;
      work();
    };
    this.scheduler.add({ owner: null, label: `exchange ${label}`, kind: 'event', in: ms, run });
  }

  /** Acts on a request that has arrived. It may be a second copy of an earlier one. @returns the response. */
  act(arrival: Arrival, isRefused: boolean): SubmitOutcome {
    const { prepared, key } = arrival;
    const isCopy = this.seen.has(arrival.sentInStep);
    this.seen.add(arrival.sentInStep);
    // The refusal of a second copy does not prove that the first one was refused, so the outcome is unknown. An
    // exchange that does not recognize copies treats the second one as a new request.
    if (this.isRevoked(key) && isCopy && this.traits.replay !== 'unnoticed') return notUnderstood('EAPI:Invalid key');
    if (this.isRevoked(key)) return refusal('WALLET_INVALID_CREDENTIALS', 'EAPI:Invalid key');
    const replayed = this.replayed(arrival, isCopy);
    if (replayed !== null) return replayed;
    if (prepared.submissionDeadline !== null && this.now() > prepared.submissionDeadline)
      return notUnderstood('request_expired');
    if (isRefused) {
      const code = this.random.weighted({
        WITHDRAWAL_AMOUNT_BELOW_MINIMUM: 1,
        WITHDRAWAL_INVALID_ADDRESS: 1,
        WITHDRAWAL_KYC_REQUIRED: 1,
      });
      return refusal(code, REFUSALS[code]);
    }
    const unverified = this.challenges.refusalOf(prepared, arrival.proof, isCopy);
    if (unverified !== null) return unverified;
    if (this.accountOf(key).heldAt(this.scheduler.now).lessThan(arrival.debit)) {
      return refusal('WITHDRAWAL_INSUFFICIENT_BALANCE', 'EFunding:Insufficient funds');
    }
    return accepted(this.book(arrival));
  }

  /** Books a withdrawal that the owner makes, or has made, at the exchange itself. */
  bookForeign(key: string, { asset, request, debit, form }: Foreign, before = 0): LedgerRecord {
    const bookedAt = this.scheduler.now - before;
    const record = this.accountOf(key).book({
      asset,
      request,
      debit,
      bookedAt,
      quoteId: null,
      sentInStep: 0,
      clientRef: null,
      fee: OTHER_FEE,
      at: this.recordTime(bookedAt),
      form,
      shownAt: bookedAt,
    });
    this.parts.onEvent(`the owner withdraws: ${record.exchangeId}`);
    return record;
  }

  settleLater(record: LedgerRecord): void {
    // With `history_other_fee`, the history may show a payment in a form that is not recognized. If another withdrawal
    // of the same amount then returned its money, the balance would be unchanged, as if nothing had been paid. So in
    // such a run no withdrawal returns its money.
    // A refusal is disproved only by a record that has moved money, so denied withdrawals return none either.
    const isKept = this.traits.faults.includes('history_other_fee') || isDenied(record);
    const comesBack = !isKept && this.random.chance(0.15);
    const status = comesBack ? this.random.pick(['failed', 'failed', 'canceled'] as const) : 'completed';
    this.later(this.random.between(500, timing.settlementMax), 'settles', () => this.settle(record, status));
  }

  settle(record: LedgerRecord, status: 'completed' | 'failed' | 'canceled', moment = this.scheduler.now): void {
    this.accountOf(record.account).settle(record, status, moment, this.recordTime(moment));
    this.parts.onEvent(`exchange settles ${record.exchangeId} as ${status}`);
  }

  /** Returns the response to a request that the exchange recognizes as a second copy; null for any other request. */
  private replayed({ prepared }: Arrival, isCopy: boolean): SubmitOutcome | null {
    const { replay } = this.traits;
    if (replay === 'nonce') return isCopy ? notUnderstood('EAPI:Invalid nonce') : null;
    const booked = replay === 'reference' ? this.bookedAs(prepared.clientRef) : undefined;
    return booked === undefined ? null : accepted(booked);
  }

  private book({ key, prepared, quoteId, sentInStep, debit, fee, delays }: Arrival): LedgerRecord {
    const { faults, faultRate, ownerRepeats, hasUnclearRecords } = this.traits;
    const isOtherFee = faults.includes('history_other_fee') && this.random.chance(faultRate);
    if (isOtherFee) this.parts.onFault('history_other_fee');
    const record = this.accountOf(key).book({
      quoteId,
      sentInStep,
      debit,
      clientRef: prepared.clientRef,
      asset: prepared.request['asset'] ?? '',
      request: prepared.request,
      fee: isOtherFee ? OTHER_FEE : fee,
      bookedAt: this.scheduler.now,
      shownAt: this.scheduler.now + (delays?.shownAfter ?? 0),
      at: this.recordTime(this.scheduler.now),
      form: isOtherFee && hasUnclearRecords ? this.random.pick(this.forms) : 'certain',
    });
    this.parts.onEvent(`exchange books ${record.exchangeId} in ${record.account}, which looks ${record.form}`);
    if (delays?.isHidden === true) this.accountOf(key).deposit(debit, record.bookedAt, record.at);
    this.settleLater(record);
    if (ownerRepeats && this.random.chance(0.5)) {
      this.later(this.random.between(0, timing.historyLagMax), 'owner', () =>
        this.settleLater(this.bookForeign(key, { ...record, form: 'certain' })),
      );
    }
    return record;
  }

  /**
   * Omits `strange` when the owner repeats payments. Otherwise the owner's equal withdrawal would be taken for our
   * withdrawal, whose own record is not recognized.
   */
  private get forms(): readonly [RecordForm, ...RecordForm[]] {
    return this.traits.ownerRepeats ? ['certain', 'possible'] : ['certain', 'possible', 'strange'];
  }

  /** Returns the time that the exchange's records show for a moment. */
  private recordTime(moment: number): Date {
    return timeOfDay(moment, this.offset + this.traits.recordOffset);
  }

  private bookedAs(clientRef: string | null): LedgerRecord | undefined {
    return this.records.find((record) => record.clientRef !== null && record.clientRef === clientRef);
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

/** The outcome of a refusal that does not show whether the exchange executed an earlier copy of the request. */
function notUnderstood(rawCode: string): SubmitOutcome {
  return { kind: 'unknown', reason: rawCode, answer: { error: [rawCode] } };
}

function refusal(code: Extract<SubmitOutcome, { kind: 'rejected' }>['code'], rawCode: string): SubmitOutcome {
  return { kind: 'rejected', code, rawCode, answer: { error: [rawCode] } };
}
