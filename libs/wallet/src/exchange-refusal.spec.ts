import { ExchangeError, ProviderError } from '#exchange';
import { toDomainError } from './exchange-refusal.js';
import { RefusedByExchange } from './wallet.errors.js';

describe('what a caller is told of an error of an exchange', () => {
  it('is the code of a definite refusal, with its reason', () => {
    const error = new ExchangeError('refused', 'kraken', 'raw', {
      code: 'WITHDRAWAL_INVALID_ADDRESS',
      reason: 'address_not_allowlisted',
    });
    const told = toDomainError(error);
    expect(told).toBeInstanceOf(RefusedByExchange);
    expect(told).toMatchObject({
      code: 'WITHDRAWAL_INVALID_ADDRESS',
      status: 400,
      details: { result: { reason: 'address_not_allowlisted' } },
    });
  });

  it.each([
    ['unavailable', undefined],
    ['refused', undefined],
    ['permission_missing', 'permission_missing'],
    ['ip_not_allowed', 'ip_not_allowed'],
    ['rate_limited', 'rate_limited'],
    ['credentials_invalid', 'credentials_unconfirmed'],
  ] as const)('is a provider error for %s', (kind, reason) => {
    const told = toDomainError(new ExchangeError(kind, 'kraken', 'raw text of the exchange'));
    expect(told).toBeInstanceOf(ProviderError);
    expect(told).toMatchObject({ code: 'WITHDRAWAL_PROVIDER_ERROR', status: 502 });
    expect(told).toHaveProperty('details', reason === undefined ? {} : { result: { reason } });
  });

  it('never repeats the words of the exchange', () => {
    for (const kind of ['unavailable', 'refused', 'permission_missing', 'ip_not_allowed', 'rate_limited'] as const) {
      const told = toDomainError(new ExchangeError(kind, 'kraken', 'key my-key is wrong', { rawCode: 'my-key' }));
      expect(JSON.stringify(told) + String(told)).not.toContain('my-key');
    }
  });

  it('leaves every other error as it is', () => {
    const error = new Error('ours');
    expect(toDomainError(error)).toBe(error);
  });
});
