import { ExchangeError, ProviderError } from '#exchange';
import { asPause } from './withdrawal.errors.js';

const failure = (reason?: string) =>
  new ProviderError('failed', { reason, cause: new ExchangeError('rate_limited', 'kraken', 'raw text', { reason }) });

describe('a call that was limited', () => {
  it('is reported as a rate limit when the exchange limits its calls', () => {
    expect(asPause(failure())).toMatchObject({
      code: 'WITHDRAWAL_RATE_LIMIT_EXCEEDED',
      status: 429,
      message: 'The rate limit of the exchange is reached; try again later',
    });
  });

  it('stays a provider error when it has waited too long in our own queue', () => {
    const error = failure('own_limit');
    expect(asPause(error)).toBe(error);
  });
});
