import { InvalidConfig, misspelledSettings, type Config, type OAuthClient } from '#platform/config';
import type { AccessKind, ConnectMethod } from '../port/authorization.port.js';
import { baseUrlOf, liveUrlOf } from '../registry/base-url.js';
import type { ExchangeDeclaration } from '../declaration/exchange-declaration.js';
import type { ProjectMode } from '../port/exchange.port.js';
import { exchangeIds, findExchange } from '../registry/exchanges.js';
import type {
  AuthorizationBase,
  AuthorizationDeclaration,
  AuthorizationEndpoints,
} from '../declaration/authorization-declaration.js';

/** The client that every installation uses at its sandbox exchange. */
const SANDBOX_CLIENT: OAuthClient = { id: 'causeway', secret: 'causeway-sandbox-secret' };

/** An exchange's authorization server in one mode, and our client there. */
export interface Provider {
  readonly id: string;
  readonly mode: ProjectMode;
  readonly declaration: AuthorizationDeclaration;
  readonly base: AuthorizationBase;
  readonly endpoints: AuthorizationEndpoints;
  readonly issuer: string | null;
  readonly client: OAuthClient;
}

/**
 * @throws InvalidConfig when a client (`OAUTH_<ID>_…`) is configured for an exchange without authorization, or lacks a
 *   required secret. Also for a variable that begins like the client of an exchange, but has another ending.
 */
export function assertClients(config: Config): void {
  const known = exchangeIds.filter((id) => findExchange(id)?.authorization?.live !== undefined);
  const problems = Object.entries(config.oauthClients).flatMap(([id, { secret }]) => {
    const key = `OAUTH_${id.toUpperCase().replaceAll('-', '_')}_CLIENT`;
    if (!known.includes(id)) return [`${key}_ID: is only for exchanges with authorization (${known.join(', ')})`];
    const lacksSecret = secret === null && findExchange(id)?.authorization?.needsSecret === true;
    return lacksSecret ? [`${key}_SECRET: must be set, because ${id} requires it`] : [];
  });
  problems.push(...misspelledSettings(config, 'OAUTH', known));
  if (problems.length > 0) throw new InvalidConfig(problems);
}

/** An exchange's provider in a mode; null = it has no authorization server in this mode, or we have no client there. */
export function providerOf(id: string, mode: ProjectMode, config: Config): Provider | null {
  const exchange = findExchange(id);
  const declaration = exchange?.authorization;
  if (exchange === null || declaration === undefined) return null;
  const endpointsOf = mode === 'test' ? declaration.sandbox : declaration.live;
  const client = mode === 'test' ? SANDBOX_CLIENT : config.oauthClients[id];
  const base = baseOf(exchange, mode, config);
  if (endpointsOf === undefined || client === undefined || base === null) return null;
  const issuer = declaration.issuer?.(base) ?? null;
  return { id, mode, declaration, base, endpoints: endpointsOf(base), client, issuer };
}

function baseOf(exchange: ExchangeDeclaration, mode: ProjectMode, config: Config): AuthorizationBase | null {
  if (mode === 'live') {
    const url = liveUrlOf(exchange, config);
    return url === null ? null : { api: url, browser: url };
  }
  const { SANDBOX_URL: sandboxUrl, SANDBOX_PUBLIC_URL: publicUrl = sandboxUrl } = config.values;
  if (!exchange.spec.hasSandbox || sandboxUrl === undefined || publicUrl === undefined) return null;
  return { api: baseUrlOf(exchange, { mode }, config), browser: publicUrl.replace(/\/$/, '') };
}

/** The available connect methods, the preferred first. */
export function connectMethodsOf(id: string, mode: ProjectMode, config: Config): ConnectMethod[] {
  const spec = findExchange(id)?.spec;
  if (spec === undefined || (mode === 'test' ? !spec.hasSandbox : spec.sandboxOnly)) return [];
  const provider = providerOf(id, mode, config);
  if (provider === null) return ['key'];
  return provider.declaration.qr === undefined ? ['oauth', 'key'] : ['oauth', 'qr', 'key'];
}

/** The scopes that the person must grant for this access. */
export function neededScopes(
  { scopes }: Pick<AuthorizationDeclaration, 'scopes'>,
  access: readonly AccessKind[],
): string[] {
  return [...new Set(access.flatMap((kind) => scopes[kind] ?? []))];
}

/** All scopes to request, separated by spaces (RFC 6749, 3.3). */
export function scopeOf(declaration: AuthorizationDeclaration, access: readonly AccessKind[]): string {
  return [...new Set([...neededScopes(declaration, access), ...declaration.alsoAsked])].join(' ');
}
