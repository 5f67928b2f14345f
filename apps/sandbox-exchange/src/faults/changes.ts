import { Amount } from '#money';
import { addressRule } from '../data/address-rules.js';
import { sampleAddresses } from '../data/addresses.js';
import type { AddressRecord, HistoryChange, HistoryForm, HistoryRecord, TickerForm } from './protocol.js';

/** Two networks with different address formats: no address is valid on both. */
const OTHER_NETWORKS = ['Ethereum', 'Bitcoin'];

export function withOtherNetwork(record: AddressRecord): AddressRecord {
  const network = OTHER_NETWORKS.find((name) => !new RegExp(addressRule(name)).test(record.address)) ?? '';
  return { ...record, address: sampleAddresses[network]?.[0] ?? '' };
}

export function olderThan(time: number, { timeOf }: HistoryForm): HistoryChange {
  return (records) => records.filter((record) => timeOf(record) <= time);
}

/** Doubles the fee, or moves a hundredth of the amount to the fee where the fee was zero. */
export function withOtherFee(records: HistoryRecord[]): HistoryRecord[] {
  return records.map((record) => {
    const amount = Amount.of(record.amount);
    const fee = Amount.of(record.fee);
    const more = fee.isZero() ? amount.times(Amount.of('0.01')) : fee;
    return { ...record, amount: amount.minus(more).toString(), fee: fee.plus(more).toString() };
  });
}

export type TickerChange = (ticker: object, index: number) => object;

export function withZeroPrices({ priceFields }: TickerForm): TickerChange {
  return (ticker) => {
    const fields = Object.entries(ticker).map(([name, value]: [string, unknown]) => [
      name,
      priceFields.includes(name) ? zeroOf(value) : value,
    ]);
    return Object.fromEntries(fields) as object;
  };
}

function zeroOf(value: unknown): unknown {
  return Array.isArray(value) ? value.map(() => '0') : '0';
}

export function withMissingFields({ priceFields }: TickerForm): TickerChange {
  return (ticker, index) => {
    if (index % 2 === 1) return ticker;
    return Object.fromEntries(Object.entries(ticker).filter(([name]) => !priceFields.includes(name)));
  };
}
