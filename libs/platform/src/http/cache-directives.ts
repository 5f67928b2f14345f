/** What a request asks of what we have stored (RFC 9111, section 5.2.1). */
export interface CacheDirectives {
  /** Answer from what is stored, or not at all. */
  onlyIfCached: boolean;
  /** What is stored does not do. */
  noCache: boolean;
  /** The oldest that does; null = not said. */
  maxAgeMs: number | null;
}

/** A name, and a value as a token or in quotes; blanks around the sign are an error that is easily understood. */
const DIRECTIVE = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s"]*)))?$/;
/** As many seconds as have to be told apart (RFC 9111, section 1.2.2). */
const SECONDS_MAX = 2 ** 31;

/** Reads a `Cache-Control` header. Directives that are not known, or no directives at all, are passed over. */
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

/** The entries between commas; a comma in quotes parts nothing. */
function listed(header: string): string[] {
  return (header.match(/(?:"(?:[^"\\]|\\.)*"?|[^",])+/g) ?? []).map((entry) => entry.trim());
}

/** An age that cannot be read is one that nothing stored meets: RFC 9111 (section 4.2.1) takes it for stale. */
function toMs(seconds: string | undefined): number {
  return seconds !== undefined && /^\d+$/.test(seconds) ? Math.min(Number(seconds), SECONDS_MAX) * 1_000 : 0;
}
