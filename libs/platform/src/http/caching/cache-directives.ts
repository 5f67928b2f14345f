/** The cache directives of a request (RFC 9111, section 5.2.1). */
export interface CacheDirectives {
  /** The response must come from stored data. */
  onlyIfCached: boolean;
  /** The response must not come from stored data. */
  noCache: boolean;
  /** Largest accepted age of stored data; null = the request gives none. */
  maxAgeMs: number | null;
}

/**
 * Matches a directive: a name, and an optional value that is a token or a quoted text. Blanks around the equals sign
 * are tolerated.
 */
const DIRECTIVE = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s"]*)))?$/;
/** Largest number of seconds that must be supported (RFC 9111, section 1.2.2). */
const SECONDS_MAX = 2 ** 31;

/** Parses a `Cache-Control` header. Unknown directives and malformed entries are ignored. */
export function parseCacheDirectives(header: string | undefined): CacheDirectives {
  const found: CacheDirectives = { onlyIfCached: false, noCache: false, maxAgeMs: null };
  for (const text of listed(header ?? '')) {
    const [, name = '', quoted, token] = DIRECTIVE.exec(text) ?? [];
    const argument = quoted?.replace(/\\(.)/g, '$1') ?? token;
    if (/^only-if-cached$/i.test(name)) found.onlyIfCached = true;
    if (/^no-cache$/i.test(name)) found.noCache = true;
    if (/^max-age$/i.test(name)) found.maxAgeMs = Math.min(found.maxAgeMs ?? Infinity, toMs(argument));
  }
  return found;
}

/** Splits the header at commas, but not at commas in quotes. */
function listed(header: string): string[] {
  return (header.match(/(?:"(?:[^"\\]|\\.)*"?|[^",])+/g) ?? []).map((entry) => entry.trim());
}

/** A malformed age becomes 0, so that no stored data is fresh enough, as RFC 9111 (section 4.2.1) requires. */
function toMs(seconds: string | undefined): number {
  return seconds !== undefined && /^\d+$/.test(seconds) ? Math.min(Number(seconds), SECONDS_MAX) * 1_000 : 0;
}
