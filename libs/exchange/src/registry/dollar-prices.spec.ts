import {
  array,
  assert,
  constantFrom,
  float,
  oneof,
  property,
  record,
  shuffledSubarray,
  string,
  tuple,
} from 'fast-check';
import { Amount } from '#money';
import { dollarPrices } from './dollar-prices.js';
import type { TickerEntry } from '../declaration/ticker-source.js';

const asIs = (id: string): string => id.toUpperCase();
const entry = (pair: string, asset: string, price: string): TickerEntry => ({ pair, asset, price });
const pricesOf = (...entries: TickerEntry[]): Record<string, string> =>
  Object.fromEntries([...dollarPrices(entries, asIs)].map(([symbol, price]) => [symbol, price.toString()]));

describe('the dollar prices of a list', () => {
  it.each(['0', '0.000', '-1', '', ' 1', 'NaN', 'Infinity', '1e', 'e5', '1e9000000', '0x10', '1,5', 'null', '１'])(
    'leave out %j, which is not a price',
    (price) => expect(pricesOf(entry('A-USD', 'A', price), entry('B-USD', 'B', '2'))).toEqual({ B: '2' }),
  );

  it('keep every digit, at any magnitude', () => {
    expect(pricesOf(entry('A-USD', 'A', '0.000000123456789012'), entry('B-USD', 'B', '99999999999'))).toEqual({
      A: '0.000000123456789012',
      B: '99999999999',
    });
  });

  it('contain no price of the dollar', () => expect(pricesOf(entry('USD-USD', 'USD', '1.01'))).toEqual({}));

  it.each(['', ' ', ' A', 'A ', 'A,B', 'A\u0000', 'A\n', 'A'.repeat(41)])('leave out the symbol %j', (symbol) => {
    expect(pricesOf(entry('P', symbol, '1'))).toEqual({});
  });

  it('contain symbols with a space, as exchanges list some', () =>
    expect(pricesOf(entry('P', 'A B', '1'))).toEqual({ 'A B': '1' }));

  it('use the pair that sorts first for an asset with two pairs, and the lower price of a repeated pair', () => {
    const [first, second] = [entry('A-USD', 'A', '3'), entry('A-USD.d', 'A', '1')];
    expect(pricesOf(second, first)).toEqual({ A: '3' });
    expect(pricesOf(entry('A-USD', 'A', '4'), first, second)).toEqual({ A: '3' });
  });

  const price = oneof(constantFrom('0', '-1', '1e99', 'x', '1.5', '2.25'), float({ min: 0 }).map(String), string());
  const entries = array(
    record({ pair: string({ maxLength: 2 }), asset: constantFrom('a', 'A', 'b', 'usd', '', 'c d'), price }),
  );

  it('do not depend on the order of the list', () => {
    const shuffled = entries.chain((list) =>
      tuple(
        array(constantFrom(null), { maxLength: 0 }).map(() => list),
        shuffledSubarray(list, { minLength: list.length }),
      ),
    );
    assert(
      property(shuffled, ([list, other]) => {
        expect(pricesOf(...other)).toEqual(pricesOf(...list));
      }),
    );
  });

  it('are above zero, taken from an entry, and in the order of their symbols', () => {
    assert(
      property(entries, (list) => {
        const prices = [...dollarPrices(list, asIs)];
        expect(prices.map(([symbol]) => symbol)).toEqual(prices.map(([symbol]) => symbol).sort());
        for (const [symbol, found] of prices) {
          expect(found.isPositive()).toBe(true);
          const given = list.filter(({ asset }) => asIs(asset) === symbol).map((one) => one.price);
          expect(given.some((text) => isSame(text, found))).toBe(true);
        }
      }),
    );
  });
});

function isSame(text: string, price: Amount): boolean {
  try {
    return Amount.of(text).equals(price);
  } catch {
    return false;
  }
}
