import type { SigningKeys } from '../../client/signing-keys.js';
import { ExchangeError } from '../../port/exchange-error.js';
import type { ExchangeCredentials } from '../../port/exchange.port.js';

/**
 * Checks the key and its secret. The secret must be base64: Kraken would refuse the signatures of anything else.
 * @throws ExchangeError `credentials_invalid` for a secret that cannot sign.
 */
export function toSigningKeys({ apiKey, apiSecret }: ExchangeCredentials): SigningKeys {
  const secret = apiSecret?.reveal().trim() ?? '';
  if (secret === '' || Buffer.from(secret, 'base64').toString('base64') !== secret) {
    throw new ExchangeError('credentials_invalid', 'kraken', 'the secret of the key has an invalid format', {
      reason: 'invalid_signature',
    });
  }
  return { apiKey: apiKey.reveal().trim(), apiSecret: secret };
}
