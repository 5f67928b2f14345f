import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import type { Exchange } from '../exchange.js';
import type { FaultBook } from '../faults/fault-book.js';
import { faultActions, json, type Delivery, type FaultAction, type FaultedCall } from '../faults/faults.js';
import type { LoggedRequest, RequestLog } from '../request-log.js';
import { admit, type Answer, type Incoming } from './dispatch.js';
import { KrakenError } from './handler.js';

export interface KrakenServer {
  exchange: Exchange;
  faults: FaultBook;
  requests: RequestLog;
  now: () => Date;
}

type Params = { Params: { endpoint: string } };

/** Kraken's REST protocol: `/0/public/*` and `/0/private/*`. */
export function krakenRoutes(server: KrakenServer): FastifyPluginCallback {
  return (app, _options, done) => {
    app.removeAllContentTypeParsers();
    // The signature is over the very bytes of the body.
    app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, parsed) => parsed(null, body));
    app.route<Params>({
      method: ['GET', 'POST'],
      url: '/0/public/:endpoint',
      handler: async (request, reply) => serve(server, incomingOf(request, 'public'), reply),
    });
    app.post<Params>('/0/private/:endpoint', async (request, reply) =>
      serve(server, incomingOf(request, 'private'), reply),
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

/** The one place where a fault meets a call. */
async function serve(server: KrakenServer, incoming: Incoming, reply: FastifyReply): Promise<FastifyReply> {
  const { faults, requests } = server;
  const fault = faults.take(incoming.endpoint, incoming.apiKey);
  const logged = requests.add({
    endpoint: incoming.endpoint,
    apiKeyHint: incoming.apiKey?.slice(-4) ?? null,
    at: server.now().toISOString(),
    outcome: 'pending',
    fault: fault?.fault ?? null,
  });
  const call = faultedCall(server, incoming, { delayMs: fault?.delayMs ?? 0, error: fault?.error });
  const action: FaultAction = fault === null ? ({ act }) => json(act()) : faultActions[fault.fault];
  const delivery = await action(call);
  logged.outcome = outcomeOf(delivery);
  return deliver(delivery, reply);
}

function faultedCall(
  { exchange, faults, now }: KrakenServer,
  incoming: Incoming,
  { delayMs, error }: { delayMs: number; error: string | undefined },
): FaultedCall {
  const admitted = (clockMs = 0): (() => Answer) => {
    try {
      return admit(exchange, incoming, () => new Date(now().getTime() + clockMs));
    } catch (error) {
      if (!(error instanceof KrakenError)) throw error;
      const refusal = { error: [error.message] };
      return () => refusal;
    }
  };
  return {
    act: ({ clockMs = 0 } = {}) => admitted(clockMs)(),
    admit: () => admitted(),
    later: (work) => faults.later(delayMs, work),
    delay: () => faults.delay(delayMs),
    released: faults.released,
    delayMs,
    error,
    now,
  };
}

function outcomeOf(delivery: Delivery): LoggedRequest['outcome'] {
  if (delivery === null) return 'dropped';
  if (delivery.status !== 200) return `http ${delivery.status}`;
  const error = /^\{"error":\["([^"]*)"/.exec(delivery.body);
  return error?.[1] ?? 'ok';
}

function deliver(delivery: Delivery, reply: FastifyReply): FastifyReply {
  if (delivery === null) {
    reply.hijack();
    reply.raw.destroy();
    return reply;
  }
  const { status, contentType, body, times = 1 } = delivery;
  if (times === 1) return reply.code(status).type(contentType).send(body);
  const head = `HTTP/1.1 ${status} OK\r\ncontent-type: ${contentType}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`;
  reply.hijack();
  reply.raw.socket?.end((head + body).repeat(times));
  return reply;
}
