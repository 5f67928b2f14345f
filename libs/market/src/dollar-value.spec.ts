import { Amount } from '#money';
import { dollarValue } from './dollar-value.js';

describe('the value of an amount', () => {
  it('is cut off after eight digits, and never rounded up', () => {
    expect(dollarValue(Amount.of('0.123456789'), Amount.of('64000.1'))?.toString()).toBe('7901.24684167');
    expect(dollarValue(Amount.of('0.000000001'), Amount.of('0.5'))?.toString()).toBe('0');
  });

  it('is null when the price is not known', () => expect(dollarValue(Amount.of('1'), null)).toBeNull());
});
