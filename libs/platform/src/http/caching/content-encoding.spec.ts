import { array, assert, constantFrom, oneof, property, string, tuple, uniqueArray } from 'fast-check';
import { chooseEncoding } from './content-encoding.js';

describe('the encoding of a response', () => {
  it.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br', 'br'],
    ['GZIP;Q=1.0', 'gzip'],
    ['gzip;q=1, br;q=0.5', 'gzip'],
    ['gzip;q=0.5, br;q=0.8, identity;q=0.1', 'br'],
    ['gzip;q=0, br;q=0', 'identity'],
    ['br;q=0, *', 'gzip'],
    ['*', 'br'],
    ['*;q=0', 'identity'],
    ['identity', 'identity'],
    ['identity;q=1, gzip;q=0.5', 'identity'],
    ['deflate, zstd', 'identity'],
    ['gzip;q=nonsense', 'identity'],
    [';;,q=1,=', 'identity'],
  ])('for accept-encoding %j is %s', (accepted, expected) => expect(chooseEncoding(accepted)).toBe(expected));

  it('is `identity`, or an encoding that the header names or covers with `*`', () => {
    const name = constantFrom('br', 'gzip', 'identity', 'deflate', '*');
    const part = tuple(name, constantFrom('', ';q=0', ';q=0.3', ';q=1')).map(([a, b]) => a + b);
    assert(
      property(array(oneof(part, string()), { maxLength: 5 }), (parts) => {
        const header = parts.join(',');
        const chosen = chooseEncoding(header);
        const isNamed = header.includes(chosen) || header.includes('*');
        expect(chosen === 'identity' || isNamed).toBe(true);
      }),
    );
  });

  it('is never an encoding that the header refuses, except for `identity`', () => {
    const name = constantFrom('br', 'gzip', 'identity', 'deflate', '*');
    const part = tuple(name, constantFrom('', ';q=0', ';q=0.3', ';q=1'));
    assert(
      property(uniqueArray(part, { selector: ([named]) => named }), (parts) => {
        const weights = new Map(parts);
        const chosen = chooseEncoding(parts.map((each) => each.join('')).join(','));
        const weight = weights.get(chosen) ?? weights.get('*') ?? ';q=0';
        expect(chosen === 'identity' || weight !== ';q=0').toBe(true);
      }),
    );
  });
});
