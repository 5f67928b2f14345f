import fc from 'fast-check';
import { Amount } from '#money';
import type { KrakenMethod } from './kraken-responses.js';
import { feeOf } from './kraken-withdrawal-methods.js';

const method = (fee: KrakenMethod['fee']): KrakenMethod => ({
  asset: 'XXBT',
  method: 'Bitcoin Lightning',
  network: 'Lightning',
  minimum: null,
  fee,
  limits: [],
});
const units = fc.bigInt({ min: 1n, max: 10n ** 16n });
const satoshis = (n: bigint): Amount => Amount.of(`${n}e-8`);

describe('the fee of Kraken by the price list', () => {
  it('is the same for every amount when it is fixed', () => {
    const fixed = method({ asset: 'XXBT', fee: Amount.of('0.000015'), fee_percentage: null });
    fc.assert(
      fc.property(units, fc.boolean(), (n, includeFee) => {
        expect(feeOf(fixed, { amount: satoshis(n), includeFee }, 8)).toEqual(Amount.of('0.000015'));
      }),
    );
  });

  it('is at least the listed percentage of what arrives, on top of or inside the amount, with at most the asset’s decimals', () => {
    fc.assert(
      fc.property(units, fc.integer({ min: 1, max: 1_000 }), fc.boolean(), (n, perMille, includeFee) => {
        const percentage = Amount.of(`${perMille}e-3`);
        const amount = satoshis(n);
        const share = method({ asset: 'XXBT', fee: null, fee_percentage: percentage });
        const fee = feeOf(share, { amount, includeFee }, 8) ?? Amount.zero;
        const arrives = includeFee ? amount.minus(fee) : amount;
        expect(fee.decimalPlaces()).toBeLessThanOrEqual(8);
        expect(fee.lessThan(arrives.times(percentage).times(Amount.of('0.01')))).toBe(false);
      }),
    );
  });

  it('is unknown without a price list', () => {
    expect(feeOf(method(null), { amount: Amount.of('1'), includeFee: false }, 8)).toBeNull();
  });
});
