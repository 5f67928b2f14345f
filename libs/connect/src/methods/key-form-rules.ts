import type { CredentialField, KeyGuide } from '#exchange';
import type { PastedKey } from './pasted-key.js';

/**
 * Matches texts of characters that are valid in a header or a signature. Keys of exchanges consist of these characters
 * only, but copying may add invisible ones.
 */
const PRINTABLE = /^[\x21-\x7e]+$/;

/** Lists the fields whose values cannot be correct, because copying has damaged them. Does not call the exchange. */
export function malformedFields(guide: KeyGuide | undefined, key: PastedKey): CredentialField[] {
  return (Object.keys(key) as CredentialField[]).filter((field) => {
    const text = key[field]?.reveal().trim();
    return text !== undefined && !(guide?.fieldForms?.[field] ?? PRINTABLE).test(text);
  });
}
