import { Secret, TOTP } from 'otpauth';

/** RFC 6238 as authenticator apps have it: SHA-1, six digits, steps of 30 seconds. */
const authenticator = (secret: string): TOTP => new TOTP({ secret: Secret.fromBase32(secret) });

/** The code that an authenticator with this secret (base32) shows at `at`. */
export function totpCode(secret: string, at: Date): string {
  return authenticator(secret).generate({ timestamp: at.getTime() });
}

/** The step whose code this is: that of `at`, or the one before or after it; null = of none of them. */
export function totpStep(secret: string, code: string, at: Date): number | null {
  const totp = authenticator(secret);
  const timestamp = at.getTime();
  const delta = totp.validate({ token: code, timestamp, window: 1 });
  return delta === null ? null : totp.counter({ timestamp }) + delta;
}

/** 160 bits, base32. */
export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32;
}
