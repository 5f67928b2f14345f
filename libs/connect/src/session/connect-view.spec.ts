import { failureOf, messageOf } from './connect-view.js';

describe('messageOf', () => {
  const facts = { externalWalletId: 'w', exchange: 'kraken' };
  const cancelled = failureOf({
    error: 'The person has cancelled the connect session',
    type: 'OAUTH_AUTHORIZATION_FAILED',
    result: { reason: 'cancelled' },
  });

  it('names the connect method, and leaves it out while none is chosen', () => {
    const seen = (['oauth', 'qr', 'key', null] as const).map((method) => {
      const { type, way } = messageOf({ ...facts, method }, { success: true });
      return [type, way];
    });
    expect(seen).toEqual([
      ['oauth2', 'oauth2'],
      ['qr_code_auth', 'qr_code'],
      ['oauth2', 'api_key'],
      ['oauth2', undefined],
    ]);
  });

  it('makes a message of the type oauth2 for every cancelled connect session', () => {
    expect(messageOf({ ...facts, method: 'qr' }, cancelled)).toEqual({
      type: 'oauth2',
      way: 'qr_code',
      walletId: 'w',
      exchange: 'kraken',
      success: false,
      error: 'The person has cancelled the connect session',
      code: 'OAUTH_AUTHORIZATION_FAILED',
      result: { reason: 'cancelled' },
    });
  });
});
