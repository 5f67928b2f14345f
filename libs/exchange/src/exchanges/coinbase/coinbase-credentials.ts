import { createPrivateKey } from 'node:crypto';
import type { CcxtCredentials } from '../../ccxt/ccxt-template.js';
import { ExchangeError } from '../../port/exchange-error.js';
import type { ExchangeCredentials } from '../../port/exchange.port.js';

const PEM = /^-----BEGIN ([A-Z ]+)-----([A-Za-z0-9+/=\s]+)-----END \1-----$/;

/** No `=`, with which the secrets of Ed25519 end: what a person has swapped is not sent as a name. */
const NAME = /^[\x21-\x3c\x3e-\x7e]+$/;
const PRINTABLE = /^[\x21-\x7e]+$/;
/** How the names of the developer platform begin. */
const PLATFORM = 'organizations/';
const SEED_BYTES = 32;
/** Of the base64 of a seed and its public key. */
const ED25519_LENGTH = 88;

/**
 * A bearer token alone, or a key: its name and its secret, with which ccxt signs each call. Keys of the developer
 * platform (`organizations/…/apiKeys/…`) have an EC private key, or one of Ed25519 in base64; those before it had text.
 * @throws ExchangeError `credentials_invalid` for what is no pair of them: nothing can be signed.
 */
export function toCcxtCredentials({ apiKey, apiSecret }: ExchangeCredentials): CcxtCredentials {
  if (apiSecret === undefined) return { token: apiKey.reveal() };
  const [name, secret] = [apiKey.reveal().trim(), apiSecret.reveal().trim()];
  if (!NAME.test(name)) throw unusable('the name is none of a key');
  return { apiKey: name, secret: secret.startsWith('-----BEGIN') ? privateKeyOf(secret) : lineOf(name, secret) };
}

/** ccxt goes by the same signs, and fails where a key is not what they say. */
function lineOf(name: string, secret: string): string {
  const isEd25519 = secret.endsWith('=') || secret.length === ED25519_LENGTH;
  const isGood = isEd25519
    ? isSeed(secret)
    : PRINTABLE.test(secret) && ![name, secret].some((text) => text.includes(PLATFORM));
  if (!isGood) throw unusable('the secret is none of a key');
  return secret;
}

function isSeed(secret: string): boolean {
  const bytes = Buffer.from(secret, 'base64');
  return bytes.length >= SEED_BYTES && bytes.toString('base64') === secret;
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

function unusable(message = 'the secret is no EC private key'): ExchangeError {
  return new ExchangeError('credentials_invalid', 'coinbase', message, { reason: 'invalid_signature' });
}
