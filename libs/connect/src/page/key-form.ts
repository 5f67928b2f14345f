import type { CredentialField } from '#exchange';
import { Secret } from '#platform/crypto';
import type { PastedKey } from '../methods/pasted-key.js';

export interface KeyForm {
  key: PastedKey;
  /** Fields that are needed and empty. */
  missing: CredentialField[];
}

/** What was sent with the form for a key. */
export function readKeyForm(body: unknown, fields: readonly CredentialField[]): KeyForm {
  const sent = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  const given = fields.map((field) => [field, clean(sent[field])] as const);
  return {
    key: Object.fromEntries(given.filter(([, text]) => text !== '').map(([field, text]) => [field, new Secret(text)])),
    missing: given.filter(([, text]) => text === '').map(([field]) => field),
  };
}

/** As it was meant: without what copying adds around it. A field that is sent twice counts as empty. */
function clean(value: unknown): string {
  if (typeof value !== 'string') return '';
  const text = value.trim();
  if (!text.startsWith('-----BEGIN')) return text;
  // Forms send line ends as CRLF; a file in JSON has them as two characters.
  return `${text.replaceAll('\r\n', '\n').replaceAll('\\n', '\n').trim()}\n`;
}
