import type { ErrorMap } from './error-map.js';
import { errorFromResponse } from './failed-read.js';

const errors: ErrorMap = {
  errorsIn: (body) => [{ code: (body as { code: string }).code }],
  meanings: { known: { grade: 'refused', reason: 'invalid_arguments' } },
};

describe('the error of a failed read', () => {
  it.each([
    [429, 'rate_limited'],
    [418, 'rate_limited'],
    [400, 'unavailable'],
    [200, 'unavailable'],
  ])('with the status %d and an unlisted error code is %s', (status, kind) => {
    const error = errorFromResponse('kraken', errors, { status, body: '{"code":"new"}' });
    expect(error).toMatchObject({ kind, rawCode: 'new', reason: status < 418 ? 'unlisted_error' : undefined });
  });

  it('is unavailable with a 5xx status, whatever the body contains', () => {
    for (const code of ['new', 'known']) {
      const error = errorFromResponse('kraken', errors, { status: 502, body: JSON.stringify({ code }) });
      expect([error.kind, error.rawCode, error.reason]).toEqual(['unavailable', undefined, undefined]);
    }
  });

  it('has the meaning of a listed error code, whatever other status the response has', () => {
    const error = errorFromResponse('kraken', errors, { status: 429, body: '{"code":"known"}' });
    expect(error).toMatchObject({ kind: 'refused', reason: 'invalid_arguments' });
  });

  it('is a ban when a declared limit shows one', () => {
    const limitsReached = [{ of: 'address', pauseMs: 60_000, shownBy: 'ban' }] as const;
    const error = errorFromResponse('kraken', errors, { status: 403, body: '{"code":"new"}', limitsReached });
    expect(error).toMatchObject({ kind: 'rate_limited', reason: 'banned', retryAfterMs: 60_000 });
  });
});
