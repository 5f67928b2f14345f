import { moment } from './arguments.js';

describe('a time on the command line', () => {
  it.each([
    ['2026-02-28', '2026-02-28T00:00:00.000Z'],
    ['2028-02-29T23:30+02:00', '2028-02-29T21:30:00.000Z'],
  ])('may be %s', (text, time) => expect(moment(text).toISOString()).toBe(time));

  it.each(['2026-02-30', '2026-02-29T10:00Z', '2026-13-01', '2026-02-28T10:00', 'tomorrow', ''])(
    'may not be "%s"',
    (text) => expect(() => moment(text)).toThrow('Use a date'),
  );
});
