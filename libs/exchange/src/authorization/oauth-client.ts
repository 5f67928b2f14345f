import * as openid from 'openid-client';
import { Secret } from '#platform/crypto';
import type { OAuthClient } from '#platform/config';
import type { PendingAuthorization } from '../port/authorization.port.js';
import type { HttpResponse, HttpRequest } from '../transport/transport.js';
import type { AuthorizationEndpoints } from '../declaration/authorization-declaration.js';
import { clientAuthOf, type ClientAuthentication } from '../declaration/client-authentication.js';
import type { OnceOptions } from './authorization-wire.js';

export interface OAuthServer {
  readonly endpoints: AuthorizationEndpoints;
  readonly clientAuthentication: ClientAuthentication;
  /** The issuer that the server returns as `iss`; null = it returns none. */
  readonly issuer: string | null;
}

type Send = (operation: string, request: HttpRequest, once?: OnceOptions) => Promise<HttpResponse>;

const FORM = 'application/x-www-form-urlencoded';

/** Options of a single request. */
interface RequestOptions {
  /** The exact redirect address that the authorization url contained. The library would normalise the address. */
  redirectUri?: string;
  /** The token that the `Authorization` header contains instead of the client's id and secret. */
  bearer?: Secret;
}

/** OAuth 2 with one authorization server, by means of openid-client. */
export class OAuth {
  /**
   * Whether a request was sent. A failure before the first request is due to the parameters that the browser returned.
   */
  hasSentRequest = false;
  /** The response of the token endpoint, also when the library rejected it. */
  tokenResponse: HttpResponse | null = null;

  constructor(
    private readonly server: OAuthServer,
    private readonly client: OAuthClient,
    private readonly send: Send,
  ) {}

  /** @param parameters additional parameters that this server's authorization address needs */
  async begin(
    redirectUri: string,
    scope: string,
    parameters: Readonly<Record<string, string>> = {},
  ): Promise<PendingAuthorization> {
    const state = openid.randomState();
    const codeVerifier = openid.randomPKCECodeVerifier();
    const url = openid.buildAuthorizationUrl(this.configure('authorize'), {
      ...parameters,
      redirect_uri: redirectUri,
      scope,
      state,
      code_challenge: await openid.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
    });
    return { url: url.href, state: new Secret(state), codeVerifier: new Secret(codeVerifier) };
  }

  /**
   * Sends the authorization code to the token endpoint, and returns the response. `parameters` are those with which the
   * exchange has redirected the browser back to us. @throws the library's error
   */
  finish(
    parameters: URLSearchParams,
    redirectUri: string,
    pending: Pick<PendingAuthorization, 'state' | 'codeVerifier'>,
  ): Promise<unknown> {
    const returned = new URL(redirectUri);
    const own = new URLSearchParams(parameters);
    // When we know no issuer, we cannot compare `iss`, and remove it. Each server has its own redirect address, so the
    // responses of two servers cannot be mixed up.
    if (this.server.issuer === null) own.delete('iss');
    returned.search = own.toString();
    return openid.authorizationCodeGrant(this.configure('token', { redirectUri }), returned, {
      expectedState: pending.state.reveal(),
      pkceCodeVerifier: pending.codeVerifier.reveal(),
    });
  }

  /** Sends the request without the library, which would discard the tokens in a response that violates the standard. */
  refresh(refreshToken: Secret, beforeWrite: () => void): Promise<HttpResponse> {
    const { endpoints, clientAuthentication } = this.server;
    const form = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken.reveal() });
    const headers = new Headers({ accept: 'application/json', 'content-type': FORM });
    clientAuthOf(clientAuthentication, this.client)(this.metadata(), { client_id: this.client.id }, form, headers);
    const request = {
      method: 'POST',
      url: endpoints.token,
      headers: Object.fromEntries(headers),
      body: form.toString(),
    };
    return this.send('oauth refresh', request, { beforeWrite });
  }

  revoke(token: Secret, hint: 'access_token' | 'refresh_token'): Promise<void> {
    const bearer = hint === 'access_token' ? token : undefined;
    return openid.tokenRevocation(this.configure('revoke', { bearer }), token.reveal(), { token_type_hint: hint });
  }

  private configure(operation: string, options: RequestOptions = {}): openid.Configuration {
    const { endpoints, clientAuthentication } = this.server;
    const configuration = new openid.Configuration(
      this.metadata(),
      this.client.id,
      undefined,
      clientAuthOf(clientAuthentication, this.client),
    );
    if (new URL(endpoints.token).protocol === 'http:') {
      // Only the sandbox exchange or an address that the operator configured uses http.
      openid.allowInsecureRequests(configuration);
    }
    configuration[openid.customFetch] = (url, request) => this.fetch(`oauth ${operation}`, url, request, options);
    return configuration;
  }

  private metadata(): openid.ServerMetadata {
    const { endpoints, issuer } = this.server;
    return {
      issuer: issuer ?? new URL(endpoints.token).origin,
      authorization_endpoint: endpoints.authorize,
      token_endpoint: endpoints.token,
      revocation_endpoint: endpoints.revoke,
      authorization_response_iss_parameter_supported: issuer !== null,
    };
  }

  private async fetch(
    operation: string,
    url: string,
    { method, headers, body }: openid.CustomFetchOptions,
    { redirectUri, bearer }: RequestOptions,
  ): Promise<Response> {
    if (!(body instanceof URLSearchParams)) throw new Error('the body of the request must be a form');
    if (redirectUri !== undefined) body.set('redirect_uri', redirectUri);
    this.hasSentRequest = true;
    const response = await this.send(operation, {
      method,
      url,
      headers: {
        ...headers,
        'content-type': FORM,
        ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer.reveal()}` }),
      },
      body: body.toString(),
    });
    if (url === this.server.endpoints.token) this.tokenResponse = response;
    // The library needs none of the response's own headers: it finds out by parsing whether the body is JSON.
    return new Response(response.body === '' ? null : response.body, {
      status: response.status,
      headers: { 'content-type': 'application/json' },
    });
  }
}
