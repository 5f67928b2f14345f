import type { CcxtCredentials } from '../../ccxt/ccxt-template.js';
import { ExchangeError } from '../../port/exchange-error.js';
import type { ExchangeCredentials } from '../../port/exchange.port.js';

/**
 * A key and its secret, which is base64: ccxt fails to sign with anything else, as if the exchange could not be reached.
 * @throws ExchangeError `credentials_invalid` for a secret with which nothing can be signed.
 */
export function toCcxtCredentials({ apiKey, apiSecret }: ExchangeCredentials): CcxtCredentials {
  const secret = apiSecret?.reveal().trim() ?? '';
  if (secret === '' || Buffer.from(secret, 'base64').toString('base64') !== secret) {
    throw new ExchangeError('credentials_invalid', 'kraken', 'the secret is none of a key', {
      reason: 'invalid_signature',
    });
  }
  return { apiKey: apiKey.reveal().trim(), secret };
}
