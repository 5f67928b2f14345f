import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { matchesTag, PreparedAnswer } from './prepared-answer.js';

const large = { prices: Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`COIN${index}`, index * 1.25])) };

describe('a prepared response', () => {
  it('has the same content in every encoding, in fewer bytes', () => {
    const answer = PreparedAnswer.json(large);
    const plain = answer.in('identity').body;
    expect(JSON.parse(plain.toString())).toEqual(large);
    expect(gunzipSync(answer.in('gzip').body)).toEqual(plain);
    expect(brotliDecompressSync(answer.in('br').body)).toEqual(plain);
    expect(answer.in('gzip').body.length).toBeLessThan(plain.length / 2);
    expect(answer.in('br').body.length).toBeLessThan(answer.in('gzip').body.length);
  });

  it('is compressed once for each encoding', () => {
    const answer = PreparedAnswer.json(large);
    for (const encoding of ['identity', 'gzip', 'br'] as const) {
      expect(answer.in(encoding).body).toBe(answer.in(encoding).body);
    }
  });

  it('has a tag for each of its forms, the same for equal values, another for others', () => {
    const tags = (value: object) =>
      (['identity', 'gzip', 'br'] as const).map((one) => PreparedAnswer.json(value).in(one).etag);
    expect(new Set(tags(large)).size).toBe(3);
    expect(tags({ ...large })).toEqual(tags(large));
    expect(tags({ ...large, more: 1 }).some((tag) => tags(large).includes(tag))).toBe(false);
    for (const tag of tags(large)) expect(tag).toMatch(/^"[A-Za-z0-9_-]{22}(-gzip|-br)?"$/);
  });

  it('of which less than all matters has a weak tag, which changes with that alone', () => {
    const tag = (value: object, essence: object) => PreparedAnswer.json(value, essence).in('br').etag;
    expect(tag({ ...large, at: 1 }, large)).toMatch(/^W\/"[A-Za-z0-9_-]{22}-br"$/);
    expect(tag({ ...large, at: 2 }, large)).toBe(tag({ ...large, at: 1 }, large));
    expect(tag({ ...large, at: 1 }, { other: 1 })).not.toBe(tag({ ...large, at: 1 }, large));
  });

  it('takes no more than it says', () => {
    const answer = PreparedAnswer.json(large);
    const bytes = (['identity', 'gzip', 'br'] as const).map((one) => answer.in(one).body.length);
    expect(answer.size).toBeGreaterThanOrEqual(bytes.reduce((a, b) => a + b));
  });

  it('that is small goes out as it is', () => {
    const small = PreparedAnswer.json({ prices: { BTC: 1 } });
    expect(small.in('br')).toBe(small.in('identity'));
    expect(small.in('gzip').encoding).toBe('identity');
  });
});

describe('the tag that a caller knows', () => {
  const etag = '"abc-br"';

  it.each(['"abc-br"', 'W/"abc-br"', '*', '"x", "abc-br"', '"x",W/"abc-br" ,"y"'])('matches as %j', (given) => {
    expect(matchesTag(given, etag)).toBe(true);
    expect(matchesTag(given, `W/${etag}`)).toBe(true);
  });

  it.each([undefined, '', 'abc-br', '"abc"', '"abc-gzip"', 'W/"abc"', '"ABC-BR"'])('does not match as %j', (given) => {
    expect(matchesTag(given, etag)).toBe(false);
  });
});
