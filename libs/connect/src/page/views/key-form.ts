import type { CredentialField } from '#exchange';
import { Secret } from '#platform/crypto';
import type { PastedKey } from '../../methods/pasted-key.js';
import type { ShownExchange } from '../../session/connect-view.js';

/** Values that the form may show again, because they are useless without the secret. */
export type TypedFields = Partial<Record<CredentialField, string>>;

export interface KeyForm {
  key: PastedKey;
  /** Required fields that are empty. */
  missing: CredentialField[];
  typed: TypedFields;
}

const SHOWN_AGAIN: readonly CredentialField[] = ['apiKey', 'apiUid', 'apiRegion'];

/** Reads the submitted key form. */
export function readKeyForm(
  body: unknown,
  { credentialFields, regions }: Pick<ShownExchange, 'credentialFields' | 'regions'>,
): KeyForm {
  const sent = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  const fields: CredentialField[] = [...credentialFields, ...(regions.length > 0 ? (['apiRegion'] as const) : [])];
  const given = fields.map((field) => [field, clean(sent[field])] as const);
  return {
    key: Object.fromEntries(given.filter(([, text]) => text !== '').map(([field, text]) => [field, new Secret(text)])),
    missing: given.filter(([, text]) => text === '').map(([field]) => field),
    typed: Object.fromEntries(given.filter(([field]) => SHOWN_AGAIN.includes(field))),
  };
}

/** Removes the white space that copying adds around a value. A field that is sent twice counts as empty. */
function clean(value: unknown): string {
  if (typeof value !== 'string') return '';
  const text = value.trim();
  if (!text.startsWith('-----BEGIN')) return text;
  // Forms send line ends as CRLF. A key that was copied from a JSON file contains the two characters \n instead.
  return `${text.replaceAll('\r\n', '\n').replaceAll('\\n', '\n').trim()}\n`;
}
