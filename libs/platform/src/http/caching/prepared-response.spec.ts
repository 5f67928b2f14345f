import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { matchesTag, PreparedResponse } from './prepared-response.js';

const large = { prices: Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`COIN${index}`, index * 1.25])) };

describe('a prepared response', () => {
  it('has the same content in every encoding, and fewer bytes in the compressed encodings', () => {
    const response = PreparedResponse.json(large);
    const plain = response.in('identity').body;
    expect(JSON.parse(plain.toString())).toEqual(large);
    expect(gunzipSync(response.in('gzip').body)).toEqual(plain);
    expect(brotliDecompressSync(response.in('br').body)).toEqual(plain);
    expect(response.in('gzip').body.length).toBeLessThan(plain.length / 2);
    expect(response.in('br').body.length).toBeLessThan(response.in('gzip').body.length);
  });

  it('is compressed once for each encoding', () => {
    const response = PreparedResponse.json(large);
    for (const encoding of ['identity', 'gzip', 'br'] as const) {
      expect(response.in(encoding).body).toBe(response.in(encoding).body);
    }
  });

  it('has a separate ETag for each encoding, and equal ETags only for equal values', () => {
    const tags = (value: object) =>
      (['identity', 'gzip', 'br'] as const).map((one) => PreparedResponse.json(value).in(one).etag);
    expect(new Set(tags(large)).size).toBe(3);
    expect(tags({ ...large })).toEqual(tags(large));
    expect(tags({ ...large, more: 1 }).some((tag) => tags(large).includes(tag))).toBe(false);
    for (const tag of tags(large)) expect(tag).toMatch(/^"[A-Za-z0-9_-]{22}(-gzip|-br)?"$/);
  });

  it('whose ETag is computed from a part of its value has a weak ETag, which changes only with this part', () => {
    const tag = (value: object, essence: object) => PreparedResponse.json(value, essence).in('br').etag;
    expect(tag({ ...large, at: 1 }, large)).toMatch(/^W\/"[A-Za-z0-9_-]{22}-br"$/);
    expect(tag({ ...large, at: 2 }, large)).toBe(tag({ ...large, at: 1 }, large));
    expect(tag({ ...large, at: 1 }, { other: 1 })).not.toBe(tag({ ...large, at: 1 }, large));
  });

  it('takes at most `size` bytes for all encodings together', () => {
    const response = PreparedResponse.json(large);
    const bytes = (['identity', 'gzip', 'br'] as const).map((one) => response.in(one).body.length);
    expect(response.size).toBeGreaterThanOrEqual(bytes.reduce((a, b) => a + b));
  });

  it('is not compressed when it is small', () => {
    const small = PreparedResponse.json({ prices: { BTC: 1 } });
    expect(small.in('br')).toBe(small.in('identity'));
    expect(small.in('gzip').encoding).toBe('identity');
  });
});

describe('matchesTag', () => {
  const etag = '"abc-br"';

  it.each(['"abc-br"', 'W/"abc-br"', '*', '"x", "abc-br"', '"x",W/"abc-br" ,"y"'])(
    'finds the tag of the response in %j',
    (given) => {
      expect(matchesTag(given, etag)).toBe(true);
      expect(matchesTag(given, `W/${etag}`)).toBe(true);
    },
  );

  it.each([undefined, '', 'abc-br', '"abc"', '"abc-gzip"', 'W/"abc"', '"ABC-BR"'])(
    'does not find the tag of the response in %j',
    (given) => {
      expect(matchesTag(given, etag)).toBe(false);
    },
  );
});
