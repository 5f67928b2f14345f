import { Secret } from '#platform/crypto';
import { toSigningKeys } from './kraken-key.js';

const of = (apiSecret: string) => ({ apiKey: new Secret('key'), apiSecret: new Secret(apiSecret) });

describe('credentials of Kraken', () => {
  it('are the key and its secret, without whitespace around them', () => {
    expect(toSigningKeys(of(' c2VjcmV0cw==\n'))).toEqual({ apiKey: 'key', apiSecret: 'c2VjcmV0cw==' });
  });

  it.each(['c2VjcmV0cw=', 'c2VjcmV0cw', 'no base64', '', '===='])('are invalid when they cannot sign: %j', (text) =>
    expect(() => toSigningKeys(of(text))).toThrow(
      expect.objectContaining({ kind: 'credentials_invalid', reason: 'invalid_signature' }),
    ),
  );
});
