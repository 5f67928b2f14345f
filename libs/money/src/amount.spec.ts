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
    expect(Amount.of('1e99').toString()).toBe(`1${'0'.repeat(99)}`);
    expect(Amount.of('1e-99').toString()).toBe(`0.${'0'.repeat(98)}1`);
    for (const text of ['1e9000000', '1e100', '1e-100', '1e300']) expect(() => Amount.of(text)).toThrow(InvalidAmount);
  });

  it('multiplies exactly', () => {
    const unitsOf = (text: string): bigint => BigInt(text.replace('.', ''));
    const placesOf = (text: string): number => text.split('.')[1]?.length ?? 0;
    const most = `${'9'.repeat(20)}.${'9'.repeat(18)}`;
    fc.assert(
      fc.property(decimal, decimal, (a, b) => {
        const places = placesOf(a) + placesOf(b);
        const units = String(unitsOf(a) * unitsOf(b)).padStart(places + 1, '0');
        const product = places === 0 ? units : `${units.slice(0, -places)}.${units.slice(-places)}`;
        expect(Amount.of(a).times(Amount.of(b)).toString()).toBe(new Decimal(product).toFixed());
      }),
      { examples: [[most, most]] },
    );
  });

  it('compares by value, whatever the sign and the notation', () => {
    const ascending = ['-2', '-0.1', '0', '1e-18', '0.10', '9', '10'].map((text) => Amount.of(text));
    for (const [i, one] of ascending.entries()) {
      for (const [j, other] of ascending.entries()) {
        expect([one.lessThan(other), one.greaterThan(other), one.equals(other)]).toEqual([i < j, i > j, i === j]);
        expect(one.compare(other)).toBe(Math.sign(i - j));
      }
    }
  });

  it.each([
    ['0.6789', 2, '0.67'],
    ['-0.6789', 2, '-0.67'],
    ['0.999', 0, '0'],
    ['1.5', 3, '1.5'],
  ])('truncates %s to %i decimals towards zero: %s', (text, places, expected) => {
    expect(Amount.of(text).truncate(places).toString()).toBe(expected);
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
