import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SandboxServer } from '../server.js';
import { findLoginAccount, loginAccounts, PASSWORD } from './accounts.js';
import {
  responseUrl,
  readAuthorizationRequest,
  RefusedRequest,
  UnknownRedirect,
  type AuthorizationRequest,
} from './authorization-request.js';
import { grantByCode } from './grants.js';
import { pageHeaders } from './layout.js';
import type { OAuthClients } from './clients.js';
import { consentPage, redirectPage, loginPage, notePage, type AccessRequest } from './pages.js';
import { providers, type Provider } from './provider.js';

export const baseUrlOf = ({ protocol, host }: FastifyRequest): string => `${protocol}://${host}`;

export const formOf = ({ body }: FastifyRequest): URLSearchParams =>
  new URLSearchParams(typeof body === 'string' ? body : '');

export const queryOf = ({ url }: FastifyRequest): URLSearchParams => new URLSearchParams(url.split('?')[1] ?? '');

/** Sends an HTML page. */
export function show(reply: FastifyReply, page: string, status = 200): FastifyReply {
  return reply.code(status).type('text/html; charset=utf-8').headers(pageHeaders).send(page);
}

/**
 * Login and consent. The server keeps no state between the pages: each form posts to the URL of the authorization
 * request.
 */
export function authorizeRoutes(app: FastifyInstance, server: SandboxServer, clients: OAuthClients): void {
  for (const provider of Object.values(providers)) {
    const handling =
      (respond: (accessRequest: AuthorizationRequest, request: FastifyRequest, reply: FastifyReply) => FastifyReply) =>
      (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
        try {
          const presented = { query: queryOf(request), baseUrl: baseUrlOf(request) };
          return respond(readAuthorizationRequest(clients, provider, presented), request, reply);
        } catch (error) {
          return refuse(provider, error, reply);
        }
      };
    app.get(
      provider.authorizePath,
      handling((accessRequest, _request, reply) => show(reply, login(server, accessRequest, null))),
    );
    app.post(
      provider.authorizePath,
      handling((accessRequest, request, reply) => step(server, accessRequest, { form: formOf(request), reply })),
    );
  }
}

function refuse(provider: Provider, error: unknown, reply: FastifyReply): FastifyReply {
  if (error instanceof UnknownRedirect) return show(reply, notePage(provider.name, error.message), 400);
  if (!(error instanceof RefusedRequest)) throw error;
  return reply.redirect(responseUrl(error.redirect, { error: error.error, error_description: error.message }), 302);
}

function login(
  { exchange }: SandboxServer,
  accessRequest: AuthorizationRequest,
  problem: string | null,
  form?: URLSearchParams,
): string {
  return loginPage({ ...accessRequest, ...loginAccounts(exchange, accessRequest.provider, form), problem });
}

function step(
  server: SandboxServer,
  accessRequest: AuthorizationRequest,
  { form, reply }: { form: URLSearchParams; reply: FastifyReply },
): FastifyReply {
  const { exchange, now } = server;
  const { provider, client } = accessRequest;
  const goBack = (response: Record<string, string>): FastifyReply =>
    show(reply, redirectPage({ provider, client, url: responseUrl(accessRequest, response) }));
  if (form.get('step') === 'deny') return goBack({ error: 'access_denied' });
  if (form.get('step') === 'search') return show(reply, login(server, accessRequest, null, form));
  if (form.get('password') !== PASSWORD)
    return show(reply, login(server, accessRequest, 'The password is wrong.'), 403);
  const account = findLoginAccount(exchange, provider, form.get('account') ?? '', now());
  if (account === null) return show(reply, login(server, accessRequest, 'Choose an account.'), 422);
  if (form.get('step') !== 'allow') return show(reply, consentPage({ ...accessRequest, account }));
  const scopes = allowedOf(accessRequest, form.getAll('scope'));
  if (scopes.length === 0) return goBack({ error: 'access_denied' });
  const { code } = grantByCode(exchange, accessRequest, { accountId: account.id, scopes }, now());
  return goBack({ code: code.code });
}

/** Returns the requested scopes that the person left ticked, or all of them when the provider offers no choice. */
export function allowedOf(
  { provider, scopes }: Pick<AccessRequest, 'provider' | 'scopes'>,
  ticked: readonly string[],
): string[] {
  return provider.allowsParts ? scopes.filter((scope) => ticked.includes(scope)) : scopes;
}
