import type { FastifyPluginCallback, FastifyRequest } from 'fastify';
import { Overdrawn } from '../exchange.js';
import type { Reply } from '../faults/protocol.js';
import { serve } from '../faults/serve.js';
import { KrakenError } from '../kraken/handler.js';
import { settle } from '../ledger/settlement.js';
import type { SandboxServer } from '../server.js';
import { queryOf, type RestRequest } from './authenticate.js';
import { restFaults } from './faults.js';
import { refusalReply, type RestEndpoint, type RestProtocol } from './protocol.js';
import { Refusal, refusalOf } from './refusal.js';

export function restRoutes(server: SandboxServer, rest: RestProtocol): FastifyPluginCallback {
  return (app, _options, done) => {
    app.removeAllContentTypeParsers();
    // The signature covers the exact bytes of the body.
    app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, parsed) => parsed(null, body));
    const faults = restFaults(rest);
    for (const [name, endpoint] of Object.entries(rest.endpoints)) {
      const fullName = `${rest.id}.${name}`;
      const protocol = faults.get(fullName);
      if (protocol === undefined) throw new Error(`no faults are declared for the endpoint ${fullName}`);
      app.route({
        method: endpoint.method,
        url: endpoint.path,
        handler: (request, reply) => {
          const incoming = incomingOf(request);
          // At Bitstamp, the word "BITSTAMP" and a space come before the key.
          const credential = incoming.header(rest.keyHeader).split(' ').at(-1);
          const admit = (now: () => Date) => admitted(server, { rest, name, endpoint, incoming }, now);
          return serve(server, { protocol, endpoint: fullName, credential, admit }, reply);
        },
      });
    }
    done();
  };
}

interface Incoming extends RestRequest {
  pathParams: Record<string, string>;
}

function incomingOf({ method, url, headers, body, ip, params }: FastifyRequest): Incoming {
  const header = (name: string): string => [headers[name]].flat()[0] ?? '';
  const rawBody = typeof body === 'string' ? body : '';
  const pathParams = params as Record<string, string>;
  return { method, target: url, rawBody, ip: ip.replace(/^::ffff:/, ''), header, pathParams };
}

interface RestCall {
  rest: RestProtocol;
  name: string;
  endpoint: RestEndpoint;
  incoming: Incoming;
}

/** Verifies a call and returns a function that carries it out, because a fault may carry it out later. */
function admitted({ exchange }: SandboxServer, call: RestCall, now: () => Date): () => Reply {
  const { rest, name, endpoint, incoming } = call;
  const { needs, handler } = endpoint;
  let params: Record<string, string> = {};
  const answered = <T>(work: () => T, otherwise: (reply: Reply) => T): T => {
    try {
      return work();
    } catch (error) {
      return otherwise(refusalReply(rest, refusalBehind(error), { endpoint: name, params }));
    }
  };
  return answered<() => Reply>(
    () => {
      const key = rest.authenticate(exchange, incoming, now());
      if (!key.permissions.includes(needs)) throw new Refusal('permission_missing');
      params = paramsOf(rest, incoming);
      const receivedAt = now();
      const act = (): Reply => {
        const { account } = exchange.bookOf(key.accountId);
        settle(exchange, account, now());
        return {
          status: endpoint.status ?? 200,
          body: rest.success(handler({ params, exchange, account, key, receivedAt, now: now() })),
        };
      };
      return () => answered(act, (reply) => reply);
    },
    (reply) => () => reply,
  );
}

/** Returns the refusal for an error. An error without a refusal is a defect of the sandbox and propagates. */
function refusalBehind(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof Overdrawn) return new Refusal('insufficient_funds');
  if (error instanceof KrakenError) return refusalOf(error.message);
  throw error;
}

/** The parameters as text: those of the path, the query, the body and the headers. */
function paramsOf(rest: RestProtocol, incoming: Incoming): Record<string, string> {
  const { bodies, headerParams = {}, otherParams } = rest;
  const { method, rawBody, header, pathParams } = incoming;
  const query = { ...Object.fromEntries(new URLSearchParams(queryOf(incoming))), ...pathParams };
  if (otherParams !== undefined) return { ...query, ...otherParams(incoming) };
  if (method === 'GET') return query;
  const body = bodies === 'json' ? textsOf(parsed(rawBody)) : Object.fromEntries(new URLSearchParams(rawBody));
  const given = Object.entries(headerParams).filter(([, name]) => header(name) !== '');
  return { ...query, ...body, ...Object.fromEntries(given.map(([param, name]) => [param, header(name)])) };
}

export function textsOf(body: object): Record<string, string> {
  const texts = Object.entries(body).map(([name, value]: [string, unknown]) => {
    if (!['string', 'boolean', 'number'].includes(typeof value)) throw new Refusal('parameter_invalid', name);
    return [name, String(value)] as const;
  });
  return Object.fromEntries(texts);
}

export function parsed(rawBody: string): object {
  try {
    return Object(JSON.parse(rawBody)) as object;
  } catch {
    throw new Refusal('parameter_invalid', 'the body is not JSON');
  }
}
