import { Amount } from '#money';
import { dollarValue } from './dollar-value.js';

describe('the value of an amount', () => {
  it('is exact to eight digits, and never more than it is', () => {
    expect(dollarValue(Amount.of('0.123456789'), Amount.of('64000.1'))?.toString()).toBe('7901.24684167');
    expect(dollarValue(Amount.of('0.000000001'), Amount.of('0.5'))?.toString()).toBe('0');
  });

  it('is not known when the price is not', () => expect(dollarValue(Amount.of('1'), null)).toBeNull());
});
