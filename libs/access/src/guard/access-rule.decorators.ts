import { applyDecorators, SetMetadata, type Type } from '@nestjs/common';
import { ApiExtension, ApiSecurity } from '@nestjs/swagger';
import type { NumberName } from '#platform/config';
import { ADMIN_SECURITY, API_KEY_HEADER, ORGANIZATION_HEADER, PROJECT_HEADER } from './credential-headers.js';
import type { Scope } from '../keys/scopes.js';
import type { KeylessClientGuard } from './keyless-client.js';

/** Options of a public route. */
export interface PublicOptions {
  /**
   * Limits how many requests one address may send in a minute. `perMinute` is the name of the maximum in the
   * configuration. Routes with the same `name` share the limit. Absent: the route has no limit.
   */
  limit?: { name: string; perMinute: NumberName };
  /** Pages of any origin may read the responses, errors included. */
  anyOrigin?: boolean;
  /**
   * Whether a request may have an API key. The key is then checked as on other routes, and the limits of the key
   * replace the limit of the address.
   */
  admitsKeys?: boolean;
}

/**
 * Allows requests without an API key on a route that otherwise requires one. It is meant for pages in a browser, which
 * cannot keep a key secret.
 */
export interface KeylessOptions {
  /** Decides which pages may call the route. Any module of the process may provide this guard. */
  guard: Type<KeylessClientGuard>;
  /**
   * Limits how many requests one address may send in a minute. `perMinute` is the name of the maximum in the
   * configuration.
   */
  limit: { name: string; perMinute: NumberName };
}

/** The callers that a route admits. The API does not start while a route has no rule. */
export type AccessRule =
  | ({ kind: 'public' } & PublicOptions)
  | { kind: 'key'; scopes: readonly Scope[]; keyless?: KeylessOptions }
  | { kind: 'admin' };

export const ACCESS_RULE = 'access:rule';

const withRule = (rule: AccessRule): MethodDecorator => SetMetadata(ACCESS_RULE, rule);

/**
 * The route requires a valid API key with all of these scopes. It answers 401 without a valid key, and 403 with the
 * `missing` scopes when the key lacks some of them.
 */
export function RequireScope(...scopes: [Scope, ...Scope[]]): MethodDecorator {
  return withKey(scopes);
}

/**
 * Like `RequireScope`, but the route also accepts a request without an API key. Such a request must name organization
 * and project, come from a page (`Origin`), and be allowed by `keyless.guard`. Otherwise it gets 401.
 * The handler of the route takes `@CurrentCaller()`, which distinguishes the two kinds of caller.
 */
export function RequireScopeOrKeyless(scope: Scope, keyless: KeylessOptions): MethodDecorator {
  return applyDecorators(
    withKey([scope], keyless),
    // Each `ApiSecurity` adds an entry to `security` in OpenAPI, and a request needs to satisfy only one of them.
    ApiSecurity({ [ORGANIZATION_HEADER]: [], [PROJECT_HEADER]: [] }),
  );
}

/** The route requires any valid API key, whatever its scopes are. */
export function AnyKey(): MethodDecorator {
  return withKey([]);
}

/** The route requires no credentials. */
export function Public(options: PublicOptions = {}): MethodDecorator {
  return withRule({ kind: 'public', ...options });
}

/** The route requires ADMIN_TOKEN as the bearer token. */
export function AdminOnly(): MethodDecorator {
  return applyDecorators(withRule({ kind: 'admin' }), ApiSecurity(ADMIN_SECURITY));
}

function withKey(scopes: Scope[], keyless?: KeylessOptions): MethodDecorator {
  return applyDecorators(
    withRule({ kind: 'key', scopes, keyless }),
    // One entry with three schemes means that all three are required. Three entries would mean any one of them.
    ApiSecurity({ [API_KEY_HEADER]: [], [ORGANIZATION_HEADER]: [], [PROJECT_HEADER]: [] }),
    ApiExtension('x-required-scopes', scopes),
  );
}
