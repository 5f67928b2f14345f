import { isDeepStrictEqual } from 'node:util';
import type { ExchangeWithdrawal, SoughtWithdrawal, WithdrawalClass } from '#exchange';
import { Amount } from '#money';

export type RecordStatus = ExchangeWithdrawal['status'];

/** A withdrawal as the exchange has booked it. */
export interface LedgerRecord {
  exchangeId: string;
  /** The quote that it was sent for; null = its owner made it at the exchange itself. The service never sees this. */
  quoteId: string | null;
  /** The step of the run in which the bytes of its submission went out. */
  sentInStep: number;
  clientRef: string | null;
  asset: string;
  request: Record<string, string>;
  debit: Amount;
  /** What it really cost. */
  fee: Amount;
  /** Milliseconds of virtual time. */
  bookedAt: number;
  /** The same by the clock of the exchange. */
  at: Date;
  status: RecordStatus;
  settledAt: number | null;
  form: RecordForm;
}

/**
 * How its history shows a record to somebody who has only the looks of it: as it was sent, as something that may be it,
 * or in a form that is not recognized.
 */
export type RecordForm = 'certain' | 'possible' | 'strange';

/** What the exchange has really done: the oracle. */
export class Ledger {
  readonly records: LedgerRecord[] = [];
  balance = Amount.of('100');

  constructor(private readonly exchangeClass: WithdrawalClass) {}

  book(record: Omit<LedgerRecord, 'exchangeId' | 'status' | 'settledAt'>): LedgerRecord {
    const booked: LedgerRecord = {
      ...record,
      exchangeId: `X${this.records.length + 1}`,
      status: 'pending',
      settledAt: null,
    };
    this.records.push(booked);
    this.balance = this.balance.minus(record.debit);
    return booked;
  }

  settle(record: LedgerRecord, status: Exclude<RecordStatus, 'pending'>, now: number): void {
    record.status = status;
    record.settledAt = now;
    if (status !== 'completed') this.balance = this.balance.plus(record.debit);
  }

  /** What its history shows of a withdrawal that somebody looks for, as it was at `moment`. */
  find(sought: SoughtWithdrawal, moment: number): ExchangeWithdrawal[] {
    return this.records
      .filter((record) => record.bookedAt <= moment && this.isSought(record, sought))
      .map((record) => shown(record, moment, this.exchangeClass !== 'C' || sought.exchangeId !== null));
  }

  private isSought(
    record: LedgerRecord,
    { asset, request, clientRef, exchangeId, notBefore }: SoughtWithdrawal,
  ): boolean {
    if (exchangeId !== null) return record.exchangeId === exchangeId;
    if (record.asset !== asset || record.at < notBefore) return false;
    return this.exchangeClass === 'C'
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
