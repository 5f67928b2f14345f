/**
 * Matches Causeway API keys, bearer tokens, and values after a name such as "secret" or "password"; each with its
 * replacement.
 */
const PATTERNS: readonly [RegExp, string][] = [
  [/svc_(live|test)_[A-Za-z0-9]+/g, 'svc_$1_[secret]'],
  [/(bearer\s+)[A-Za-z0-9._~+/=-]+/gi, '$1[secret]'],
  [
    /((?:secret|passphrase|password|otp|twofa|api-sign|apikey|api-key)\\?"?\s*[:=]\s*\\?"?)[^"\\\s,;&}]+/gi,
    '$1[secret]',
  ],
];

/** Matches every text that one of PATTERNS can match. Most lines have none, and one search costs less than three. */
const MAY_MATCH = /svc_|bearer|secret|passphrase|password|otp|twofa|api-?sign|api-?key(?!id)/i;

/** Removes secrets from a finished line: the last protection after the serializers. */
export function scrub(line: string): string {
  if (!MAY_MATCH.test(line)) return line;
  return PATTERNS.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), line);
}
