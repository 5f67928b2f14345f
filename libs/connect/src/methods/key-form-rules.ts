import type { CredentialField } from '#exchange';
import type { PastedKey } from './pasted-key.js';

/**
 * The characters that are valid in a header or a signature. No exchange uses others, but copying may add invisible
 * ones.
 */
const PRINTABLE = /^[\x21-\x7e]+$/;
/** Complete base64. The most common copying error loses the last character. */
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)$/;
/** A private key in PEM, or in one line. The exchange shows Ed25519 keys and older API keys in one line. */
const PEM_OR_LINE = /^(?:-----BEGIN ([A-Z ]+)-----[A-Za-z0-9+/=\s]+-----END \1-----|[A-Za-z0-9+/]{32,}={0,2})$/;

/** Formats of secrets that are particular to an exchange. */
const SECRET_FORMS: Readonly<Record<string, RegExp>> = { kraken: BASE64, coinbase: PEM_OR_LINE };

/** The fields that no key of the exchange can have, because of a copying error. The exchange is not asked. */
export function malformedFields(exchange: string, key: PastedKey): CredentialField[] {
  const forms: Partial<Record<CredentialField, RegExp>> = { apiSecret: SECRET_FORMS[exchange] };
  return (Object.keys(key) as CredentialField[]).filter((field) => {
    const text = key[field]?.reveal().trim();
    return text !== undefined && !(forms[field] ?? PRINTABLE).test(text);
  });
}
