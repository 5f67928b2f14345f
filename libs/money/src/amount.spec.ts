import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { Amount, InvalidAmount } from './amount.js';

const digits = (max: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: max }).map((d) => d.join(''));
const decimal = fc.tuple(digits(20), fc.option(digits(18))).map(([i, f]) => (f === null ? i : `${i}.${f}`));

describe('Amount', () => {
  it.each([
    '',
    '0',
    '0.0',
    '-1',
    '+1',
    '1e3',
    '1E-7',
    'NaN',
    'Infinity',
    '1,5',
    ' 1',
    '1 ',
    '.5',
    '1.',
    '0x10',
    '١٢',
    '１',
    '1e9000000',
    '1_000',
    '1.2.3',
    '123456789012345678901',
    '0.1234567890123456789',
    '1\n',
  ])('refuses the input %j', (text) => {
    expect(() => Amount.parseInput(text)).toThrow(InvalidAmount);
  });

  it('parses its own text form back to the same value, and writes no exponent', () => {
    fc.assert(
      fc.property(decimal, (text) => {
        const amount = Amount.of(text);
        expect(amount.toString()).toMatch(/^[0-9]+(\.[0-9]*[1-9])?$/);
        expect(Amount.of(amount.toString()).equals(amount)).toBe(true);
      }),
    );
  });

  it('has the same text form for all notations of a value', () => {
    const forms = fc.tuple(
      fc.constantFrom('', '-'),
      fc.constantFrom('', '0', '00'),
      decimal,
      fc.constantFrom('', 'e3', 'E-7'),
    );
    fc.assert(
      fc.property(forms, forms, (one, other) => {
        const [a, b] = [one.join(''), other.join('')];
        const [x, y] = [new Decimal(a), new Decimal(b)];
        const amount = Amount.of(a);
        expect(amount.toString()).toBe(x.toFixed());
        expect(amount.toJsonNumber()).toBe(Number(x.toFixed()));
        expect([amount.isZero(), amount.isNegative(), amount.isPositive()]).toEqual([x.eq(0), x.lt(0), x.gt(0)]);
        expect(amount.equals(Amount.of(b))).toBe(x.eq(y));
        expect(amount).toEqual(Amount.of(x.toFixed()));
      }),
    );
  });

  it('adds and subtracts exactly', () => {
    fc.assert(
      fc.property(decimal, decimal, (a, b) => {
        const sum = Amount.of(a).plus(Amount.of(b));
        expect(sum.minus(Amount.of(b)).equals(Amount.of(a))).toBe(true);
        expect(sum.compare(Amount.of(b).plus(Amount.of(a)))).toBe(0);
        expect(Amount.sum([a, b, a].map((text) => Amount.of(text)))).toEqual(sum.plus(Amount.of(a)));
      }),
    );
  });

  it('parses the exponents that exchanges write, and refuses huge exponents', () => {
    expect(Amount.of('1e-7').toString()).toBe('0.0000001');
    expect(Amount.of('-2.50').toString()).toBe('-2.5');
    expect(() => Amount.of('1e9000000')).toThrow(InvalidAmount);
  });

  it('divides, and rounds the quotient towards zero', () => {
    expect(Amount.of('0.677176').dividedBy(Amount.of('0.00001'), 18).toString()).toBe('67717.6');
    expect(Amount.of('2').dividedBy(Amount.of('3'), 4).toString()).toBe('0.6666');
    expect(Amount.of('-2').dividedBy(Amount.of('3'), 4).toString()).toBe('-0.6666');
  });

  it('recognizes multiples of steps that are not powers of ten', () => {
    expect(Amount.of('0.75').isMultipleOf(Amount.of('0.25'))).toBe(true);
    expect(Amount.of('0.8').isMultipleOf(Amount.of('0.25'))).toBe(false);
  });
});
