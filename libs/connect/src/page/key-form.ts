import type { CredentialField } from '#exchange';
import { Secret } from '#platform/crypto';
import type { PastedKey } from '../methods/pasted-key.js';
import type { ConnectView } from '../session/connect-view.js';

export interface KeyForm {
  key: PastedKey;
  /** Required fields that are empty. */
  missing: CredentialField[];
}

/** Reads the submitted key form. */
export function readKeyForm(
  body: unknown,
  { credentialFields, regions }: Pick<ConnectView['exchange'], 'credentialFields' | 'regions'>,
): KeyForm {
  const sent = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  const fields: CredentialField[] = [...credentialFields, ...(regions.length > 0 ? (['apiRegion'] as const) : [])];
  const given = fields.map((field) => [field, clean(sent[field])] as const);
  return {
    key: Object.fromEntries(given.filter(([, text]) => text !== '').map(([field, text]) => [field, new Secret(text)])),
    missing: given.filter(([, text]) => text === '').map(([field]) => field),
  };
}

/** Removes the white space that copying adds around a value. A field that is sent twice counts as empty. */
function clean(value: unknown): string {
  if (typeof value !== 'string') return '';
  const text = value.trim();
  if (!text.startsWith('-----BEGIN')) return text;
  // Forms send line ends as CRLF. In a key copied from a JSON file they are the two characters \n.
  return `${text.replaceAll('\r\n', '\n').replaceAll('\\n', '\n').trim()}\n`;
}
