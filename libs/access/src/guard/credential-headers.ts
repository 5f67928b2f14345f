import type { DocumentedError } from '#platform/http';

/**
 * The headers of requests to the API. The first three identify and authenticate a project. They are also the names of
 * the OpenAPI security schemes.
 */
export const API_KEY_HEADER = 'x-svc-api-key';
export const ORGANIZATION_HEADER = 'x-svc-org-id';
export const PROJECT_HEADER = 'x-svc-project-id';
export const WALLET_HEADER = 'x-svc-wallet-id';

/** Name of the OpenAPI security scheme (http, bearer) of `/v0/admin/*`. */
export const ADMIN_SECURITY = 'admin-token';

/** The errors of every route that requires an API key. Spread them into `@ApiErrors`. */
export const accessErrors: readonly DocumentedError[] = [
  'GENERIC_UNAUTHORIZED',
  '403 GENERIC_INVALID_REQUEST',
  'APIKEY_INSUFFICIENT_PERMISSIONS',
  'GENERIC_RATE_LIMIT_EXCEEDED',
];

/**
 * The value of a header, or null when the header is absent, empty or sent more than once.
 * A repeated header is not accepted: Node joins its values, and a proxy may have checked only one of them.
 */
export function singleHeader(rawHeaders: readonly string[], name: string): string | null {
  let found: string | null = null;
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const given = rawHeaders[index] ?? '';
    if (given.length !== name.length || given.toLowerCase() !== name) continue;
    if (found !== null) return null;
    found = rawHeaders[index + 1] ?? null;
  }
  return found === '' ? null : found;
}

export function countHeader(rawHeaders: readonly string[], name: string): number {
  return rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === name).length;
}
