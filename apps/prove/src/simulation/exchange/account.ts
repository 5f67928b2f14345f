import { isDeepStrictEqual } from 'node:util';
import type {
  AccountChange,
  AccountMovement,
  ExchangeWithdrawal,
  ListedWithdrawal,
  PayingAccount,
  SoughtWithdrawal,
  SubmissionClass,
} from '#exchange';
import { Amount } from '#money';
import { timing } from '../scenario/timing.js';
import { AccountBook } from './account-book.js';
import type { Business, BusinessEntry } from './business.js';

export const ASSET = 'BTC';
const BALANCE = Amount.of('100');
const OTHER_ADDRESS = 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3';

export type RecordStatus = Exclude<ExchangeWithdrawal['status'], 'unknown'>;

/** A withdrawal as the exchange has booked it. */
export interface LedgerRecord {
  exchangeId: string;
  /** The name of the debited account. */
  account: string;
  /**
   * The quote that the withdrawal was sent for; null = the owner made it at the exchange. The service never sees this
   * field.
   */
  quoteId: string | null;
  /** The step of the run in which the bytes of its submission went out: equal for all copies of one request. */
  sentInStep: number;
  clientRef: string | null;
  asset: string;
  request: Record<string, string>;
  debit: Amount;
  /** The fee that the exchange has charged. It may differ from the fee of the quote. */
  fee: Amount;
  /** Milliseconds of virtual time. */
  bookedAt: number;
  /** When the history and the balance begin to show the record; `bookedAt` or later. */
  shownAt: number;
  /** The moment `bookedAt` by the clock of the exchange. */
  at: Date;
  status: RecordStatus;
  settledAt: number | null;
  form: RecordForm;
}

/**
 * How the history shows a record that can only be matched by its details: as it was sent, as a possible match, or in a
 * form that is not recognized.
 */
export type RecordForm = 'certain' | 'possible' | 'strange';

/** Whether the exchange has refused the withdrawal and shows it later than the service looks for it. */
export function isDenied({ bookedAt, shownAt }: Pick<LedgerRecord, 'bookedAt' | 'shownAt'>): boolean {
  return shownAt - bookedAt > timing.refusedLagMax;
}

export type Booking = Omit<LedgerRecord, 'exchangeId' | 'account' | 'status' | 'settledAt'>;

/** One account at the exchange with everything that really happened: the source of truth. */
export class Account {
  readonly records: LedgerRecord[] = [];
  private readonly changes = new AccountBook(ASSET, () => this.opened);
  private changeCount = 0;
  /** Withdrawals of the account's owner to addresses that no payment goes to. */
  private readonly elsewhere: { bookedAt: number; record: ListedWithdrawal }[] = [];
  private held = BALANCE;
  /** The holdings before the first record. */
  private opened = BALANCE;

  constructor(
    readonly name: string,
    private readonly exchangeClass: SubmissionClass,
    /** The changes of this account that are not payments, such as trades; null = there are none. */
    private readonly business: Business | null,
    private readonly newExchangeId: () => string,
  ) {}

  /** The holdings at `moment`, which must not be earlier than that of the last call. */
  heldAt(moment: number): Amount {
    this.goOn(moment);
    return this.held;
  }

  /** The holdings as the exchange shows them at `moment`. */
  balanceAt(moment: number): Amount {
    const held = this.heldAt(moment);
    const hidden = this.records.filter(({ bookedAt, shownAt }) => bookedAt <= moment && shownAt > moment);
    return held.plus(Amount.sum(hidden.map(({ debit }) => debit)));
  }

  /** The amount of all withdrawals that were booked, but neither sent nor returned, by `moment`. */
  pendingAt(moment: number): Amount {
    const isPending = ({ shownAt, settledAt }: LedgerRecord): boolean =>
      shownAt <= moment && (settledAt === null || settledAt > moment);
    return Amount.sum(this.records.filter(isPending).map(({ debit }) => debit));
  }

  empty(balance: Amount): void {
    this.held = balance;
    this.opened = balance;
  }

  book(booking: Booking): LedgerRecord {
    const booked: LedgerRecord = {
      ...booking,
      exchangeId: this.newExchangeId(),
      account: this.name,
      status: 'pending',
      settledAt: null,
    };
    this.records.push(booked);
    this.change(booked, Amount.zero.minus(booked.debit), booked.shownAt, booked.at);
    return booked;
  }

  /** Books a deposit of the owner. */
  deposit(amount: Amount, bookedAt: number, at: Date): void {
    this.held = this.held.plus(amount);
    this.changeCount += 1;
    const id = `M${this.changeCount}`;
    this.changes.add({ id, kind: 'other', reference: null, change: amount, bookedAt, at });
  }

  settle(record: LedgerRecord, status: Exclude<RecordStatus, 'pending'>, now: number, at: Date): void {
    record.status = status;
    record.settledAt = now;
    if (status !== 'completed') this.change(record, record.debit, now, at);
  }

  /** Searches the history for a withdrawal, as the history was at `moment`. */
  find(sought: SoughtWithdrawal, moment: number): ExchangeWithdrawal[] {
    return this.records
      .filter((record) => record.shownAt <= moment && this.isSought(record, sought))
      .map((record) => shown(record, moment, this.exchangeClass !== 'by_match' || sought.exchangeId !== null));
  }

  /** Lists every withdrawal since `since`, as the history was at `moment`. */
  list(since: Date, moment: number): ListedWithdrawal[] {
    const own = this.records
      .filter(({ shownAt, at }) => shownAt <= moment && at >= since)
      .map((record): ListedWithdrawal => {
        const { isCertain, ...listed } = shown(record, moment, true);
        const { clientRef, asset, request, debit, fee } = record;
        return { ...listed, clientRef, asset, address: request['address'] ?? null, amountNoFee: debit.minus(fee) };
      });
    this.goOn(moment);
    const others = this.elsewhere.filter(({ bookedAt, record }) => bookedAt <= moment && record.at >= since);
    return [...own, ...others.map(({ record }) => record)];
  }

  /** Lists every change of the holdings since `since`, as the ledger was at `moment`, newest first. */
  movements(since: Date, moment: number): AccountMovement[] {
    this.goOn(moment);
    return this.changes.movements(since, moment);
  }

  /**
   * The account with all its changes, newest first, as the list was at `listedAt`. The oldest one is a deposit from
   * long before the run. If withdrawals are held until they are sent, the list does not contain them before. An
   * exchange without references in its records (Bybit) lists neither references nor kinds of changes.
   */
  asPaying(listedAt: number, now: number, holdsPending: boolean): PayingAccount {
    const held = holdsPending ? this.pendingAt(now) : Amount.zero;
    const total = this.balanceAt(now).plus(held);
    const refOf = new Map(this.records.map(({ exchangeId, clientRef }) => [exchangeId, clientRef]));
    const waiting = new Set(
      this.records
        .filter(({ settledAt }) => holdsPending && (settledAt ?? Infinity) > listedAt)
        .map((one) => one.exchangeId),
    );
    let heldBefore = Amount.zero;
    const opening = { id: 'M0', kind: 'other', clientRef: null, at: new Date(0) } as const;
    const changes: AccountChange[] = [{ ...opening, change: this.opened, after: this.opened }];
    for (const { id, kind, reference, change, after, at } of [...this.movements(new Date(0), listedAt)].reverse()) {
      if (reference !== null && waiting.has(reference)) {
        heldBefore = heldBefore.minus(change);
        continue;
      }
      const shown = (after?.total ?? Amount.zero).plus(heldBefore);
      const stated =
        this.exchangeClass === 'by_match'
          ? ({ kind: 'unknown', clientRef: null } as const)
          : { kind, clientRef: refOf.get(reference ?? '') ?? null };
      changes.unshift({ id, ...stated, change, at, after: shown });
    }
    return { total, held, changes };
  }

  /** Books the changes from `business` that are due by `moment`. */
  private goOn(moment: number): void {
    for (const entry of this.business?.dueBy(moment) ?? []) {
      this.held = this.held.plus(entry.change);
      this.changes.add(entry);
      if (entry.kind === 'withdrawal')
        this.elsewhere.push({ bookedAt: entry.bookedAt, record: listedElsewhere(entry) });
    }
  }

  private change({ exchangeId: reference }: LedgerRecord, change: Amount, bookedAt: number, at: Date): void {
    this.held = this.held.plus(change);
    this.changeCount += 1;
    this.changes.add({ id: `M${this.changeCount}`, kind: 'withdrawal', reference, change, bookedAt, at });
  }

  private isSought(
    record: LedgerRecord,
    { asset, request, clientRef, exchangeId, notBefore }: SoughtWithdrawal,
  ): boolean {
    // An exchange of class `by_match` lists its records from a start time. Older records are missing even when a record
    // is searched by its id.
    if (record.at < notBefore && (exchangeId === null || this.exchangeClass === 'by_match')) return false;
    if (exchangeId !== null) return record.exchangeId === exchangeId;
    if (record.asset !== asset) return false;
    return this.exchangeClass === 'by_match'
      ? record.form !== 'strange' && isDeepStrictEqual(record.request, request)
      : clientRef !== null && record.clientRef === clientRef;
  }
}

function shown(record: LedgerRecord, moment: number, isKnown: boolean): ExchangeWithdrawal {
  const isSettled = record.settledAt !== null && record.settledAt <= moment;
  const status = isSettled ? record.status : 'pending';
  return {
    exchangeId: record.exchangeId,
    status,
    rawStatus: status,
    hash: status === 'completed' ? `hash of ${record.exchangeId}` : null,
    amountNoFee: record.debit.minus(record.fee),
    fee: record.fee,
    at: record.at,
    isCertain: isKnown || record.form === 'certain',
  };
}

/** A withdrawal of the owner to an address that no payment goes to. */
function listedElsewhere({ reference, change, at }: BusinessEntry): ListedWithdrawal {
  const amountNoFee = change.abs();
  return {
    exchangeId: reference ?? '',
    status: 'completed',
    rawStatus: 'completed',
    hash: null,
    fee: Amount.zero,
    at,
    clientRef: null,
    asset: ASSET,
    address: OTHER_ADDRESS,
    amountNoFee,
  };
}
