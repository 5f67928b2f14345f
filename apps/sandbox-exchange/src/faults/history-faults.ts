import { Amount } from '#money';
import type { HistoryChange, HistoryForm, HistoryRecord } from './dialect.js';

export function olderThan(time: number, { timeOf }: HistoryForm): HistoryChange {
  return (records) => records.filter((record) => timeOf(record) <= time);
}

/** Doubles the fee, or takes a hundredth of the amount where there was none. */
export function withOtherFee(records: HistoryRecord[]): HistoryRecord[] {
  return records.map((record) => {
    const amount = Amount.of(record.amount);
    const fee = Amount.of(record.fee);
    const more = fee.isZero() ? amount.times(Amount.of('0.01')) : fee;
    return { ...record, amount: amount.minus(more).toString(), fee: fee.plus(more).toString() };
  });
}
