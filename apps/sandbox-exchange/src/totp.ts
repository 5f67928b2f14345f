import { Secret, TOTP } from 'otpauth';

/** RFC 6238 with the parameters of authenticator apps: SHA-1, six digits, steps of 30 seconds. */
const authenticator = (secret: string): TOTP => new TOTP({ secret: Secret.fromBase32(secret) });

/** The code that an authenticator with this base32 secret shows at `at`. */
export function totpCode(secret: string, at: Date): string {
  return authenticator(secret).generate({ timestamp: at.getTime() });
}

/**
 * Returns the step that this code belongs to: the step of `at`, the previous step or the next one. Null means none of
 * them.
 */
export function totpStep(secret: string, code: string, at: Date): number | null {
  const totp = authenticator(secret);
  const timestamp = at.getTime();
  const delta = totp.validate({ token: code, timestamp, window: 1 });
  return delta === null ? null : totp.counter({ timestamp }) + delta;
}

/** A new secret of 160 bits in base32. */
export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32;
}
