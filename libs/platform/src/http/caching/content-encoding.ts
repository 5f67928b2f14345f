import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';

/** Compressed encodings of responses; the first one compresses better. */
export const encodings = ['br', 'gzip'] as const;

export type ContentEncoding = (typeof encodings)[number] | 'identity';

/**
 * Maximum number of `Accept-Encoding` headers whose chosen encoding is cached. A header longer than KNOWN_LENGTH_MAX is
 * negotiated each time.
 */
const KNOWN_MAX = 1_000;
const KNOWN_LENGTH_MAX = 200;
const known = new LRUCache<string, ContentEncoding>({ max: KNOWN_MAX });

/** The type of `Negotiator` with the option `preferred`, which the package's own types lack. */
interface EncodingNegotiator {
  encoding(available: readonly string[], options: { preferred: readonly string[] }): string | undefined;
}

/**
 * Returns the encoding with the highest weight in `Accept-Encoding` (RFC 9110 §12.5.3). Of encodings with equal weight,
 * it returns the one that compresses best. The default is `identity`.
 */
export function chooseEncoding(accepted: string | undefined): ContentEncoding {
  if (accepted === undefined) return 'identity';
  let chosen = known.get(accepted);
  if (chosen === undefined) {
    chosen = negotiate(accepted);
    if (accepted.length <= KNOWN_LENGTH_MAX) known.set(accepted, chosen);
  }
  return chosen;
}

function negotiate(accepted: string): ContentEncoding {
  const negotiator: EncodingNegotiator = new Negotiator({ headers: { 'accept-encoding': accepted } });
  const chosen = negotiator.encoding([...encodings, 'identity'], { preferred: encodings });
  return encodings.find((encoding) => encoding === chosen) ?? 'identity';
}
