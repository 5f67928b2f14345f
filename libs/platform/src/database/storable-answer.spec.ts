import fc from 'fast-check';
import { toStorable } from './storable-answer.js';

const HALF_PAIR = /\\ud[89a-f][0-9a-f]{2}/i;

describe('an answer as it is stored', () => {
  it('is the answer, when PostgreSQL takes it', () => {
    expect(JSON.parse(toStorable({ refid: 'A', list: [1, null, 'ok 👍'] }))).toEqual({
      refid: 'A',
      list: [1, null, 'ok 👍'],
    });
  });

  it('has neither NUL nor half a surrogate pair, wherever it is cut off', () => {
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
