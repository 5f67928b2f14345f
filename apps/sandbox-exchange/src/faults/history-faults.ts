import { Amount } from '#money';
import type { Answer } from '../kraken/dispatch.js';

/** A record of WithdrawStatus or DepositStatus as it is answered. */
interface HistoryRecord {
  /** Epoch seconds. */
  time: number;
  amount: string;
  fee: string;
}
type Change = (records: HistoryRecord[]) => HistoryRecord[];

/** Changes the records of a history, a plain list or a page; other answers stay as they are. */
export function historyWith(answer: Answer, change: Change): Answer {
  const { result } = answer;
  if (Array.isArray(result)) return { ...answer, result: change(result as HistoryRecord[]) };
  if (typeof result !== 'object' || result === null) return answer;
  const entries = Object.entries(result).map(([name, value]: [string, unknown]) => [
    name,
    Array.isArray(value) ? change(value as HistoryRecord[]) : value,
  ]);
  return { ...answer, result: Object.fromEntries(entries) as unknown };
}

export function olderThan(time: number): Change {
  return (records) => records.filter((record) => record.time * 1000 <= time);
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
