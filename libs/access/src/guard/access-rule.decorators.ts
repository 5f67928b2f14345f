import { applyDecorators, SetMetadata, type Type } from '@nestjs/common';
import { ApiExtension, ApiSecurity } from '@nestjs/swagger';
import type { NumberSetting } from '#platform/config';
import { ADMIN_SECURITY, API_KEY_HEADER, ORGANIZATION_HEADER, PROJECT_HEADER } from './credential-headers.js';
import type { Scope } from '../keys/scopes.js';
import type { KeylessClientGuard } from './keyless-client.js';

/** What a public route allows beyond one call. */
export interface PublicOptions {
  /** Requests a minute of one address, as the setting says; routes of the same name share them. Without it: no limit. */
  limit?: { name: string; perMinute: NumberSetting };
  /** Pages of any origin may read the answers, refusals too. */
  anyOrigin?: boolean;
}

/** Who else may call a route that is for API keys: pages in a browser, which cannot keep one. */
export interface KeylessOptions {
  /** Decides which pages. A provider of any module. */
  guard: Type<KeylessClientGuard>;
  /** Requests a minute of one address, as the setting says. */
  limit: { name: string; perMinute: NumberSetting };
}

/** Who may call a route. A route without a rule keeps the API from starting. */
export type AccessRule =
  | ({ kind: 'public' } & PublicOptions)
  | { kind: 'key'; scopes: readonly Scope[]; keyless?: KeylessOptions }
  | { kind: 'admin' };

export const ACCESS_RULE = 'access:rule';

const withRule = (rule: AccessRule): MethodDecorator => SetMetadata(ACCESS_RULE, rule);

/** The route is for a valid API key that has all of these scopes; else 401, then 403 with the `missing` ones. */
export function RequireScope(...scopes: [Scope, ...Scope[]]): MethodDecorator {
  return withKey(scopes);
}

/**
 * The same, or for a request without any API key that names organization and project, comes from a page (`Origin`), and is
 * let in by the door; else 401. The route asks for `@CurrentCaller()`, which tells the two apart.
 */
export function RequireScopeOrKeyless(scope: Scope, keyless: KeylessOptions): MethodDecorator {
  return applyDecorators(
    withKey([scope], keyless),
    // One more object: either of the two is enough.
    ApiSecurity({ [ORGANIZATION_HEADER]: [], [PROJECT_HEADER]: [] }),
  );
}

/** The route is for any valid API key, whatever its scopes. */
export function AnyKey(): MethodDecorator {
  return withKey([]);
}

/** The route is for everyone, without credentials. */
export function Public(options: PublicOptions = {}): MethodDecorator {
  return withRule({ kind: 'public', ...options });
}

/** The route is for the bearer of ADMIN_TOKEN alone. */
export function AdminOnly(): MethodDecorator {
  return applyDecorators(withRule({ kind: 'admin' }), ApiSecurity(ADMIN_SECURITY));
}

function withKey(scopes: Scope[], keyless?: KeylessOptions): MethodDecorator {
  return applyDecorators(
    withRule({ kind: 'key', scopes, keyless }),
    // One object: all three are wanted. Three entries would mean any one of them.
    ApiSecurity({ [API_KEY_HEADER]: [], [ORGANIZATION_HEADER]: [], [PROJECT_HEADER]: [] }),
    ApiExtension('x-required-scopes', scopes),
  );
}
