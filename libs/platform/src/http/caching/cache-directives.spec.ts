import fc from 'fast-check';
import { parseCacheDirectives } from './cache-directives.js';

const NOTHING = { onlyIfCached: false, noCache: false, maxAgeMs: null };

describe('the cache directives of a request', () => {
  it.each([
    ['only-if-cached', { onlyIfCached: true }],
    ['Only-If-Cached', { onlyIfCached: true }],
    ['no-cache', { noCache: true }],
    ['max-age=60', { maxAgeMs: 60_000 }],
    ['max-age="60"', { maxAgeMs: 60_000 }],
    ['max-age = 0', { maxAgeMs: 0 }],
    ['max-age =\t"60"', { maxAgeMs: 60_000 }],
    ['max-age="6\\0"', { maxAgeMs: 60_000 }],
    ['only-if-cached, MAX-AGE=5,no-cache', { onlyIfCached: true, noCache: true, maxAgeMs: 5_000 }],
    [' ,, only-if-cached\t,', { onlyIfCached: true }],
  ])('are read from %j', (header, expected) => {
    expect(parseCacheDirectives(header)).toEqual({ ...NOTHING, ...expected });
  });

  it.each([
    undefined,
    '',
    'no-store',
    'max-stale=60',
    'only-if-cached-not',
    'x="only-if-cached, no-cache"',
    'only if cached',
  ])('are not found in %j', (header) => {
    expect(parseCacheDirectives(header)).toEqual(NOTHING);
  });

  it.each([
    'max-age',
    'max-age=',
    'max-age=-1',
    'max-age=1.5',
    'max-age=1e3',
    'max-age=soon',
    'max-age=٣',
    'max-age="1 0"',
  ])('accept no stored data when the age is malformed: %j', (header) => {
    expect(parseCacheDirectives(header).maxAgeMs).toBe(0);
  });

  it('use the lowest of several ages, and at most 2^31 seconds', () => {
    expect(parseCacheDirectives('max-age=60, max-age=30').maxAgeMs).toBe(30_000);
    expect(parseCacheDirectives(`max-age=${'9'.repeat(400)}`).maxAgeMs).toBe(2 ** 31 * 1_000);
  });

  it('are found between unknown directives, in upper and lower case', () => {
    const others = fc.array(fc.constantFrom('no-transform', 'x=1', 'y="a, \\"b\\", max-age=1"', 'min-fresh=9', ' '));
    const casing = fc.func(fc.boolean());
    fc.assert(
      fc.property(
        others,
        others,
        fc.nat({ max: 2 ** 31 }),
        fc.boolean(),
        casing,
        (before, after, seconds, quoted, isUpper) => {
          const own = ['only-if-cached', `max-age=${quoted ? `"${seconds}"` : seconds}`].map((text) =>
            [...text].map((letter, at) => (isUpper(at) ? letter.toUpperCase() : letter)).join(''),
          );
          const header = [...before, ...own, ...after].join(',');
          expect(parseCacheDirectives(header)).toEqual({
            onlyIfCached: true,
            noCache: false,
            maxAgeMs: seconds * 1_000,
          });
        },
      ),
    );
  });

  it('are parsed without an error from every header, and in little time from hostile headers', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (header) => {
        const { maxAgeMs } = parseCacheDirectives(header);
        expect(maxAgeMs === null || (maxAgeMs >= 0 && maxAgeMs <= 2 ** 31 * 1_000)).toBe(true);
      }),
    );
    const startedAt = performance.now();
    for (const piece of ['"', '\\', '"\\', 'max-age="', '=,"', 'a = ', ' ', '\\"'])
      parseCacheDirectives(piece.repeat(16_000));
    expect(performance.now() - startedAt).toBeLessThan(500);
  });
});
