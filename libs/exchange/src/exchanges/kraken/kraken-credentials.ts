import type { CcxtCredentials } from '../../ccxt/ccxt-credentials.js';
import { ExchangeError } from '../../port/exchange-error.js';
import type { ExchangeCredentials } from '../../port/exchange.port.js';

/**
 * Checks the key and its secret. The secret must be base64: ccxt fails to sign with anything else, with an error that
 * looks like an unreachable exchange.
 * @throws ExchangeError `credentials_invalid` for a secret that cannot sign.
 */
export function toCcxtCredentials({ apiKey, apiSecret }: ExchangeCredentials): CcxtCredentials {
  const secret = apiSecret?.reveal().trim() ?? '';
  if (secret === '' || Buffer.from(secret, 'base64').toString('base64') !== secret) {
    throw new ExchangeError('credentials_invalid', 'kraken', 'the secret of the key has an invalid format', {
      reason: 'invalid_signature',
    });
  }
  return { apiKey: apiKey.reveal().trim(), secret };
}
