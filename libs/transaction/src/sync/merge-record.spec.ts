import fc from 'fast-check';
import type { HistoryRecord } from '#exchange';
import { Amount } from '#money';
import type { Transaction } from '../history/transaction.entity.js';
import { differences, merge, toTransaction, type PricedRecord } from './merge-record.js';

const now = new Date(Date.UTC(2026, 0, 1));
const wallet = {
  id: 'w',
  projectId: 'p',
  externalWalletId: 'demo',
  exchange: 'kraken',
  mode: 'test' as const,
  isDeleted: false,
  isInvalid: false,
};

const amount = fc.integer({ min: 1, max: 9 }).map((units) => Amount.of(`${units}`));
const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { nil: null });
const text = fc.constantFrom('a', 'b');
const record: fc.Arbitrary<HistoryRecord> = fc.record({
  kind: fc.constant('withdrawal' as const),
  exchangeId: fc.constant('R1'),
  status: fc.constantFrom('pending', 'ok', 'failed', 'canceled'),
  rawStatus: text,
  asset: fc.constant('BTC'),
  amount,
  fee: maybe(amount),
  feeAsset: maybe(fc.constant('BTC')),
  network: maybe(text),
  exchangeNetwork: maybe(text),
  address: maybe(text),
  tag: maybe(text),
  hash: maybe(text),
  at: fc.constant(now),
});
const priced: fc.Arbitrary<PricedRecord> = fc.record({ record, amountInFiat: maybe(amount), feeInFiat: maybe(amount) });
const row = fc
  .record({ first: priced, origin: fc.constantFrom('exchange' as const, 'execution' as const) })
  .map(({ first, origin }): Transaction => ({ ...toTransaction(first, wallet, { id: 't', now }), origin }));

const debitOf = ({ amount: net, fee }: { amount: Amount; fee: Amount | null }): string =>
  net.plus(fee ?? Amount.zero).toString();

describe('a record that has a row already', () => {
  it('changes the status of its row only from pending, and never that of a withdrawal of ours', () => {
    fc.assert(
      fc.property(row, priced, (before, next) => {
        const { status } = merge(before, next, wallet);
        const mayMove = before.status === 'pending' && before.origin === 'exchange';
        expect(status).toBe(mayMove ? next.record.status : before.status);
      }),
    );
  });

  it('removes no known fact from its row', () => {
    fc.assert(
      fc.property(row, priced, (before, next) => {
        const after = merge(before, next, wallet);
        for (const fact of ['fee', 'addressTo', 'tag', 'hash'] as const) {
          if (before[fact] !== null) expect(after[fact]).not.toBeNull();
        }
        if (before.origin === 'exchange' && before.status !== 'pending') expect(after.amount).toEqual(before.amount);
        expect(after.fiatCurrency === null).toBe(after.amountInFiat === null && after.feeInFiat === null);
      }),
    );
  });

  // A transaction can be replaced by one with another fee, which has another hash. The destination never changes.
  it('gives its row its own hash and status text, and an address or a tag only if the row has none', () => {
    fc.assert(
      fc.property(row, priced, (before, next) => {
        const { hash, rawStatus, addressTo, tag } = merge(before, next, wallet);
        expect(hash).toBe(next.record.hash ?? before.hash);
        expect(rawStatus).toBe(next.record.rawStatus);
        expect(addressTo).toBe(before.addressTo ?? next.record.address);
        expect(tag).toBe(before.tag ?? next.record.tag);
      }),
    );
  });

  it('changes both amount and fee of its row, or neither of them', () => {
    fc.assert(
      fc.property(row, priced, (before, next) => {
        const { amount: shown, fee } = merge(before, next, wallet);
        const isOf = (one: { amount: Amount; fee: Amount | null }): boolean =>
          shown.equals(one.amount) && fee?.toString() === one.fee?.toString();
        // A known fee stays when the record has none.
        const isAdded = isOf({ amount: next.record.amount, fee: next.record.fee ?? before.fee });
        expect(isOf(before) || isAdded).toBe(true);
      }),
    );
  });

  it('keeps the debit of a withdrawal of ours, even when the exchange lists another fee', () => {
    fc.assert(
      fc.property(row, priced, (before, next) => {
        fc.pre(before.origin === 'execution' && before.fee !== null && next.record.feeAsset === 'BTC');
        const own = { ...before, feeAsset: 'BTC' };
        const { amount: shown, fee } = merge(own, next, wallet);
        expect(debitOf({ amount: shown, fee })).toBe(debitOf(own));
        const { amount: listed, fee: charged } = next.record;
        const isSameDebit = charged !== null && debitOf({ amount: listed, fee: charged }) === debitOf(own);
        if (isSameDebit) expect([shown.toString(), fee?.toString()]).toEqual([listed.toString(), charged.toString()]);
      }),
      // Few of the random records have the same debit as their row, so the test needs many runs.
      { numRuns: 2_000 },
    );
  });

  it('keeps in its row only values in US dollars that belong to the amount and the fee in the row', () => {
    fc.assert(
      fc.property(row, priced, (before, next) => {
        const after = merge(before, next, wallet);
        const { amount: was, amountInFiat } = before;
        const possible = [
          ...(after.amount.equals(was) ? [amountInFiat] : []),
          ...(after.amount.equals(next.record.amount) ? [next.amountInFiat] : []),
          null,
        ].map(String);
        expect(possible).toContain(String(after.amountInFiat));
        const possibleFees = [
          ...(String(after.fee) === String(before.fee) ? [before.feeInFiat] : []),
          ...(String(after.fee) === String(next.record.fee) ? [next.feeInFiat] : []),
          null,
        ].map(String);
        expect(possibleFees).toContain(String(after.feeInFiat));
      }),
    );
  });

  it('changes nothing when it is read again', () => {
    fc.assert(
      fc.property(row, priced, (before, next) => {
        const after = { ...before, ...merge(before, next, wallet) };
        const again = merge(after, next, wallet);
        expect(differences(after, again)).toEqual({ isChanged: false, isVisible: false });
      }),
    );
  });

  it('raises no event when only the exchange’s own name of the status has changed', () => {
    fc.assert(
      fc.property(row, (before) => {
        const next = { ...before, rawStatus: 'another' };
        expect(differences(before, next)).toEqual({ isChanged: true, isVisible: false });
      }),
    );
  });
});
