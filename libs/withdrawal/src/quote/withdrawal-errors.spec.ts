import { ExchangeError, ProviderError } from '#exchange';
import { asPause } from './withdrawal.errors.js';

const failure = ({ reason, retryAfterMs }: { reason?: string; retryAfterMs?: number }) =>
  new ProviderError('failed', {
    reason,
    cause: new ExchangeError('rate_limited', 'kraken', 'raw text', { reason, retryAfterMs }),
  });

describe('a call that a rate limit of the exchange has stopped', () => {
  it.each([
    ['ten seconds when the exchange reports no time', {}, 10],
    ['the time that the exchange demands', { retryAfterMs: 30_000 }, 30],
    ['the time that remains of a pause', { reason: 'own_limit', retryAfterMs: 20_001 }, 21],
  ])('is reported as a rate limit with a Retry-After of %s', (_name, options, retryAfterSeconds) => {
    expect(asPause(failure(options))).toMatchObject({
      code: 'WITHDRAWAL_RATE_LIMIT_EXCEEDED',
      status: 429,
      message:
        'The rate limit of the exchange is reached; wait as many seconds as Retry-After states, then repeat the request',
      retryAfterSeconds,
    });
  });

  it('stays a provider error when it has waited too long for earlier calls', () => {
    const error = failure({ reason: 'own_limit' });
    expect(asPause(error)).toBe(error);
  });
});
