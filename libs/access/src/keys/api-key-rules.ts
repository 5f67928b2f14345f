import { YEAR_10000 } from '#platform/clock';
import { ValidationFailed } from '#platform/errors';
import { normalAllowlistEntry } from './ip-allowlist.js';
import type { Scope } from './scopes.js';

export const ALLOWLIST_LENGTH_MAX = 50;
/** Longest overlap of a rotation: thirty days. */
export const OVERLAP_SECONDS_MAX = 2_592_000;
/** Default overlap of a rotation: one day. */
export const OVERLAP_SECONDS_DEFAULT = 86_400;

export function requireScopes(scopes: readonly Scope[]): void {
  if (scopes.length === 0) fail('scopes', 'scopes must name at least one scope');
}

export function requireFuture(expiresAt: Date | null, now: Date): void {
  if (expiresAt === null || (expiresAt > now && expiresAt < YEAR_10000)) return;
  fail('expiresAt', 'expiresAt must be a time in the future, before the year 10000');
}

export function requireOverlap(seconds: number): void {
  if (Number.isInteger(seconds) && seconds >= 0 && seconds <= OVERLAP_SECONDS_MAX) return;
  fail('overlapSeconds', `overlapSeconds must be an integer from 0 to ${OVERLAP_SECONDS_MAX}`);
}

/** The entries in their normal form, without duplicates. */
export function normalAllowlist(entries: readonly string[]): string[] {
  if (entries.length > ALLOWLIST_LENGTH_MAX) {
    fail('ipAllowlist', `ipAllowlist must have at most ${ALLOWLIST_LENGTH_MAX} entries`);
  }
  const normal = entries.map(
    (entry) =>
      normalAllowlistEntry(entry) ??
      fail('ipAllowlist', 'each entry of ipAllowlist must be an IP address or a CIDR range'),
  );
  return [...new Set(normal)];
}

function fail(field: string, message: string): never {
  throw new ValidationFailed([{ field, message }]);
}
