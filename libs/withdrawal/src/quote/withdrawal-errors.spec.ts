import { ExchangeError, ProviderError } from '#exchange';
import { Amount } from '#money';
import { asPause, InsufficientBalance } from './withdrawal.errors.js';

const failure = ({ reason, retryAfterMs }: { reason?: string; retryAfterMs?: number }) =>
  new ProviderError('failed', {
    reason,
    cause: new ExchangeError('rate_limited', 'kraken', 'raw text', { reason, retryAfterMs }),
  });

describe('a balance that is smaller than the amount', () => {
  it('is reported with what the owner has in other accounts and in sub-accounts, without debts', () => {
    const elsewhere = (['free', 'locked', 'sub_account', 'owed'] as const).map((kind, index) => ({
      account: kind === 'sub_account' ? 'sub-account trader' : 'margin',
      kind,
      amount: Amount.of(`${index + 1}`),
    }));
    const { message } = new InsufficientBalance('BTC', Amount.of('0.5'), elsewhere);
    expect(message).toBe(
      'The free balance of BTC is smaller than the amount; the owner also has at the exchange: 1 BTC (margin), 2 BTC (margin, locked), 3 BTC (sub-account trader)',
    );
  });
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
