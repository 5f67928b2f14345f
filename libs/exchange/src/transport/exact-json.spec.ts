import { array, assert, constantFrom, json, oneof, property, string, stringMatching } from 'fast-check';
import { Amount } from '#money';
import { parseExactly, parseKeepingDigits } from './exact-json.js';

/** JSON numbers within the range of `Amount`. Most of the second form have too many digits for a double. */
const numberTexts = oneof(
  stringMatching(/^-?(0|[1-9][0-9]{0,30})(\.[0-9]{1,30})?([eE][+-]?[1-5]?[0-9])?$/),
  stringMatching(/^-?[1-9][0-9]{0,20}\.[0-9]{12,30}([eE][+-]?[0-9])?$/),
);

const plain = json({ depthSize: 'small' });

/** A parsed value with text instead of each number. */
function withTexts(value: unknown, textOf: (number: number) => string): unknown {
  if (typeof value === 'number') return textOf(value);
  if (Array.isArray(value)) return value.map((each) => withTexts(each, textOf));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withTexts(one, textOf)]));
}

/** Parts of JSON. Most sequences of these parts are not JSON. */
const pieces = constantFrom(
  ...['[', ']', '{', '}', ':', ',', '"a"', '"', '-', '.', 'e5', ' ', 'null', '0', '1', '23', '1234567890.1234567'],
);

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('JSON with exact numbers', () => {
  it('is read after a byte order mark', () => {
    expect(parseKeepingDigits('\uFEFF{"a": 1}')).toEqual({ a: 1 });
    expect(parseExactly('\uFEFF{"a": 1}')).toEqual({ a: '1' });
  });

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
    assert(property(numberTexts, (text) => expect(parseExactly(`{"a": [${text}]}`)).toEqual({ a: [text] })));
    assert(property(numberTexts, (text) => expect(parseExactly(text)).toBe(text)));
  });

  it('changes only numbers', () => {
    const textOf = (number: number): string => JSON.stringify(number);
    assert(property(plain, (body) => expect(parseExactly(body)).toEqual(withTexts(JSON.parse(body), textOf))));
  });

  it('is undefined for a body that is not JSON, in linear time', () => {
    assert(
      property(string({ unit: 'binary' }), (text) => {
        expect(parseExactly(`{${text}`)).toBeUndefined();
      }),
    );
    const startedAt = performance.now();
    for (const piece of ['\\"', '"\\', '\\', '"', '1', '-', '1e', '"1'])
      expect(parseExactly(`["${piece.repeat(100_001)}`)).toBeUndefined();
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });

  it('is read in linear time', () => {
    const startedAt = performance.now();
    for (const piece of ['\\"', '\\\\', '1', '-', '1e', '[1'])
      expect(parseExactly(`["${piece.repeat(100_000)}"]`)).toEqual([piece.replace(/^\\/, '').repeat(100_000)]);
    for (const piece of ['1', '1.1,', '-1e-1,'])
      expect(parseExactly(`[${piece.repeat(100_000)}0]`)).toHaveLength(piece === '1' ? 1 : 100_001);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });
});

describe('JSON whose numbers keep their digits', () => {
  it('has text only for numbers with more digits than a double always keeps', () => {
    const body =
      '{"id": 9007199254740993, "n": 9007199254740991, "a": [1234.123456789012345678,-0.1234567890123456], "b": 0.00000001, ' +
      '"c": 1.000000000000000001, "d": 12345678901234567.5e-9, "e": "x, 1234567890123456789", "f": [1, true, null]}';
    expect(parseKeepingDigits(body)).toEqual({
      id: '9007199254740993',
      n: 9007199254740991,
      a: ['1234.123456789012345678', -0.1234567890123456],
      b: 0.00000001,
      c: '1.000000000000000001',
      d: '12345678901234567.5e-9',
      e: 'x, 1234567890123456789',
      f: [1, true, null],
    });
  });

  it('has each number as it was sent, or as a double of the same value', () => {
    const check = (parsed: unknown, text: string): void => {
      if (typeof parsed === 'string') expect(parsed).toBe(text);
      else expect(Amount.of(String(parsed))).toEqual(Amount.of(text));
    };
    assert(
      property(numberTexts, (text) => {
        check(parseKeepingDigits(text), text);
        check((parseKeepingDigits(`{"a": ${text}}`) as { a: unknown }).a, text);
        check((parseKeepingDigits(`["b",${text}]`) as unknown[])[1], text);
      }),
    );
  });

  it('has text for numbers outside of the range of doubles', () => {
    const texts = ['1e400', '-1E+309', '1e-400', `0.${'0'.repeat(400)}1`, `1${'0'.repeat(400)}`];
    expect(parseKeepingDigits(`[${texts.join()}]`)).toEqual(texts);
  });

  it('has the structure and the values of JSON.parse', () => {
    const parsed = (body: string): unknown => withTexts(parseKeepingDigits(body), String);
    assert(property(plain, (body) => expect(parsed(body)).toEqual(withTexts(JSON.parse(body), String))));
  });

  it('is undefined for a body that is not JSON', () => {
    expect(parseKeepingDigits('{"a": 1234567890.1234567890')).toBeUndefined();
    expect(parseKeepingDigits('<html>')).toBeUndefined();
  });
});

describe.each([
  ['parseExactly', parseExactly],
  ['parseKeepingDigits', parseKeepingDigits],
])('%s', (_name, parse) => {
  it.each([
    ...['[1-2]', '[1.2.3]', '[01]', '[1.]', '[1e]', '{1: 2}', '[1 2]'],
    ...['[1234567890123456-7]', '[01234567890123456]', '{1234567890123456: 2}', '[12345678901234567.]'],
  ])('does not accept %s as JSON', (body) => expect(parse(body)).toBeUndefined());

  it('does not accept an object with two values for one name', () => {
    expect(parse('{"amount": "1", "amount": "2"}')).toBeUndefined();
  });

  it('accepts exactly the texts that JSON.parse accepts', () => {
    const texts = array(pieces, { maxLength: 8 }).map((some) => some.join(''));
    const check = (text: string): void => expect(parse(text) !== undefined).toBe(isJson(text));
    assert(
      property(texts, (text) => [text, `[${text}]`].forEach(check)),
      { numRuns: 2_000 },
    );
  });
});
