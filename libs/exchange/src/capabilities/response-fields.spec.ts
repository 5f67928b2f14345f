import { milliseconds, seconds } from './response-fields.js';

describe('the time of an entry', () => {
  it.each([
    ['milliseconds', milliseconds, 1745220149000],
    ['seconds', seconds, 1745220149],
  ] as const)('in %s is read from a number and from a text', (_unit, form, time) => {
    for (const value of [time, String(time)]) expect(form.parse(value)).toEqual(new Date(1745220149000));
  });

  it.each([
    ['milliseconds', milliseconds],
    ['seconds', seconds],
  ] as const)('in %s is unreadable when it is zero, negative, a fraction, empty or missing', (_unit, form) => {
    for (const value of [0, '0', '', null, undefined, false, -1, '-1', 1.5]) {
      expect(form.safeParse(value).success).toBe(false);
    }
  });
});
