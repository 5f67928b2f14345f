import Negotiator from 'negotiator';

/** Compressed encodings of responses, the smaller one first. */
export const encodings = ['br', 'gzip'] as const;

export type ContentEncoding = (typeof encodings)[number] | 'identity';

/** The types of the package lack the option `preferred`. */
interface EncodingNegotiator {
  encoding(available: readonly string[], options: { preferred: readonly string[] }): string | undefined;
}

/**
 * Returns the encoding with the highest weight in `Accept-Encoding`, and the smaller one of two with equal weight (RFC 9110
 * §12.5.3). The default is `identity`.
 */
export function chooseEncoding(accepted: string | undefined): ContentEncoding {
  const negotiator: EncodingNegotiator = new Negotiator({ headers: { 'accept-encoding': accepted } });
  const chosen = negotiator.encoding([...encodings, 'identity'], { preferred: encodings });
  return encodings.find((encoding) => encoding === chosen) ?? 'identity';
}
