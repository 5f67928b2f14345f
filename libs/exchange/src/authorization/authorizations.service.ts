import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { AuthorizationResponseError } from 'openid-client';
import { Clock, DAY_MS } from '#platform/clock';
import { Config } from '#platform/config';
import { assertOutsideTransaction } from '#platform/database';
import { Secret } from '#platform/crypto';
import { LOGGER, type Logger } from '#platform/logging';
import { Metrics } from '#platform/metrics';
import { basicOf } from '../declaration/client-authentication.js';
import type { AuthorizationContext } from '../declaration/authorization-declaration.js';
import { sendAuthorization, type OnceOptions } from './authorization-wire.js';
import { OAuth } from './oauth-client.js';
import { exchangeErrorIn, oauthCodeOf, reasonOf, refreshRefusalIn, UNREADABLE } from './oauth-failure.js';
import { assertClients, neededScopes, connectMethodsOf, providerOf, scopeOf, type Provider } from './provider.js';
import { qrIdOf, readQrId } from './qr-id.js';
import { readRefreshResponse, readTokenResponse, tokensIn, type TokenResponse } from './token-response.js';
import type {
  AccessKind,
  AuthorizationFailure,
  Authorized,
  ConnectMethod,
  Grant,
  MadeKey,
  PendingAuthorization,
  PendingQrLogin,
  QrLoginState,
} from '../port/authorization.port.js';
import { AuthorizationError } from '../port/authorization.port.js';
import { CallBudgets, type CallBudget } from '../transport/call-budget.js';
import { CallMeter } from '../transport/call-meter.js';
import { callFactsOf } from '../registry/exchanges.js';
import type { ProjectMode } from '../port/exchange.port.js';
import { Transport, type HttpResponse, type HttpRequest } from '../transport/transport.js';

/** The exchange of an authorization, and the mode of the project. */
export interface AuthorizationTarget {
  exchange: string;
  mode: ProjectMode;
}

/** The data that are needed to finish an authorization after the browser has returned from the exchange. */
export interface AuthorizationReturn {
  /** The parameters of the callback, unchanged. */
  parameters: URLSearchParams;
  /** The redirect address that `begin` received. */
  redirectUri: string;
  pending: Pick<PendingAuthorization, 'state' | 'codeVerifier'>;
  access: readonly AccessKind[];
}

/** Maximum number of bytes of a response. Tokens, keys and identities are smaller. */
const RESPONSE_MAX_BYTES = 65_536;
/** OAuth error codes that mean a failure of the authorization server and not a refusal. */
const SERVER_FAULTS: readonly string[] = ['server_error', 'temporarily_unavailable'];

/** Obtains, renews and revokes access to people's accounts. Its calls must not run inside a database transaction. */
@Injectable()
export class Authorizations implements OnApplicationShutdown {
  private readonly transport: Transport;
  private readonly meter: CallMeter;
  private readonly budgets = new Map<string, CallBudget>();

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly callBudgets: CallBudgets,
    metrics: Metrics,
    @Inject(LOGGER) logger: Logger,
  ) {
    assertClients(config);
    this.meter = new CallMeter(metrics, logger);
    this.transport = new Transport({
      connectTimeoutMs: config.values.EXCHANGE_TIMEOUT_MS,
      responseMaxBytes: RESPONSE_MAX_BYTES,
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.transport.close();
  }

  /** The available connect methods, the preferred first; none for an unknown exchange. */
  connectMethods({ exchange, mode }: AuthorizationTarget): ConnectMethod[] {
    return connectMethodsOf(exchange, mode, this.config);
  }

  /** Our OAuth client id at the exchange; null = we have none. A grant to another client is useless to us. */
  clientId({ exchange, mode }: AuthorizationTarget): string | null {
    return providerOf(exchange, mode, this.config)?.client.id ?? null;
  }

  /** @throws AuthorizationError `unavailable` */
  async begin(
    target: AuthorizationTarget,
    { redirectUri, access }: { redirectUri: string; access: readonly AccessKind[] },
  ): Promise<PendingAuthorization> {
    const provider = this.providerOf(target, 'unavailable');
    const { declaration } = provider;
    return this.oauthOf(provider).begin(redirectUri, scopeOf(declaration, access), declaration.parameters);
  }

  /** @throws AuthorizationError */
  async finish(target: AuthorizationTarget, back: AuthorizationReturn): Promise<Authorized> {
    const provider = this.providerOf(target, 'exchange_failed');
    const oauth = this.oauthOf(provider);
    let response: unknown;
    try {
      response = await oauth.finish(back.parameters, back.redirectUri, back.pending);
    } catch (error) {
      const { tokenResponse } = oauth;
      if (tokenResponse !== null)
        await this.revokeUnused(provider, readRefreshResponse(tokenResponse, this.clock.now()));
      throw finishFailure(provider.id, error, oauth.hasSentRequest);
    }
    return this.authorized(provider, response, back.access);
  }

  /**
   * Renews the grant, which uses up the refresh token.
   * @param options.beforeSend called synchronously, immediately before the first byte of the request is written. When
   *   it throws, nothing is written.
   * @throws AuthorizationError `grant_ended` on a definite refusal, else `unavailable`; `sent` is true if the
   *   exchange may have used up the token.
   */
  async refresh(
    target: AuthorizationTarget,
    refreshToken: Secret,
    { beforeSend }: { beforeSend?: () => void } = {},
  ): Promise<Authorized> {
    const provider = this.providerOf(target, 'unavailable');
    if (provider.declaration.credentials !== 'bearer')
      throw noSuch(provider.id, 'unavailable', 'the exchange issues API keys, which are not renewed');
    const tokens = await this.renewed(provider, refreshToken, beforeSend);
    return {
      credentials: { apiKey: tokens.accessToken },
      // Without a new refresh token in the response, the old one stays valid and keeps its expiry (RFC 6749, 6).
      grant: grantOf(provider, tokens, this.clock.now()) ?? {
        refreshToken,
        accessExpiresAt: tokens.accessExpiresAt,
        refreshExpiresAt: null,
      },
      scopes: tokens.scopes ?? [],
    };
  }

  /** Revokes the grant at the exchange. @throws AuthorizationError `unavailable` */
  async revoke(target: AuthorizationTarget, refreshToken: Secret): Promise<void> {
    const provider = this.providerOf(target, 'unavailable');
    const { revokedBy } = provider.declaration;
    if (revokedBy === undefined || provider.endpoints.revoke === undefined) return;
    let token = refreshToken;
    if (revokedBy === 'access_token') {
      const renewed = await this.renewed(provider, refreshToken).catch((error: unknown) => {
        if (error instanceof AuthorizationError && error.failure === 'grant_ended') return null;
        throw error;
      });
      if (renewed === null) return;
      token = renewed.accessToken;
    }
    await this.oauthOf(provider)
      .revoke(token, revokedBy)
      .catch((error: unknown) => {
        throw failureOf(provider.id, 'unavailable', error);
      });
  }

  /**
   * Ends an authorization that will not be used: revokes its grant or deletes its key. @throws AuthorizationError
   * `unavailable`
   */
  async discard(target: AuthorizationTarget, { grant, madeKey }: Pick<Authorized, 'grant' | 'madeKey'>): Promise<void> {
    if (grant !== null) return this.revoke(target, grant.refreshToken);
    if (madeKey === undefined) return;
    const provider = this.providerOf(target, 'unavailable');
    const call = this.callOf(provider);
    await provider.declaration.deleteKey?.(madeKey, { call }).catch((error: unknown) => {
      throw failureOf(provider.id, 'unavailable', error);
    });
  }

  /** @throws AuthorizationError `qr_unavailable` */
  async beginQr(target: AuthorizationTarget, { access }: { access: readonly AccessKind[] }): Promise<PendingQrLogin> {
    const provider = this.providerOf(target, 'qr_unavailable');
    const { qr } = provider.declaration;
    if (qr === undefined) throw noSuch(provider.id, 'qr_unavailable', 'the exchange has no QR login');
    const scope = scopeOf(provider.declaration, access);
    const pending = await qr
      .begin({ call: this.callOf(provider), clientId: provider.client.id, scope })
      .catch((error: unknown) => {
        throw failureOf(provider.id, 'qr_unavailable', error);
      });
    return { ...pending, id: qrIdOf(pending.id, access) };
  }

  /** @throws AuthorizationError `unavailable` when the exchange does not return the state now. */
  async readQr(target: AuthorizationTarget, id: Secret): Promise<QrLoginState> {
    const provider = this.providerOf(target, 'unavailable');
    const { qr } = provider.declaration;
    if (qr === undefined) throw noSuch(provider.id, 'unavailable', 'the exchange has no QR login');
    const { exchangeId, access } = readQrId(id);
    const state = await qr.read({ call: this.callOf(provider) }, exchangeId).catch((error: unknown) => {
      throw failureOf(provider.id, 'unavailable', error);
    });
    if (state.status !== 'confirmed') return state;
    return { status: 'confirmed', authorized: await this.authorized(provider, state.tokens, access) };
  }

  private providerOf(target: AuthorizationTarget, otherwise: AuthorizationFailure): Provider {
    assertOutsideTransaction(`an authorization at ${target.exchange}`);
    const provider = providerOf(target.exchange, target.mode, this.config);
    if (provider === null)
      throw noSuch(
        target.exchange,
        otherwise,
        'OAuth is not configured: set OAUTH_<EXCHANGE>_CLIENT_ID and OAUTH_<EXCHANGE>_CLIENT_SECRET',
      );
    return provider;
  }

  private async renewed(
    provider: Provider,
    refreshToken: Secret,
    beforeSend: () => void = () => undefined,
  ): Promise<TokenResponse> {
    let sent = false;
    const beforeWrite = (): void => {
      beforeSend();
      sent = true;
    };
    const response = await this.oauthOf(provider)
      .refresh(refreshToken, beforeWrite)
      .catch((error: unknown) => {
        throw failureOf(provider.id, 'unavailable', error, sent);
      });
    const tokens = readRefreshResponse(response, this.clock.now());
    if (tokens !== null) return tokens;
    const { code, isEnd } = refreshRefusalIn(response);
    throw new AuthorizationError(isEnd ? 'grant_ended' : 'unavailable', provider.id, code ?? UNREADABLE);
  }

  /** Makes credentials from a token response, and revokes tokens that cannot be used. */
  private async authorized(provider: Provider, response: unknown, access: readonly AccessKind[]): Promise<Authorized> {
    let tokens: TokenResponse;
    try {
      tokens = readTokenResponse(response, this.clock.now());
    } catch (error) {
      await this.revokeUnused(provider, tokensIn(response, this.clock.now()));
      throw failureOf(provider.id, 'exchange_failed', error);
    }
    try {
      return await this.made(provider, tokens, access);
    } catch (error) {
      await this.revokeUnused(provider, tokens);
      throw error;
    }
  }

  private async made(provider: Provider, tokens: TokenResponse, access: readonly AccessKind[]): Promise<Authorized> {
    const { id, declaration } = provider;
    const now = this.clock.now();
    const needed = neededScopes(declaration, access);
    const scopes = tokens.scopes ?? needed;
    const missing = needed.filter((scope) => !scopes.includes(scope));
    if (missing.length > 0) throw noSuch(id, 'insufficient_scope', `not granted: ${missing.join(' ')}`);
    const issued = { accessToken: tokens.accessToken, scopes };
    if (declaration.credentials === 'bearer') {
      const grant = grantOf(provider, tokens, now);
      if (grant === null && tokens.accessExpiresAt !== null) {
        throw noSuch(id, 'insufficient_scope', 'the exchange granted no refresh token');
      }
      return { credentials: { apiKey: tokens.accessToken }, grant, scopes };
    }
    const context: AuthorizationContext = {
      call: this.callOf(provider),
      now,
      access,
      // A created key is restricted to these addresses. The sandbox exchange may see our calls from other addresses, so
      // its keys are not restricted.
      egressIps: provider.mode === 'live' ? this.config.values.EGRESS_IPS : [],
    };
    const { credentials, keyName } = await declaration.credentials(issued, context).catch((error: unknown) => {
      throw failureOf(id, 'exchange_failed', error);
    });
    const madeKey: MadeKey = { name: keyName, accessToken: tokens.accessToken };
    const identity = await declaration.identity?.(issued, context).catch(() => undefined);
    return { credentials, grant: null, scopes, madeKey, ...(identity === undefined ? {} : { identity }) };
  }

  /** Revokes unused tokens. If this fails, they remain valid until they expire. */
  private async revokeUnused(provider: Provider, tokens: TokenResponse | null): Promise<void> {
    if (tokens === null) return;
    const { accessToken, refreshToken } = tokens;
    const { revokedBy } = provider.declaration;
    if (revokedBy === undefined || provider.endpoints.revoke === undefined) return;
    // The kind of the token that we state is only a hint: the server also searches its other tokens (RFC 7009, 2.1).
    const token = revokedBy === 'refresh_token' && refreshToken !== null ? refreshToken : accessToken;
    // The caller throws the error that made the tokens useless. A failed revocation must not replace this error, and is
    // only counted in the metrics of calls.
    await this.oauthOf(provider)
      .revoke(token, revokedBy)
      .catch(() => undefined);
  }

  private oauthOf({ id, mode, endpoints, declaration, issuer, client }: Provider): OAuth {
    const { clientAuthentication } = declaration;
    return new OAuth({ endpoints, clientAuthentication, issuer }, client, (operation, request, once) =>
      this.send({ id, mode }, operation, request, once),
    );
  }

  private callOf({ id, mode, base, client, declaration }: Provider): AuthorizationContext['call'] {
    return ({ operation, method, path, authorization, json }) => {
      const headers = {
        accept: 'application/json',
        authorization:
          authorization === 'client'
            ? basicOf(declaration.clientAuthentication, client)
            : `Bearer ${authorization.bearer.reveal()}`,
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      };
      const body = json === undefined ? undefined : JSON.stringify(json);
      return this.send({ id, mode }, operation, { method, url: `${base.api}${path}`, headers, body });
    };
  }

  private send(
    { id, mode }: Pick<Provider, 'id' | 'mode'>,
    operation: string,
    request: HttpRequest,
    once?: OnceOptions,
  ): Promise<HttpResponse> {
    const { transport, meter, config } = this;
    const { limits, addressRate } = callFactsOf(id);
    // An authorization server can have another address than the API.
    const baseUrl = new URL(request.url).origin;
    const key = `${id} ${mode} ${baseUrl}`;
    const budget = this.budgets.get(key) ?? this.callBudgets.at({ exchange: id, baseUrl, addressRate });
    this.budgets.set(key, budget);
    const timeoutMs = config.values.EXCHANGE_TIMEOUT_MS;
    const parts = { transport, meter, budget, limits, timeoutMs };
    return sendAuthorization({ exchange: id, operation }, request, parts, once);
  }
}

function grantOf({ declaration }: Provider, tokens: TokenResponse, now: Date): Grant | null {
  const { refreshToken, accessExpiresAt } = tokens;
  if (refreshToken === null) return null;
  const { refreshDays } = declaration;
  const refreshExpiresAt = refreshDays === null ? null : new Date(now.getTime() + refreshDays * DAY_MS);
  return { refreshToken, accessExpiresAt, refreshExpiresAt };
}

function finishFailure(exchange: string, error: unknown, hasSentRequest: boolean): AuthorizationError {
  if (error instanceof AuthorizationResponseError) {
    const code = oauthCodeOf(error);
    if (code === 'invalid_scope') return failureOf(exchange, 'insufficient_scope', error);
    const isFault = code !== null && SERVER_FAULTS.includes(code);
    return failureOf(exchange, isFault ? 'exchange_failed' : 'denied', error);
  }
  if (hasSentRequest) return failureOf(exchange, 'exchange_failed', error);
  return noSuch(exchange, 'invalid_state', 'the returned state does not match the request');
}

/** Makes an error whose reason and cause contain nothing of the response. */
function failureOf(
  exchange: string,
  failure: AuthorizationFailure,
  error: unknown,
  sent: boolean = true,
): AuthorizationError {
  // A function of the exchange's declaration threw this error. Its own failure code is more specific than `failure`.
  if (error instanceof AuthorizationError) return error;
  return new AuthorizationError(failure, exchange, reasonOf(error), {
    cause: exchangeErrorIn(error) ?? undefined,
    sent,
  });
}

function noSuch(exchange: string, failure: AuthorizationFailure, reason: string): AuthorizationError {
  return new AuthorizationError(failure, exchange, reason, { sent: false });
}
