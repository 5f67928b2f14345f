import type { ErrorMap } from './error-map.js';
import { errorFromResponse } from './failed-read.js';

const errors: ErrorMap = {
  errorsIn: (body) => [{ code: (body as { code: string }).code }],
  refusesWith: () => true,
  meanings: { known: { grade: 'refused', reason: 'invalid_arguments' } },
};

describe('the error of a failed read', () => {
  it.each([
    [429, 'rate_limited'],
    [418, 'rate_limited'],
    [502, 'unavailable'],
    [400, 'refused'],
  ])('with the status %d and an unlisted error code is %s', (status, kind) => {
    const error = errorFromResponse('kraken', errors, { status, body: '{"code":"new"}' }, { kind: 'refused' });
    expect(error).toMatchObject({ kind, rawCode: 'new' });
  });

  it('has the meaning of a listed error code, whatever the status is', () => {
    const error = errorFromResponse(
      'kraken',
      errors,
      { status: 429, body: '{"code":"known"}' },
      { kind: 'unavailable' },
    );
    expect(error).toMatchObject({ kind: 'refused', reason: 'invalid_arguments' });
  });
});
