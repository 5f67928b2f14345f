import { z } from 'zod';
import type { Endpoint, ExchangeClient } from '../../client/exchange-client.js';
import type { SigningKeys } from '../../client/signing-keys.js';
import { ExchangeError } from '../../port/exchange-error.js';
import type { ExchangeCredentials } from '../../port/exchange.port.js';
import { keyInfoOf, nonceWindow } from './kraken-responses.js';

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

/** An endpoint that needs the key. */
export const privateCall = (name: string): Endpoint => ({ method: 'POST', path: `/0/private/${name}` });

export const GET_API_KEY_INFO = privateCall('GetApiKeyInfo');

const readNonceWindow = keyInfoOf(z.object({ nonceWindow }).transform((key) => key.nonceWindow));

/**
 * Requires that Kraken refuses a used nonce of this key. With a nonce window, or with one that Kraken does not report,
 * Kraken could execute both copies of a request that the network delivers twice, and no refusal would be definite
 * (`krakenErrors`). The owner can change the window at any time, so this is read before each submission and never kept.
 * @throws ExchangeError `refused` with the reason `nonce_window`
 */
export async function requireNoNonceWindow(client: ExchangeClient): Promise<void> {
  if ((await client.call(GET_API_KEY_INFO, {}, readNonceWindow)) === 0) return;
  throw new ExchangeError('refused', client.exchange, 'the nonce window of the key is not 0', {
    reason: 'nonce_window',
  });
}
