import { epochTime, heldEntries, optionalTime } from './response-fields.js';

describe('the time of an entry', () => {
  const time = new Date(1745220149000);

  it.each([1745220149000, 1745220149])(
    'is read from a number and from a text, in milliseconds and in seconds',
    (count) => {
      for (const value of [count, String(count)]) expect(epochTime.parse(value)).toEqual(time);
    },
  );

  it.each([1745220149.123, '1745220149.123', '1745220149123.456', 1745220149123.456])(
    'is read to the millisecond from a count with a fraction: %s',
    (value) => {
      expect(epochTime.parse(value)).toEqual(new Date(1745220149123));
      expect(optionalTime.parse(value)).toEqual(new Date(1745220149123));
    },
  );

  it('is unreadable when it is zero, negative, empty or missing', () => {
    for (const value of [0, '0', '', null, undefined, false, -1, '-1']) {
      expect(epochTime.safeParse(value).success).toBe(false);
    }
  });

  it('can be missing in a field that may have none', () => {
    for (const value of [0, '0', '', null, undefined]) expect(optionalTime.parse(value)).toBeNull();
    for (const value of ['soon', false, -1]) expect(optionalTime.safeParse(value).success).toBe(false);
  });
});

describe('a list of holdings', () => {
  it('is empty when it is null or an object without members, and unreadable when it is absent or another value', () => {
    for (const value of [null, {}, []]) expect(heldEntries.parse(value)).toEqual([]);
    for (const value of [undefined, '', { coin: 'BTC' }]) expect(heldEntries.safeParse(value).success).toBe(false);
  });
});
