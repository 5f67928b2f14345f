import fc from 'fast-check';
import { toStorable } from './storable-json.js';

const HALF_PAIR = /\\ud[89a-f][0-9a-f]{2}/i;

describe('the stored form of a response', () => {
  it('equals the response when PostgreSQL can store it', () => {
    expect(JSON.parse(toStorable({ refid: 'A', list: [1, null, 'ok 👍'] }))).toEqual({
      refid: 'A',
      list: [1, null, 'ok 👍'],
    });
  });

  it('has no NUL and no lone surrogate, wherever it is cut', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 16_320, max: 16_400 }),
        fc.constantFrom('👍', '\0', '\ud800', '\udc00'),
        (length, text) => {
          const stored = toStorable({ text: 'x'.repeat(length) + text.repeat(20) });
          expect(stored).not.toMatch(HALF_PAIR);
          expect(stored).not.toContain('\\u0000');
          expect(stored.length).toBeLessThan(17_000);
        },
      ),
    );
  });
});
