import type { FastifyPluginCallback, FastifyRequest } from 'fastify';
import type { Protocol, Reply } from '../faults/protocol.js';
import { serve, type ServedCall } from '../faults/serve.js';
import { partnerProtocol } from '../partner/fault-protocol.js';
import { PartnerError } from '../partner/partner-error.js';
import type { SandboxServer } from '../server.js';
import { authorizeRoutes, baseUrlOf, formOf } from './authorize-routes.js';
import { bearerOf } from './bearer.js';
import type { OAuthClients } from './clients.js';
import { createFastApiKey, deleteFastApiKey } from './fast-api-key.js';
import { oauthProtocol } from './fault-protocol.js';
import { providers } from './provider.js';
import { qrPageRoutes } from './qr-routes.js';
import { beginQrLogin, readQrLogin } from './qr-logins.js';
import { krakenUserInfo } from './user-info.js';
import { refusingOAuth, revoke, revokeAtCoinbase, token, type OAuthCall } from './token-endpoint.js';

/** The contents of a request, copied at once: a fault may carry the call out after its connection has closed. */
interface Incoming {
  authorization: string | undefined;
  form: URLSearchParams;
  rawBody: string;
  baseUrl: string;
  /** The id in the path. */
  id: string;
}

interface Context extends Incoming {
  server: SandboxServer;
  clients: OAuthClients;
  now: Date;
}

interface Route {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  protocol: Protocol;
  respond: (context: Context) => Reply;
}

function oauthRoute(path: string, provider: keyof typeof providers, respond: (call: OAuthCall) => Reply): Route {
  return {
    method: 'POST',
    path,
    protocol: oauthProtocol,
    respond: ({ server: { exchange }, clients, authorization, form, now }) =>
      refusingOAuth(() => respond({ exchange, clients, provider: providers[provider], authorization, form, now })),
  };
}

function qrRoute(method: Route['method'], path: string, respond: (context: Context) => Reply): Route {
  return {
    method,
    path,
    protocol: partnerProtocol,
    respond: (context) => {
      try {
        return respond(context);
      } catch (error) {
        if (error instanceof PartnerError) return error.toReply();
        throw error;
      }
    },
  };
}

const qrCallOf = ({ server: { exchange }, clients, authorization, now }: Context) => ({
  exchange,
  clients,
  authorization,
  now,
});

/** The routes by endpoint name, which `/control/faults` and `/control/requests` use. */
const routes: Readonly<Record<string, Route>> = {
  'oauth.kraken.token': oauthRoute('/oauth/token', 'kraken', token),
  'oauth.coinbase.token': oauthRoute('/oauth2/token', 'coinbase', token),
  'oauth.coinbase.revoke': oauthRoute('/oauth2/revoke', 'coinbase', revokeAtCoinbase),
  'oauth.partner.token': oauthRoute('/partner/oauth/token', 'partner', token),
  'oauth.partner.revoke': oauthRoute('/partner/oauth/revoke', 'partner', revoke),
  'oauth.kraken.fast-api-key': {
    method: 'POST',
    path: '/oauth/fast-api-key',
    protocol: oauthProtocol,
    respond: ({ server: { exchange }, authorization, rawBody, now }) =>
      createFastApiKey(exchange, { token: bearerOf(authorization), rawBody }, now),
  },
  'oauth.kraken.fast-api-key.delete': {
    method: 'DELETE',
    path: '/oauth/fast-api-key',
    protocol: oauthProtocol,
    respond: ({ server: { exchange }, authorization, rawBody, now }) =>
      deleteFastApiKey(exchange, { token: bearerOf(authorization), rawBody }, now),
  },
  'oauth.kraken.userinfo': {
    method: 'GET',
    path: '/oauth/userinfo',
    protocol: oauthProtocol,
    respond: ({ server: { exchange }, authorization, now }) =>
      krakenUserInfo(exchange, { token: bearerOf(authorization) }, now),
  },
  'partner.qr.begin': qrRoute('POST', '/partner/v1/qr-logins', (context) => beginQrLogin(qrCallOf(context), context)),
  'partner.qr.read': qrRoute('GET', '/partner/v1/qr-logins/:id', (context) =>
    readQrLogin(qrCallOf(context), context.id),
  ),
};

/** For each endpoint name, the protocol, which decides what faults can be armed for the endpoint. */
export const oauthEndpoints: ReadonlyMap<string, Protocol> = new Map(
  Object.entries(routes).map(([name, { protocol }]) => [name, protocol]),
);

/** Routes of the three authorization servers, of Kraken's fast API keys, and of logins by QR code. */
export function oauthRoutes(server: SandboxServer, clients: OAuthClients): FastifyPluginCallback {
  return (app, _options, done) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, parsed) => parsed(null, body));
    for (const [name, { method, path, protocol, respond }] of Object.entries(routes)) {
      app.route<{ Params: { id?: string } }>({
        method,
        url: path,
        handler: (request, reply) => {
          const incoming = incomingOf(request);
          const call: ServedCall = {
            protocol,
            endpoint: name,
            credential: credentialOf(incoming),
            admit: (now) => () => respond({ ...incoming, server, clients, now: now() }),
          };
          return serve(server, call, reply);
        },
      });
    }
    authorizeRoutes(app, server, clients);
    qrPageRoutes(app, server, clients);
    done();
  };
}

function incomingOf(request: FastifyRequest<{ Params: { id?: string } }>): Incoming {
  return {
    authorization: request.headers.authorization,
    form: formOf(request),
    rawBody: typeof request.body === 'string' ? request.body : '',
    baseUrl: baseUrlOf(request),
    id: request.params.id ?? '',
  };
}

/** The credential to which a fault can be limited: the client id, or else the access token. */
function credentialOf({ authorization, form }: Incoming): string | undefined {
  const encoded = /^Basic (.+)$/i.exec(authorization ?? '')?.[1];
  const basicId = encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString().split(':')[0];
  return basicId ?? form.get('client_id') ?? bearerOf(authorization);
}
