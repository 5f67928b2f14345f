import type { FastifyPluginCallback, FastifyRequest } from 'fastify';
import type { Reply } from '../faults/protocol.js';
import { serve, type ServedCall } from '../faults/serve.js';
import type { SandboxServer } from '../server.js';
import { admit, type Incoming } from './dispatch.js';
import { reply, krakenProtocol } from './fault-protocol.js';
import { KrakenError } from './handler.js';

type Params = { Params: { endpoint: string } };

/** Kraken's REST protocol: `/0/public/*` and `/0/private/*`. */
export function krakenRoutes(server: SandboxServer): FastifyPluginCallback {
  return (app, _options, done) => {
    app.removeAllContentTypeParsers();
    // The signature covers the exact bytes of the body.
    app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, parsed) => parsed(null, body));
    app.route<Params>({
      method: ['GET', 'POST'],
      url: '/0/public/:endpoint',
      handler: async (request, reply) => serve(server, callOf(server, incomingOf(request, 'public')), reply),
    });
    app.post<Params>('/0/private/:endpoint', async (request, reply) =>
      serve(server, callOf(server, incomingOf(request, 'private')), reply),
    );
    done();
  };
}

function incomingOf(request: FastifyRequest<Params>, area: Incoming['area']): Incoming {
  const rawBody = typeof request.body === 'string' ? request.body : '';
  const [path = '', query = ''] = request.url.split('?');
  const header = (name: string) => {
    const value = request.headers[name];
    return Array.isArray(value) ? value[0] : value;
  };
  return {
    area,
    endpoint: request.params.endpoint,
    path,
    rawBody,
    params: Object.fromEntries(new URLSearchParams(request.method === 'GET' ? query : rawBody)),
    apiKey: header('api-key'),
    signature: header('api-sign'),
    ip: request.ip.replace(/^::ffff:/, ''),
  };
}

function callOf({ exchange }: SandboxServer, incoming: Incoming): ServedCall {
  return {
    protocol: krakenProtocol,
    endpoint: incoming.endpoint,
    credential: incoming.apiKey,
    admit: (now) => {
      try {
        const act = admit(exchange, incoming, now);
        return () => reply(act());
      } catch (error) {
        if (!(error instanceof KrakenError)) throw error;
        const refusal: Reply = reply({ error: [error.message] });
        return () => refusal;
      }
    },
  };
}
