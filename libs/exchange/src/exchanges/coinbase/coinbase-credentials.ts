import { createPrivateKey } from 'node:crypto';
import type { CcxtCredentials } from '../../ccxt/ccxt-pattern.js';
import { ExchangeError } from '../../exchange-error.js';
import type { ExchangeCredentials } from '../../exchange.port.js';

const PEM = /^-----BEGIN ([A-Z ]+)-----([A-Za-z0-9+/=\s]+)-----END \1-----$/;

/**
 * A bearer token alone, or a key of the developer platform: its name (`organizations/…/apiKeys/…`) and its private key,
 * with which ccxt signs a token for each call.
 * @throws ExchangeError `credentials_invalid` for what is begun like a private key and is none: nothing can be signed.
 */
export function toCcxtCredentials({ apiKey, apiSecret }: ExchangeCredentials): CcxtCredentials {
  if (apiSecret === undefined) return { token: apiKey.reveal() };
  const secret = apiSecret.reveal().trim();
  return { apiKey: apiKey.reveal().trim(), secret: secret.startsWith('-----BEGIN') ? privateKeyOf(secret) : secret };
}

/** The form that ccxt reads (SEC 1), whatever a file of JSON or a field of one line has made of its lines. */
function privateKeyOf(text: string): string {
  const [, label, body] = PEM.exec(text.replaceAll('\\n', '\n').trim()) ?? [];
  if (label === undefined || body === undefined) throw unusable();
  const lines = body.replace(/\s/g, '').match(/.{1,64}/g) ?? [];
  try {
    const key = createPrivateKey(`-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`);
    return key.export({ type: 'sec1', format: 'pem' }).toString();
  } catch {
    // What it says may show a part of the key.
    throw unusable();
  }
}

function unusable(): ExchangeError {
  return new ExchangeError('credentials_invalid', 'coinbase', 'the secret is no EC private key', {
    reason: 'invalid_signature',
  });
}
