import { Secret } from '#platform/crypto';
import { toCcxtCredentials } from './kraken-credentials.js';

const of = (apiSecret: string) => ({ apiKey: new Secret('key'), apiSecret: new Secret(apiSecret) });

describe('credentials of Kraken', () => {
  it('are the key and its secret, without whitespace around them', () => {
    expect(toCcxtCredentials(of(' c2VjcmV0cw==\n'))).toEqual({ apiKey: 'key', secret: 'c2VjcmV0cw==' });
  });

  it.each(['c2VjcmV0cw=', 'c2VjcmV0cw', 'no base64', '', '===='])('are invalid when they cannot sign: %j', (text) =>
    expect(() => toCcxtCredentials(of(text))).toThrow(
      expect.objectContaining({ kind: 'credentials_invalid', reason: 'invalid_signature' }),
    ),
  );
});
