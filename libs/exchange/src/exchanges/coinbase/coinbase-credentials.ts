import { createPrivateKey } from 'node:crypto';
import type { SigningKeys } from '../../client/signing-keys.js';
import { ExchangeError } from '../../port/exchange-error.js';
import type { ExchangeCredentials } from '../../port/exchange.port.js';

const PEM = /^-----BEGIN ([A-Z ]+)-----([A-Za-z0-9+/=\s]+)-----END \1-----$/;
/**
 * The format of a key's name. It excludes `=`, with which Ed25519 secrets end, so that a secret in the wrong field is
 * not sent as a name.
 */
const NAME = /^[\x21-\x3c\x3e-\x7e]+$/;
const PRINTABLE = /^[\x21-\x7e]+$/;
const SEED_BYTES = 32;

/**
 * Checks credentials: a bearer token, or the name and the secret with which each call is signed. The secret of a key
 * of the developer platform (`organizations/…/apiKeys/…`) is an EC private key, or an Ed25519 key in base64. The secret
 * of an older key is a text.
 * @throws ExchangeError `credentials_invalid` for credentials that cannot sign.
 */
export function toSigningKeys({ apiKey, apiSecret }: ExchangeCredentials): SigningKeys {
  if (apiSecret === undefined) return { token: apiKey.reveal() };
  const [name, secret] = [apiKey.reveal().trim(), apiSecret.reveal().trim()];
  if (!NAME.test(name)) throw unusable('the name of the key has an invalid format');
  return { apiKey: name, apiSecret: secret.startsWith('-----BEGIN') ? privateKeyOf(secret) : lineOf(name, secret) };
}

/**
 * Checks and returns a secret that has one line. The end of the secret decides by which algorithm it signs.
 * @throws ExchangeError when no algorithm can sign with the secret
 */
function lineOf(name: string, secret: string): string {
  const bytes = Buffer.from(secret, 'base64');
  const isSeed = bytes.length >= SEED_BYTES && bytes.toString('base64') === secret;
  // Only older keys have a secret in plain text. A key of the developer platform (`organizations/…`) has a private key.
  const isText = PRINTABLE.test(secret) && !`${name} ${secret}`.includes('organizations/');
  const isGood = secret.endsWith('=') ? isSeed : isText;
  if (!isGood) throw unusable('the secret of the key has an invalid format');
  return secret;
}

/** Restores the format of a PEM file (SEC 1). JSON files and single-line fields change the line breaks. */
function privateKeyOf(text: string): string {
  const [, label, body = ''] = PEM.exec(text.replaceAll('\\n', '\n').trim()) ?? [];
  const type = label === 'EC PRIVATE KEY' ? 'sec1' : 'pkcs8';
  try {
    const key = createPrivateKey({ key: Buffer.from(body, 'base64'), format: 'der', type });
    return key.export({ type: 'sec1', format: 'pem' }).toString();
  } catch {
    // The library's error may contain a part of the key.
    throw unusable();
  }
}

function unusable(message = 'the secret is not an EC private key'): ExchangeError {
  return new ExchangeError('credentials_invalid', 'coinbase', message, { reason: 'invalid_signature' });
}
