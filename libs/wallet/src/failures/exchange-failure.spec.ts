import { ExchangeError, ProviderError, TradingProviderError, UnusableResponse } from '#exchange';
import { errorCodes, isErrorCode, RateLimitExceeded } from '#platform/errors';
import { toDomainError } from './exchange-failure.js';
import { RefusedByExchange } from '../wallets/wallet.errors.js';

describe('the domain error for an error of an exchange', () => {
  it('has the code of a definite refusal, with its reason', () => {
    const error = new ExchangeError('refused', 'kraken', 'raw', {
      code: 'WITHDRAWAL_INVALID_ADDRESS',
      reason: 'address_not_allowlisted',
    });
    const domainError = toDomainError(error);
    expect(domainError).toBeInstanceOf(RefusedByExchange);
    expect(domainError).toMatchObject({
      code: 'WITHDRAWAL_INVALID_ADDRESS',
      status: 400,
      details: { result: { reason: 'address_not_allowlisted' } },
    });
  });

  it.each([
    ['unavailable', undefined, 502],
    ['refused', undefined, 502],
    ['permission_missing', 'permission_missing', 422],
    ['ip_not_allowed', 'ip_not_allowed', 422],
    ['rate_limited', 'rate_limited', 502],
    ['credentials_invalid', 'credentials_unconfirmed', 502],
  ] as const)('is a provider error for %s', (kind, reason, status) => {
    const domainError = toDomainError(new ExchangeError(kind, 'kraken', 'raw text of the exchange'));
    expect(domainError).toBeInstanceOf(ProviderError);
    expect(domainError).toMatchObject({ code: 'WITHDRAWAL_PROVIDER_ERROR', status });
    expect(domainError).toHaveProperty('details', reason === undefined ? {} : { result: { reason } });
  });

  it.each([
    ['access_blocked', 'location_blocked', 422, 'does not serve the country from which this service calls'],
    ['access_blocked', 'address_blocked', 422, 'accepts no calls from the IP address of this service'],
    ['unavailable', 'firewall', 502, 'A firewall before bybit refused the call'],
    ['unavailable', 'maintenance', 502, 'bybit is under maintenance: try again later'],
    ['unavailable', 'unlisted_error', 502, 'an error that Causeway does not know'],
    ['rate_limited', 'banned', 502, 'bybit has banned the calls of this installation for a time'],
    ['refused', 'country_not_served', 422, 'in the country of the account'],
    ['refused', 'kyc_required', 422, 'complete the verification'],
    ['refused', 'account_locked', 422, 'has locked the account'],
    ['refused', 'sub_account', 422, 'sub account'],
    ['refused', 'withdrawals_disabled', 502, 'withdrawals disabled'],
  ] as const)('for %s with the reason %s has the status %d and names what to do', (kind, reason, status, text) => {
    for (const [askedFor, code] of [
      ['wallet', 'WITHDRAWAL_PROVIDER_ERROR'],
      ['trade', 'TRADING_PROVIDER_ERROR'],
    ] as const) {
      const error = toDomainError(new ExchangeError(kind, 'bybit', 'raw text', { reason, rawCode: '1' }), askedFor);
      const isLimitOfTrading = kind === 'rate_limited' && askedFor === 'trade';
      if (isLimitOfTrading) {
        expect(error).toMatchObject({ code: 'GENERIC_RATE_LIMIT_EXCEEDED', status: 429 });
        continue;
      }
      expect(error).toMatchObject({ code, status, details: { result: { reason } } });
      expect((error as Error).message).toContain(text);
    }
  });

  it.each([
    ['credentials_renewed', 'The access token of kraken expired early and was renewed: try again'],
    [
      'credentials_not_renewed',
      'The access token of kraken is no longer valid and could not be renewed now: try again later',
    ],
    [
      'sandbox_not_configured',
      'The sandbox exchange of test projects is not set up here: the operator has to set SANDBOX_URL',
    ],
  ])('states the cause of a failure on our side: %s', (reason, message) => {
    const error = toDomainError(new ExchangeError('unavailable', 'kraken', 'raw text', { reason }));
    expect(error).toMatchObject({ code: 'WITHDRAWAL_PROVIDER_ERROR', message, details: { result: { reason } } });
  });

  it.each([
    ['wallet', ProviderError, 'WITHDRAWAL_PROVIDER_ERROR'],
    ['trade', TradingProviderError, 'TRADING_PROVIDER_ERROR'],
  ] as const)('reports that an unusable response arrived (%s)', (askedFor, type, code) => {
    const domainError = toDomainError(new UnusableResponse('kraken', 'an address of another network'), askedFor);
    expect(domainError).toBeInstanceOf(type);
    expect(domainError).toMatchObject({
      code,
      status: 502,
      message: 'kraken sent a response that cannot be used safely: an address of another network',
      details: { result: { reason: 'unusable_answer' } },
    });
  });

  it.each([
    ['permission_missing', 'key_ip_or_permission', 'binance refused the API key'],
    ['unavailable', 'not_authenticated', 'coinbase did not accept the API key'],
  ] as const)(
    'for %s with the reason %s, asks the caller to check the key, because a wrong key can cause this error',
    (kind, reason, text) => {
      const [exchange = ''] = text.split(' ');
      const error = toDomainError(new ExchangeError(kind, exchange, 'raw text', { reason, rawCode: 'any' }));
      expect(error).toMatchObject({ code: 'WITHDRAWAL_PROVIDER_ERROR', details: { result: { reason } } });
      expect((error as Error).message).toContain(text);
      expect((error as Error).message).toContain('check the key');
    },
  );

  it('asks the caller to turn off the two-factor authentication of a key, because only executions can send codes', () => {
    const code = 'WITHDRAWAL_2FA_REQUIRED_TOTP';
    const error = toDomainError(new ExchangeError('refused', 'kraken', 'raw text', { code }));
    expect(error).toMatchObject({ code, status: 400 });
    expect((error as Error).message).toContain('turn off two-factor authentication of the key');
  });

  it('asks to execute the same quote again, or to request another after its expiry, when the fee has changed', () => {
    const options = { code: 'WITHDRAWAL_PROVIDER_ERROR', reason: 'fee_changed' } as const;
    const error = toDomainError(new ExchangeError('refused', 'okx', 'raw text', options));
    expect(error).toMatchObject({
      code: 'WITHDRAWAL_PROVIDER_ERROR',
      message:
        'The fee at okx has changed since the quote, and this call sent nothing: execute the same quote again, or request a new quote after it has expired',
      details: { result: { reason: 'fee_changed' } },
    });
  });

  it('names the reason of a refusal without a code of its own', () => {
    const messageOf = (reason?: string) =>
      (toDomainError(new ExchangeError('refused', 'kraken', 'raw text', { reason })) as Error).message;
    expect(messageOf('account_locked')).toBe(
      'kraken refused the request: it has locked the account, or a function of it; the owner has to ask the exchange',
    );
    expect(messageOf()).toBe('kraken refused the request');
  });

  it('names a missing permission and a wrong IP address, because Kraken sends one error for both', () => {
    const error = toDomainError(new ExchangeError('permission_missing', 'kraken', 'EGeneral:Permission denied'));
    expect((error as Error).message).toMatch(/lacks a permission .* IP addresses of ipPool/);
  });

  it('reports that the exchange could not be reached only when it sent no error code', () => {
    const messageOf = (rawCode?: string) =>
      (toDomainError(new ExchangeError('unavailable', 'kraken', 'raw text', { rawCode })) as Error).message;
    expect(messageOf()).toBe('kraken could not be reached, or responded with an HTTP error: try again later');
    expect(messageOf('EService:Unavailable')).toBe(
      'kraken responded that it cannot serve this request now: try again later',
    );
  });

  it.each([
    ['wallet', ProviderError, 'WITHDRAWAL_PROVIDER_ERROR'],
    ['trade', TradingProviderError, 'TRADING_PROVIDER_ERROR'],
  ] as const)('does not report our own call limit as a limit of the exchange (%s)', (askedFor, type, code) => {
    const error = new ExchangeError('rate_limited', 'kraken', 'raw text', { reason: 'own_limit' });
    const domainError = toDomainError(error, askedFor);
    expect(domainError).toBeInstanceOf(type);
    expect(domainError).toMatchObject({
      code,
      status: 502,
      message: 'The call to kraken would have to wait too long for earlier calls: it was not sent; try again later',
      details: { result: { reason: 'own_limit' } },
    });
  });

  it.each([
    ['ten seconds when the exchange reports no time', {}, 10],
    ['the time that the exchange demands', { retryAfterMs: 30_000 }, 30],
    ['the time that remains of a pause', { reason: 'own_limit', retryAfterMs: 20_001 }, 21],
  ])('reports a rate limit of the exchange with %s as Retry-After', (_name, options, retryAfterSeconds) => {
    const error = new ExchangeError('rate_limited', 'kraken', 'raw text', options);
    expect(toDomainError(error, 'trade')).toMatchObject({
      code: 'GENERIC_RATE_LIMIT_EXCEEDED',
      status: 429,
      retryAfterSeconds,
    });
    expect(toDomainError(error)).toMatchObject({ code: 'WITHDRAWAL_PROVIDER_ERROR', status: 502, retryAfterSeconds });
  });

  it('never repeats the text of the exchange', () => {
    for (const kind of ['unavailable', 'refused', 'permission_missing', 'ip_not_allowed', 'rate_limited'] as const) {
      const domainError = toDomainError(
        new ExchangeError(kind, 'kraken', 'key my-key is wrong', { rawCode: 'my-key' }),
      );
      expect(JSON.stringify(domainError) + String(domainError)).not.toContain('my-key');
    }
  });

  it.each([
    ['unavailable', undefined, undefined, 502],
    ['refused', undefined, undefined, 502],
    ['refused', 'WITHDRAWAL_KYC_REQUIRED', 'kyc_required', 422],
    ['permission_missing', undefined, 'permission_missing', 422],
    ['ip_not_allowed', undefined, 'ip_not_allowed', 422],
    ['credentials_invalid', undefined, 'credentials_unconfirmed', 502],
  ] as const)(
    'is a trading provider error, and has no code of withdrawals, in a call under /trade: %s %s',
    (kind, code, reason, status) => {
      const domainError = toDomainError(new ExchangeError(kind, 'kraken', 'raw text', { code }), 'trade');
      expect(domainError).toBeInstanceOf(TradingProviderError);
      expect(domainError).toMatchObject({ code: 'TRADING_PROVIDER_ERROR', status });
      expect(domainError).toHaveProperty('details', reason === undefined ? {} : { result: { reason } });
    },
  );

  it.each([
    ['WITHDRAWAL_NETWORK_NOT_SUPPORTED', 'DEPOSIT_METHODS_UNAVAILABLE', 503],
    ['WITHDRAWAL_ASSET_NOT_SUPPORTED', 'DEPOSIT_METHODS_UNAVAILABLE', 503],
    ['DEPOSIT_ADDRESS_UNAVAILABLE', 'DEPOSIT_ADDRESS_UNAVAILABLE', 404],
    ['WITHDRAWAL_TOO_MANY_ADDRESSES', 'WITHDRAWAL_TOO_MANY_ADDRESSES', 409],
    ['WITHDRAWAL_KYC_REQUIRED', 'WITHDRAWAL_KYC_REQUIRED', 400],
    ['WITHDRAWAL_INVALID_ADDRESS', 'WITHDRAWAL_PROVIDER_ERROR', 502],
  ] as const)('in a call for a deposit address turns the code %s into %s', (code, expected, status) => {
    const error = new ExchangeError('refused', 'kucoin', 'raw text', { code });
    expect(toDomainError(error, 'deposit')).toMatchObject({ code: expected, status });
  });

  it.each([
    ['address_exists', 'kucoin creates no second one: use reusePolicy reuse_or_create or reuse_only'],
    ['address_pending', 'repeat the request in a minute'],
    ['tag_missing', 'without the tag that its network requires'],
    ['unsafe_address', 'an address that is not valid on the network'],
    ['kyc_required', 'complete the verification at kucoin, then repeat the request'],
    ['country_not_served', 'in the country of the account holder'],
    [undefined, 'use another reusePolicy, or create an address on the site of kucoin'],
  ])('says what to do when a deposit address is refused with the reason %s', (reason, advice) => {
    const error = new ExchangeError('refused', 'kucoin', 'raw', { code: 'DEPOSIT_ADDRESS_UNAVAILABLE', reason });
    const { message } = toDomainError(error, 'deposit') as Error;
    expect(message).toContain(advice);
    expect(message).toContain('address');
  });

  it('leaves out of its message how the documentation explains `result`', () => {
    const codes = Object.keys(errorCodes).filter(isErrorCode);
    const byExchanges = codes.filter((code) => /^(WITHDRAWAL|DEPOSIT|TRADING)_(?!PROVIDER_ERROR)/.test(code));
    const shown = byExchanges.map((code) => {
      const error = new ExchangeError('refused', 'kucoin', 'raw text', { code });
      return `${code}: ${(toDomainError(error) as Error).message}`;
    });
    expect(shown.length).toBeGreaterThan(30);
    expect(shown.filter((text) => text.includes('`result.'))).toEqual([]);
  });

  it('under /trade has Retry-After when the exchange limits calls, and keeps the trading code of a definite refusal', () => {
    const pause = toDomainError(new ExchangeError('rate_limited', 'kraken', 'raw text'), 'trade');
    expect(pause).toBeInstanceOf(RateLimitExceeded);
    expect(pause).toMatchObject({ status: 429, retryAfterSeconds: 10 });
    const refusal = new ExchangeError('refused', 'kraken', 'raw text', { code: 'TRADING_ROUTE_UNAVAILABLE' });
    expect(toDomainError(refusal, 'trade')).toMatchObject({ code: 'TRADING_ROUTE_UNAVAILABLE', status: 409 });
  });

  it('is the original error when it does not come from an exchange', () => {
    const error = new Error('ours');
    expect(toDomainError(error)).toBe(error);
  });
});
