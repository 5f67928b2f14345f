import { createHash } from 'node:crypto';
import type { OAuthProvider } from '../src/ledger/oauth-records.js';
import { providers } from '../src/oauth/provider.js';
import type { TestSandbox } from './sandbox.js';

export const CALLBACK = 'http://127.0.0.1:3000/v0/oauth2/any/callback';
export const VERIFIER = 'a'.repeat(43);
const SECRET = 'causeway-sandbox-secret';
const TOKEN_PATHS = { kraken: '/oauth/token', coinbase: '/oauth2/token', partner: '/partner/oauth/token' };

export interface TokenResponse {
  status: number;
  headers: Headers;
  body: {
    access_token: string;
    refresh_token?: string;
    token_type?: string;
    expires_in?: number;
    scope?: string;
    error?: string;
  };
}

export interface Decided {
  redirectTo: string;
  accountId: string;
  grantId: string;
  code: string;
}

/** The built-in client at one of the three authorization servers. */
export class OAuthApp {
  constructor(
    private readonly sandbox: TestSandbox,
    readonly provider: OAuthProvider,
  ) {}

  /** The authorization URL; a change to undefined omits the parameter. */
  url(change: Record<string, string | undefined> = {}): string {
    const challenge = createHash('sha256').update(VERIFIER).digest('base64url');
    const parameters = {
      client_id: 'causeway',
      response_type: 'code',
      redirect_uri: CALLBACK,
      state: 'state-of-the-test',
      code_challenge: challenge,
      code_challenge_method: 'S256',
      ...(this.provider === 'coinbase' ? { account: 'all' } : {}),
      ...change,
    };
    const given = Object.entries(parameters).filter((one): one is [string, string] => one[1] !== undefined);
    return `${this.sandbox.url}${providers[this.provider].authorizePath}?${new URLSearchParams(given).toString()}`;
  }

  /** Decides an authorization request without a browser. */
  async decide(more: Record<string, unknown> = {}, change: Record<string, string | undefined> = {}): Promise<Decided> {
    const { status, body } = await this.sandbox.control('POST', 'oauth/authorize', { url: this.url(change), ...more });
    if (status !== 200) throw new Error(JSON.stringify(body));
    const decided = body as Decided;
    return { ...decided, code: new URL(decided.redirectTo).searchParams.get('code') ?? '' };
  }

  async post(
    path: string,
    form: Record<string, string>,
    headers: Record<string, string> = this.clientHeaders(),
  ): Promise<TokenResponse> {
    const response = await fetch(this.sandbox.url + path, {
      method: 'POST',
      headers,
      body: new URLSearchParams({ ...this.clientFields(), ...form }),
    });
    return {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as TokenResponse['body'],
    };
  }

  token(form: Record<string, string>, headers?: Record<string, string>): Promise<TokenResponse> {
    return this.post(TOKEN_PATHS[this.provider], form, headers);
  }

  exchange(code: string, change: Record<string, string> = {}): Promise<TokenResponse> {
    const form = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: VERIFIER, ...change };
    return this.token(form);
  }

  refresh(refreshToken: string | undefined): Promise<TokenResponse> {
    return this.token({ grant_type: 'refresh_token', refresh_token: refreshToken ?? '' });
  }

  /** Grants all scopes, and fetches the tokens. */
  async connect(more: Record<string, unknown> = {}): Promise<Decided & { tokens: TokenResponse['body'] }> {
    const decided = await this.decide(more);
    return { ...decided, tokens: (await this.exchange(decided.code)).body };
  }

  /** Status of a call with an access token: 200 while the token is valid. */
  async statusOf(accessToken: string): Promise<number> {
    const headers = { authorization: `Bearer ${accessToken}` };
    if (this.provider === 'kraken') {
      return (await fetch(`${this.sandbox.url}/oauth/fast-api-key`, { method: 'POST', headers, body: '{}' })).status;
    }
    const path = this.provider === 'coinbase' ? '/v2/user' : '/partner/v1/account';
    return (await fetch(this.sandbox.url + path, { headers })).status;
  }

  /** Client authentication as the provider documents it. */
  clientHeaders(secret = SECRET, clientId = 'causeway'): Record<string, string> {
    if (this.provider === 'coinbase') return {};
    return { authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}` };
  }

  private clientFields(): Record<string, string> {
    return this.provider === 'coinbase' ? { client_id: 'causeway', client_secret: SECRET } : {};
  }
}
