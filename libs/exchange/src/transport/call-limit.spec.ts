import { limitsReached, type CallLimit } from './call-limit.js';

const used: CallLimit = { of: 'endpoint', header: 'x-used', states: 'used', stopAt: 180_000, periodMs: 60_000 };
const left: CallLimit = {
  of: 'credential',
  header: 'x-left',
  states: 'left',
  stopAt: 5,
  periodMs: 30_000,
  reset: { header: 'x-reset', states: 'milliseconds_left' },
};
const until: CallLimit = { ...left, of: 'address', reset: { header: 'x-until', states: 'epoch_second' } };
const date = 'Mon, 05 Oct 2026 12:00:00 GMT';
const second = Date.parse(date) / 1_000;
const success = { status: 200, body: '{}' };
const ban: CallLimit = { means: 'ban', status: 403, text: 'access too frequent', of: 'address', periodMs: 600_000 };

describe('limitsReached', () => {
  it.each([
    ['the used part reaches the limit', used, { 'x-used': '180000' }, 60_000],
    ['little is left', left, { 'x-left': '5', 'x-reset': '1200' }, 1_200],
    ['little is left, and no header states the end', left, { 'x-left': '0' }, 30_000],
    ['the end is an epoch second', until, { 'x-left': '0', 'x-until': String(second + 7), date }, 7_000],
  ])('pauses when %s', (_name, limit, headers, pauseMs) => {
    expect(limitsReached([limit], { ...success, headers })).toEqual([{ of: limit.of, pauseMs, shownBy: 'header' }]);
  });

  it.each([
    ['after the end of the period', left, { 'x-left': '0', 'x-reset': '30001' }],
    ['not a number', left, { 'x-left': '0', 'x-reset': 'soon' }],
    ['in the past', until, { 'x-left': '0', 'x-until': String(second - 1), date }],
    ['an epoch second without a date to compare it with', until, { 'x-left': '0', 'x-until': String(second + 7) }],
  ])('pauses for one period when the stated end of the pause is %s', (_name, limit, headers) => {
    expect(limitsReached([limit], { ...success, headers })).toEqual([
      { of: limit.of, pauseMs: 30_000, shownBy: 'header' },
    ]);
  });

  it.each([
    ['less is used', used, { 'x-used': '179999' }],
    ['more is left', left, { 'x-left': '6', 'x-reset': '1200' }],
    ['there is no header', left, {}],
    ['the header is no number', left, { 'x-left': '-1' }],
    ['the header comes twice', left, { 'x-left': ['0', '0'] }],
  ])('does not pause when %s', (_name, limit, headers) => {
    expect(limitsReached([limit], { ...success, headers })).toEqual([]);
  });

  it('pauses after a refusal with the status and the text of a ban', () => {
    const refusal = { status: 403, body: '403, Access too frequent.', headers: {} };
    expect(limitsReached([ban], refusal)).toEqual([{ of: 'address', pauseMs: 600_000, shownBy: 'ban' }]);
    for (const other of [
      { ...refusal, status: 200 },
      { ...refusal, body: '<html>403</html>' },
    ])
      expect(limitsReached([ban], other)).toEqual([]);
  });

  describe('with a refusal whose time is in Retry-After', () => {
    const scaled: CallLimit = { means: 'ban', of: 'address', status: 418, periodMs: 120_000, maxMs: 259_200_000 };
    const pauseOf = (retryAfterMs?: number): number | undefined =>
      limitsReached([scaled], { status: 418, body: '', headers: {}, retryAfterMs })[0]?.pauseMs;

    it('pauses for the stated time, and never for a shorter or longer time than the documented ones', () => {
      expect([600_000, 1_000, 999_999_999_000, undefined].map(pauseOf)).toEqual([
        600_000, 120_000, 259_200_000, 120_000,
      ]);
    });

    it('ignores another status', () => {
      expect(limitsReached([scaled], { status: 429, body: '', headers: {}, retryAfterMs: 600_000 })).toEqual([]);
    });
  });
});
