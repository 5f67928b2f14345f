import type { CredentialField, KeyGuide } from '#exchange';
import type { PastedKey } from './pasted-key.js';

/**
 * The characters that are valid in a header or a signature. No exchange uses others, but copying may add invisible
 * ones.
 */
const PRINTABLE = /^[\x21-\x7e]+$/;

/** The fields that no key of the exchange can have, because of a copying error. The exchange is not asked. */
export function malformedFields(guide: KeyGuide | undefined, key: PastedKey): CredentialField[] {
  return (Object.keys(key) as CredentialField[]).filter((field) => {
    const text = key[field]?.reveal().trim();
    return text !== undefined && !(guide?.fieldForms?.[field] ?? PRINTABLE).test(text);
  });
}
