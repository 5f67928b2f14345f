import type { ErrorCode } from '#platform/errors';

/** The three headers that together name and prove a project; also the names of their OpenAPI security schemes. */
export const API_KEY_HEADER = 'x-svc-api-key';
export const ORGANIZATION_HEADER = 'x-svc-org-id';
export const PROJECT_HEADER = 'x-svc-project-id';
export const WALLET_HEADER = 'x-svc-wallet-id';

/** Name of the OpenAPI security scheme (http, bearer) of `/v0/admin/*`. */
export const ADMIN_SECURITY = 'admin-token';

/** What every route that wants an API key can answer: spread it into `@ApiErrors`. */
export const accessErrors: readonly ErrorCode[] = [
  'GENERIC_UNAUTHORIZED',
  'APIKEY_INSUFFICIENT_PERMISSIONS',
  'GENERIC_RATE_LIMIT_EXCEEDED',
];

/**
 * The one value of a header, or null when it is absent, empty or sent more than once. Node joins the values of a repeated
 * header, and what one proxy checks then differs from what another forwards.
 */
export function singleHeader(rawHeaders: readonly string[], name: string): string | null {
  let found: string | null = null;
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() !== name) continue;
    if (found !== null) return null;
    found = rawHeaders[index + 1] ?? null;
  }
  return found === '' ? null : found;
}

export function countHeader(rawHeaders: readonly string[], name: string): number {
  return rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === name).length;
}
