import { assert, double, json, property, string } from 'fast-check';
import { parseExactly, parseKeepingDigits } from './exact-json.js';

describe('JSON with exact numbers', () => {
  it('keeps every digit as it was sent', () => {
    const body =
      '{"a": 0.10, "b": [1e-8, -0, 123456789012345678901234567890.5], "c": "7", "d": "x\\"1\\\\", "e": null}';
    expect(parseExactly(body)).toEqual({
      a: '0.10',
      b: ['1e-8', '-0', '123456789012345678901234567890.5'],
      c: '7',
      d: 'x"1\\',
      e: null,
    });
  });

  it('changes only numbers', () => {
    const asText = (value: unknown): unknown => {
      if (typeof value === 'number') return JSON.stringify(value);
      if (Array.isArray(value)) return value.map(asText);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, asText(one)]));
    };
    const plain = json({ depthSize: 'small' });
    assert(property(plain, (body) => expect(parseExactly(body)).toEqual(asText(JSON.parse(body)))));
    assert(property(double({ noNaN: true, noDefaultInfinity: true }), (n) => parseExactly(`${n}`) === `${n}`));
  });

  it('is undefined for a body that is not JSON, in linear time', () => {
    assert(
      property(string({ unit: 'binary' }), (text) => {
        expect(parseExactly(`{${text}`)).toBeUndefined();
      }),
    );
    const startedAt = performance.now();
    for (const piece of ['\\"', '"\\', '\\', '"', '1', '-', '1e', '"1'])
      expect(parseExactly(`["${piece.repeat(300_001)}`)).toBeUndefined();
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });
});

describe('JSON whose numbers keep their digits', () => {
  it('has text only for numbers of which a double would lose digits', () => {
    const body =
      '{"id": 9007199254740993, "n": 9007199254740991, "a": [1234.123456789012345678,-0.1234567890123456], "b": 0.00000001, ' +
      '"c": 1.000000000000000001, "d": 1234567890123456.5e-9, "e": "x, 1234567890123456789", "f": [1, true, null]}';
    expect(parseKeepingDigits(body)).toEqual({
      ...{ id: '9007199254740993', n: 9007199254740991, a: ['1234.123456789012345678', '-0.1234567890123456'] },
      ...{ b: 0.00000001, c: '1.000000000000000001', d: '1234567890123456.5e-9' },
      ...{ e: 'x, 1234567890123456789', f: [1, true, null] },
    });
  });

  it('has the values of JSON.parse, as numbers or as texts', () => {
    const asText = (value: unknown): unknown => {
      if (typeof value === 'number') return String(value);
      if (Array.isArray(value)) return value.map(asText);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, asText(one)]));
    };
    const plain = json({ depthSize: 'small' });
    assert(property(plain, (body) => expect(asText(parseKeepingDigits(body))).toEqual(asText(JSON.parse(body)))));
  });

  it('is undefined for a body that is not JSON', () => {
    expect(parseKeepingDigits('{"a": 1234567890.1234567890')).toBeUndefined();
    expect(parseKeepingDigits('<html>')).toBeUndefined();
  });
});
