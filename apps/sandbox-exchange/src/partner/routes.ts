import type { FastifyPluginCallback, FastifyRequest } from 'fastify';
import type { Reply } from '../faults/dialect.js';
import { sent } from '../faults/faults.js';
import { serve, type ServedCall } from '../faults/serve.js';
import { settle } from '../ledger/settlement.js';
import type { SandboxServer } from '../server.js';
import { account, balances } from './account.js';
import { authenticate } from './authenticate.js';
import { challengeOpen, challengeRead, challengeVerify } from './challenges.js';
import { partnerDialect } from './fault-dialect.js';
import { parse, type PartnerEndpoint } from './handler.js';
import { deposits, movements, withdrawals } from './history.js';
import { identity } from './identity.js';
import { partnerMarkets } from './markets.js';
import { networks } from './networks.js';
import { PartnerError } from './partner-error.js';
import { depositAddresses, depositMethods } from './receiving.js';
import { preview, withdraw } from './withdrawals.js';

interface Route {
  method: 'GET' | 'POST';
  path: string;
  endpoint: PartnerEndpoint;
}

/** By the names that faults and the list of requests know them by. */
const routes: Readonly<Record<string, Route>> = {
  'partner.account': { method: 'GET', path: '/account', endpoint: account },
  'partner.balances': { method: 'GET', path: '/balances', endpoint: balances },
  'partner.identity': { method: 'GET', path: '/identity', endpoint: identity },
  'partner.networks': { method: 'GET', path: '/networks', endpoint: networks },
  'partner.preview': { method: 'POST', path: '/withdrawals/preview', endpoint: preview },
  'partner.challenge.open': { method: 'POST', path: '/challenges', endpoint: challengeOpen },
  'partner.challenge.read': { method: 'GET', path: '/challenges/:id', endpoint: challengeRead },
  'partner.challenge.verify': { method: 'POST', path: '/challenges/:id/verify', endpoint: challengeVerify },
  'partner.withdraw': { method: 'POST', path: '/withdrawals', endpoint: withdraw },
  'partner.withdrawals': { method: 'GET', path: '/withdrawals', endpoint: withdrawals },
  'partner.deposit.methods': { method: 'GET', path: '/deposit-methods', endpoint: depositMethods },
  'partner.deposit.addresses': { method: 'GET', path: '/deposit-addresses', endpoint: depositAddresses },
  'partner.movements': { method: 'GET', path: '/movements', endpoint: movements },
  'partner.deposits': { method: 'GET', path: '/deposits', endpoint: deposits },
};

export const partnerEndpointNames: readonly string[] = [...Object.keys(routes), partnerMarkets.endpoint];

interface NamedEndpoint {
  name: string;
  endpoint: PartnerEndpoint;
}

interface RequestParts {
  Params: { id?: string };
  Querystring: Record<string, string | string[]>;
}
type PartnerRequest = FastifyRequest<RequestParts>;

/** The partner API, below `/partner/v1`. */
export function partnerRoutes(server: SandboxServer): FastifyPluginCallback {
  return (app, _options, done) => {
    app.removeAllContentTypeParsers();
    // Who calls comes before what is said: a body is read only after the token.
    app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, parsed) => parsed(null, body));
    app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
      const code = (error.statusCode ?? 500) < 500 ? 'invalid_request' : 'internal_error';
      if (code === 'internal_error') app.log.error(error);
      const refusal = sent(
        new PartnerError(code, code === 'internal_error' ? 'a fault of ours' : error.message).toReply(),
      );
      return reply
        .code(refusal?.status ?? 500)
        .type('application/json')
        .send(refusal?.body);
    });
    app.setNotFoundHandler((_request, reply) =>
      reply.code(404).send({ error: { code: 'invalid_request', message: 'there is no such endpoint' } }),
    );
    for (const [name, { method, path, endpoint }] of Object.entries(routes)) {
      app.route<RequestParts>({
        method,
        url: path,
        handler: (request, reply) => serve(server, callOf(server, request, { name, endpoint }), reply),
      });
    }
    done();
  };
}

/** A call as it came in: read at once, because a late one acts when its connection is gone. */
interface Incoming {
  endpoint: PartnerEndpoint;
  credential: string | undefined;
  ip: string;
  /** Of the path. */
  id: string;
  query: Record<string, string>;
  rawBody: string;
}

function callOf(server: SandboxServer, request: PartnerRequest, { name, endpoint }: NamedEndpoint): ServedCall {
  const { headers, ip, params, query, body } = request;
  const credential = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1];
  const incoming: Incoming = {
    ...{ endpoint, credential, ip: ip.replace(/^::ffff:/, ''), id: params.id ?? '' },
    query: Object.fromEntries(
      Object.entries(query).map(([key, value]) => [key, Array.isArray(value) ? (value[0] ?? '') : value]),
    ),
    rawBody: typeof body === 'string' ? body : '',
  };
  return {
    dialect: partnerDialect,
    endpoint: name,
    credential,
    admit: (now) => {
      const act = refusing(() => admit(server, incoming, now));
      return typeof act === 'function' ? () => refusing(act) : () => act;
    },
  };
}

/** An error of the call becomes its answer; any other is the exchange's own and goes on. */
function refusing<T>(work: () => T): T | Reply {
  try {
    return work();
  } catch (error) {
    if (error instanceof PartnerError) return error.toReply();
    throw error;
  }
}

/** Verifies token and body now; what it returns carries out the call. */
function admit({ exchange }: SandboxServer, incoming: Incoming, now: () => Date): () => Reply {
  const { endpoint, credential, ip, id, query, rawBody } = incoming;
  const token = authenticate(exchange, { token: credential, ip, permission: endpoint.permission }, now());
  const body = endpoint.body === undefined ? undefined : parse(endpoint.body, jsonOf(rawBody));
  return () => {
    const { account: owner, profile } = exchange.bookOf(token.accountId);
    if (profile === null) throw new Error('a token belongs to an account of the partner API');
    settle(exchange, owner, now());
    const current = exchange.tokens.get(token.token) ?? token;
    return endpoint.handler({ exchange, account: owner, profile, token: current, now: now(), id, query }, body);
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new PartnerError('invalid_request', 'the body is not JSON');
  }
}
