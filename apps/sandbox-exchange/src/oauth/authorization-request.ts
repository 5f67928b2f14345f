import type { CodeChallenge, OAuthClient } from '../ledger/oauth-records.js';
import { mayRedirectTo, type OAuthClients } from './clients.js';
import type { Provider } from './provider.js';

/** What an application asks a person for. */
export interface AuthorizationRequest {
  provider: Provider;
  client: OAuthClient;
  /** Where the answer goes. */
  redirectUri: string;
  /** Whether the request named it; then the token request has to, too. */
  namesRedirect: boolean;
  state: string | null;
  scopes: string[];
  challenge: CodeChallenge | null;
  /** Whether all wallets of an account are asked for, or one. */
  wallets: 'all' | 'one';
  /** Of the provider, when it tells it. */
  issuer: string | null;
}

/** Nobody to redirect to: the person is told. RFC 6749 4.1.2.1. */
export class UnknownRedirect extends Error {}

/** A request that is told to the application: the browser goes back with the error. */
export class RefusedRequest extends Error {
  constructor(
    readonly error: 'invalid_request' | 'unsupported_response_type' | 'invalid_scope',
    description: string,
    readonly answer: Pick<AuthorizationRequest, 'redirectUri' | 'state' | 'issuer'>,
  ) {
    super(description);
  }
}

const CHALLENGE = /^[A-Za-z0-9._~-]{43,128}$/;
const ONCE = [
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
 * @param baseUrl under which the sandbox exchange was called
 * @throws UnknownRedirect
 * @throws RefusedRequest
 */
export function readAuthorizationRequest(
  clients: OAuthClients,
  provider: Provider,
  { query, baseUrl }: { query: URLSearchParams; baseUrl: string },
): AuthorizationRequest {
  const client = clients.find(query.get('client_id') ?? '');
  if (client === null) throw new UnknownRedirect('The application is not known here.');
  const redirectUri = redirectOf(provider, client, query);
  const state = query.get('state');
  const issuer = provider.issuerPath === null ? null : baseUrl + provider.issuerPath;
  const answer = { redirectUri, state, issuer };
  if (ONCE.some((name) => query.getAll(name).length > 1)) {
    throw new RefusedRequest('invalid_request', 'a parameter comes twice', answer);
  }
  if (query.get('response_type') !== 'code') {
    throw new RefusedRequest('unsupported_response_type', 'response_type is code', answer);
  }
  if (state !== null && state.length < provider.stateLengthMin) {
    throw new RefusedRequest('invalid_request', `state has at least ${provider.stateLengthMin} characters`, answer);
  }
  const challenge = challengeOf(provider, query, answer);
  const scopes = scopesOf(provider, query.get('scope') ?? '');
  if (scopes === null) throw new RefusedRequest('invalid_scope', 'a scope is not known', answer);
  const wallets = provider.picksWallet && query.get('account') !== 'all' ? 'one' : 'all';
  return { provider, client, namesRedirect: query.has('redirect_uri'), scopes, challenge, wallets, ...answer };
}

/** @throws UnknownRedirect */
function redirectOf({ redirectIsOptional }: Provider, client: OAuthClient, query: URLSearchParams): string {
  const redirectUri = query.get('redirect_uri') ?? (redirectIsOptional ? (client.redirectUris[0] ?? null) : null);
  if (redirectUri === null) throw new UnknownRedirect('The application did not say where to go back to.');
  if (!mayRedirectTo(client, redirectUri) || query.getAll('redirect_uri').length > 1) {
    throw new UnknownRedirect('The application wants to go back to an address that it did not register.');
  }
  return redirectUri;
}

/** RFC 7636 4.3: without a method it is `plain`. */
function challengeOf(
  { needsChallenge }: Provider,
  query: URLSearchParams,
  answer: RefusedRequest['answer'],
): CodeChallenge | null {
  const value = query.get('code_challenge');
  const method = query.get('code_challenge_method') ?? 'plain';
  if (value === null && !needsChallenge) return null;
  if (value === null || !CHALLENGE.test(value)) {
    throw new RefusedRequest('invalid_request', 'a code_challenge (S256) is needed', answer);
  }
  if (method !== 'S256' && (needsChallenge || method !== 'plain')) {
    throw new RefusedRequest('invalid_request', 'transform algorithm not supported', answer);
  }
  return { value, method: method === 'S256' ? 'S256' : 'plain' };
}

/** None asked for = all of them, as Kraken documents it; null = one is not known. */
export function scopesOf({ scopes: known, scopeSeparator }: Provider, text: string): string[] | null {
  const asked = text.split(scopeSeparator === ',' ? /[, ]+/ : / +/).filter(Boolean);
  if (asked.length === 0) return Object.keys(known);
  return asked.every((scope) => Object.hasOwn(known, scope)) ? [...new Set(asked)] : null;
}

/** Where the browser goes with the answer. */
export function answerUrl(
  { redirectUri, state, issuer }: RefusedRequest['answer'],
  answer: Readonly<Record<string, string>>,
): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(answer)) url.searchParams.append(name, value);
  if (state !== null) url.searchParams.append('state', state);
  if (issuer !== null) url.searchParams.append('iss', issuer);
  return url.href;
}
