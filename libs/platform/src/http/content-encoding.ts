import Negotiator from 'negotiator';

/** Encodings in which answers are prepared, the smaller first. */
export const encodings = ['br', 'gzip'] as const;

export type ContentEncoding = (typeof encodings)[number] | 'identity';

/** The types of the package do not have the option yet. */
interface EncodingNegotiator {
  encoding(available: readonly string[], options: { preferred: readonly string[] }): string | undefined;
}

/**
 * Chooses the encoding that the caller prefers (RFC 9110 §12.5.3), and the smaller of two that it likes equally. A caller
 * that accepts none of them gets the plain answer.
 */
export function chooseEncoding(accepted: string | undefined): ContentEncoding {
  const negotiator: EncodingNegotiator = new Negotiator({ headers: { 'accept-encoding': accepted } });
  const chosen = negotiator.encoding([...encodings, 'identity'], { preferred: encodings });
  return encodings.find((encoding) => encoding === chosen) ?? 'identity';
}
