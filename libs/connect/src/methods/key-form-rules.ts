import type { CredentialField } from '#exchange';
import type { PastedKey } from './pasted-key.js';

/** What can be in a header or a signature: no key of any exchange has more. Copying adds what nobody sees. */
const PRINTABLE = /^[\x21-\x7e]+$/;
/** Whole: the commonest copying error leaves out the last character. */
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)$/;
/** A private key in PEM; those of Ed25519, and of the API before, are shown in one line. */
const PEM_OR_LINE = /^(?:-----BEGIN ([A-Z ]+)-----[A-Za-z0-9+/=\s]+-----END \1-----|[A-Za-z0-9+/]{32,}={0,2})$/;

/** Where the exchange's secrets have a form of their own. */
const SECRET_FORMS: Readonly<Record<string, RegExp>> = { kraken: BASE64, coinbase: PEM_OR_LINE };

/** The fields that no key of the exchange can have like that, by a copying error: told without asking the exchange. */
export function malformedFields(exchange: string, key: PastedKey): CredentialField[] {
  const forms: Partial<Record<CredentialField, RegExp>> = { apiSecret: SECRET_FORMS[exchange] };
  return (Object.keys(key) as CredentialField[]).filter((field) => {
    const text = key[field]?.reveal().trim();
    return text !== undefined && !(forms[field] ?? PRINTABLE).test(text);
  });
}
