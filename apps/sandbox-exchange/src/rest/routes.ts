import type { FastifyPluginCallback, FastifyRequest } from 'fastify';
import { Overdrawn, type Exchange } from '../exchange.js';
import type { Protocol, Reply } from '../faults/protocol.js';
import { serve } from '../faults/serve.js';
import { KrakenError, type Call } from '../kraken/handler.js';
import type { ApiKey, Permission } from '../ledger/records.js';
import { settle } from '../ledger/settlement.js';
import type { SandboxServer } from '../server.js';
import type { RestRequest } from './authenticate.js';
import { Refusal, refusalOf } from './refusal.js';

interface RestEndpoint {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** The key needs this permission. */
  readonly needs: Permission;
  /** Returns the content of the response. `params` are those of the protocol. @throws Refusal, KrakenError, Overdrawn */
  readonly handler: (call: Call) => unknown;
}

/** A protocol with signed headers and JSON bodies, over the accounts and keys of Kraken's protocol. */
export interface RestProtocol {
  /** By the names that faults and the list of requests use. */
  readonly endpoints: Readonly<Record<string, RestEndpoint>>;
  /** The endpoints whose responses contain deposits, withdrawals or orders. */
  readonly lists: readonly string[];
  readonly keyHeader: string;
  /** Headers that are parameters of a POST, by the parameter. */
  readonly headerParams: Readonly<Record<string, string>>;
  /** @throws Refusal */
  readonly authenticate: (exchange: Exchange, request: RestRequest, now: Date) => ApiKey;
  readonly ok: (content: unknown) => Reply;
  readonly refused: (refusal: Refusal, endpoint: string, params: Record<string, string>) => Reply;
  readonly faults: Protocol;
}

/** By endpoint, the form of its faults. */
export function faultsByEndpoint({ endpoints, lists, faults }: RestProtocol): ReadonlyMap<string, Protocol> {
  const others = { ...faults, history: undefined };
  return new Map(Object.keys(endpoints).map((name) => [name, lists.includes(name) ? faults : others]));
}

export function restRoutes(server: SandboxServer, rest: RestProtocol): FastifyPluginCallback {
  return (app, _options, done) => {
    app.removeAllContentTypeParsers();
    // The signature covers the exact bytes of the body.
    app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, parsed) => parsed(null, body));
    for (const [endpoint, protocol] of faultsByEndpoint(rest)) {
      const { method, path: url } = endpointOf(rest, endpoint);
      app.route({
        ...{ method, url },
        handler: (request, reply) => {
          const incoming = incomingOf(request);
          const credential = incoming.header(rest.keyHeader);
          const admit = (now: () => Date) => admitted(server, { rest, endpoint, incoming }, now);
          return serve(server, { protocol, endpoint, credential, admit }, reply);
        },
      });
    }
    done();
  };
}

function endpointOf({ endpoints }: RestProtocol, name: string): RestEndpoint {
  const endpoint = endpoints[name];
  if (endpoint === undefined) throw new Error(`no endpoint ${name}`);
  return endpoint;
}

function incomingOf({ method, url, headers, body, ip }: FastifyRequest): RestRequest {
  const header = (name: string): string => [headers[name]].flat()[0] ?? '';
  const rawBody = typeof body === 'string' ? body : '';
  return { method, target: url, rawBody, ip: ip.replace(/^::ffff:/, ''), header };
}

interface RestCall {
  rest: RestProtocol;
  endpoint: string;
  incoming: RestRequest;
}

/** Verifies a call and returns a function that carries it out, because faults separate the two in time. */
function admitted({ exchange }: SandboxServer, { rest, endpoint, incoming }: RestCall, now: () => Date): () => Reply {
  const { needs, handler } = endpointOf(rest, endpoint);
  let params: Record<string, string> = {};
  const answered = <T>(work: () => T, otherwise: (reply: Reply) => T): T => {
    try {
      return work();
    } catch (error) {
      return otherwise(rest.refused(refusalBehind(error), endpoint, params));
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
        return rest.ok(handler({ params, exchange, account, key, receivedAt, now: now() }));
      };
      return () => answered(act, (reply) => reply);
    },
    (reply) => () => reply,
  );
}

/** Any other error is a defect of the sandbox and propagates. */
function refusalBehind(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof Overdrawn) return new Refusal('insufficient_funds');
  if (error instanceof KrakenError) return refusalOf(error.message);
  throw error;
}

/** The parameters as text: those of the query, or of the JSON body and the headers. */
function paramsOf({ headerParams }: RestProtocol, { method, target, rawBody, header }: RestRequest) {
  if (method === 'GET') return Object.fromEntries(new URLSearchParams(target.split('?')[1] ?? ''));
  const given = Object.entries(headerParams).filter(([, name]) => header(name) !== '');
  return { ...bodyOf(rawBody), ...Object.fromEntries(given.map(([param, name]) => [param, header(name)])) };
}

function bodyOf(rawBody: string): Record<string, string> {
  const texts = Object.entries(parsed(rawBody)).map(([name, value]: [string, unknown]) => {
    if (!['string', 'boolean', 'number'].includes(typeof value)) throw new Refusal('parameter_invalid', name);
    return [name, String(value)] as const;
  });
  return Object.fromEntries(texts);
}

function parsed(rawBody: string): object {
  try {
    return Object(JSON.parse(rawBody)) as object;
  } catch {
    throw new Refusal('parameter_invalid', 'the body is not JSON');
  }
}
