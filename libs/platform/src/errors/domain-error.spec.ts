import { DomainError } from './domain-error.js';
import { errorCodes, type ErrorCode, type ErrorCodeInfo } from './error-codes.js';

describe('an error', () => {
  it.each(Object.entries<ErrorCodeInfo>(errorCodes))(
    '%s has Retry-After exactly when its status is 429 or 503',
    (code, info) => {
      const error = new DomainError(code as ErrorCode, 'Refused');
      expect(error.status).toBe(info.status);
      if (info.status === 429 || info.status === 503) expect(error.retryAfterSeconds).toBeGreaterThan(0);
      else expect(error.retryAfterSeconds).toBeUndefined();
    },
  );

  it('has Retry-After when its overridden status demands it, and keeps the time that its thrower gave', () => {
    expect(new DomainError('GENERIC_INTERNAL_SERVER_ERROR', '', { status: 503 }).retryAfterSeconds).toBeGreaterThan(0);
    expect(new DomainError('GENERIC_INVALID_REQUEST', '', { status: 409 }).retryAfterSeconds).toBeUndefined();
    const known = { retryAfterSeconds: 17 };
    expect(new DomainError('GENERIC_RATE_LIMIT_EXCEEDED', '', known).retryAfterSeconds).toBe(17);
    expect(new DomainError('GENERIC_INVALID_REQUEST', '', { status: 409, ...known }).retryAfterSeconds).toBe(17);
  });
});
