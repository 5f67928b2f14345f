import type { CodeChallenge, OAuthClient } from '../ledger/oauth-records.js';
import { mayRedirectTo, type OAuthClients } from './clients.js';
import type { Provider } from './provider.js';

/** The access that an application requests from a person. */
export interface AuthorizationRequest {
  provider: Provider;
  client: OAuthClient;
  /** The address that receives the response. */
  redirectUri: string;
  /** Whether the request contained `redirect_uri`; then the token request must repeat it. */
  namesRedirect: boolean;
  state: string | null;
  scopes: string[];
  challenge: CodeChallenge | null;
  /** Whether the application requests all wallets of an account, or one. */
  wallets: 'all' | 'one';
  /** The issuer of the provider; null when the provider does not send it. */
  issuer: string | null;
}

/** The request has no valid redirect URI, so the page shows the error to the person (RFC 6749 4.1.2.1). */
export class UnknownRedirect extends Error {}

/** The request is invalid; the application gets the error through a redirect. */
export class RefusedRequest extends Error {
  constructor(
    readonly error: 'invalid_request' | 'unsupported_response_type' | 'invalid_scope',
    description: string,
    readonly redirect: Pick<AuthorizationRequest, 'redirectUri' | 'state' | 'issuer'>,
  ) {
    super(description);
  }
}

const CHALLENGE = /^[A-Za-z0-9._~-]{43,128}$/;
/** Parameters that may occur at most once. */
const SINGLE_PARAMETERS = [
  'client_id',
  'redirect_uri',
  'response_type',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'account',
];

/**
 * @param baseUrl base URL of the sandbox exchange in this request
 * @throws UnknownRedirect
 * @throws RefusedRequest
 */
export function readAuthorizationRequest(
  clients: OAuthClients,
  provider: Provider,
  { query, baseUrl }: { query: URLSearchParams; baseUrl: string },
): AuthorizationRequest {
  const client = clients.find(query.get('client_id') ?? '');
  if (client === null) throw new UnknownRedirect('This application is not registered.');
  const redirectUri = redirectOf(provider, client, query);
  const state = query.get('state');
  const issuer = provider.issuerPath === null ? null : baseUrl + provider.issuerPath;
  const redirect = { redirectUri, state, issuer };
  const repeated = SINGLE_PARAMETERS.find((name) => query.getAll(name).length > 1);
  if (repeated !== undefined) {
    throw new RefusedRequest('invalid_request', `${repeated} occurs more than once`, redirect);
  }
  if (query.get('response_type') !== 'code') {
    throw new RefusedRequest('unsupported_response_type', 'response_type must be code', redirect);
  }
  if (state !== null && state.length < provider.stateLengthMin) {
    throw new RefusedRequest(
      'invalid_request',
      `state must have at least ${provider.stateLengthMin} characters`,
      redirect,
    );
  }
  const challenge = challengeOf(provider, query, redirect);
  const scopes = scopesOf(
    provider,
    query.get('scope') ?? '',
    (message) => new RefusedRequest('invalid_scope', message, redirect),
  );
  const wallets = provider.picksWallet && query.get('account') !== 'all' ? 'one' : 'all';
  return { provider, client, namesRedirect: query.has('redirect_uri'), scopes, challenge, wallets, ...redirect };
}

/** @throws UnknownRedirect */
function redirectOf({ redirectIsOptional }: Provider, client: OAuthClient, query: URLSearchParams): string {
  const redirectUri = query.get('redirect_uri') ?? (redirectIsOptional ? (client.redirectUris[0] ?? null) : null);
  if (redirectUri === null) throw new UnknownRedirect('The application sent no redirect address.');
  if (!mayRedirectTo(client, redirectUri) || query.getAll('redirect_uri').length > 1) {
    throw new UnknownRedirect('The application sent a redirect address that it has not registered.');
  }
  return redirectUri;
}

/** RFC 7636 4.3: a challenge without a method is `plain`. */
function challengeOf(
  { needsChallenge }: Provider,
  query: URLSearchParams,
  redirect: RefusedRequest['redirect'],
): CodeChallenge | null {
  const value = query.get('code_challenge');
  const method = query.get('code_challenge_method') ?? 'plain';
  if (value === null && !needsChallenge) return null;
  if (value === null || !CHALLENGE.test(value)) {
    throw new RefusedRequest('invalid_request', 'a code_challenge (S256) is required', redirect);
  }
  if (method !== 'S256' && (needsChallenge || method !== 'plain')) {
    throw new RefusedRequest('invalid_request', 'transform algorithm not supported', redirect);
  }
  return { value, method: method === 'S256' ? 'S256' : 'plain' };
}

/** Returns all known scopes when `text` names none, as Kraken documents. @throws the error of `refusalOf` */
export function scopesOf(
  { scopes: known, scopeSeparator }: Provider,
  text: string,
  refusalOf: (message: string) => Error,
): string[] {
  const requested = text.split(scopeSeparator === ',' ? /[, ]+/ : / +/).filter(Boolean);
  if (requested.length === 0) return Object.keys(known);
  const unknown = requested.find((scope) => !Object.hasOwn(known, scope));
  if (unknown !== undefined) throw refusalOf(`the scope ${unknown} is unknown`);
  return [...new Set(requested)];
}

/** The URL that takes the browser back to the application. */
export function responseUrl(
  { redirectUri, state, issuer }: RefusedRequest['redirect'],
  response: Readonly<Record<string, string>>,
): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(response)) url.searchParams.append(name, value);
  if (state !== null) url.searchParams.append('state', state);
  if (issuer !== null) url.searchParams.append('iss', issuer);
  return url.href;
}
