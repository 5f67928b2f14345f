/** API keys of ours, bearer tokens, and long base64 or hex runs after a name that says "secret". */
const PATTERNS: readonly [RegExp, string][] = [
  [/svc_(live|test)_[A-Za-z0-9]+/g, 'svc_$1_[secret]'],
  [/(bearer\s+)[A-Za-z0-9._~+/=-]+/gi, '$1[secret]'],
  [
    /((?:secret|passphrase|password|otp|twofa|api-sign|apikey|api-key)\\?"?\s*[:=]\s*\\?"?)[^"\\\s,;&}]+/gi,
    '$1[secret]',
  ],
];

/** The last wall: what the serializers let through is blanked on the finished line. */
export function scrub(line: string): string {
  return PATTERNS.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), line);
}
