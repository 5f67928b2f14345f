import type { FastifyPluginCallback, FastifyRequest } from 'fastify';
import type { Reply } from '../faults/protocol.js';
import { sent } from '../faults/faults.js';
import { serve, type ServedCall } from '../faults/serve.js';
import { settle } from '../ledger/settlement.js';
import { bearerOf } from '../oauth/bearer.js';
import type { SandboxServer } from '../server.js';
import { account, balances, identity } from './accounts/account.js';
import { authenticate } from './authenticate.js';
import { challengeOpen, challengeRead, challengeVerify } from './verification/challenges.js';
import { partnerProtocol } from './fault-protocol.js';
import { parse, type PartnerEndpoint } from './handler.js';
import { deposits, movements, withdrawals } from './history.js';
import { partnerMarkets } from './markets.js';
import { networks } from './networks.js';
import { PartnerError } from './partner-error.js';
import { depositAddresses, depositMethods } from './receiving.js';
import { preview, withdraw } from './withdrawals/withdrawals.js';

interface Route {
  method: 'GET' | 'POST';
  path: string;
  endpoint: PartnerEndpoint;
}

/** The routes by endpoint name, which `/control/faults` and `/control/requests` use. */
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

/** The partner API, under `/partner/v1`. */
export function partnerRoutes(server: SandboxServer): FastifyPluginCallback {
  return (app, _options, done) => {
    app.removeAllContentTypeParsers();
    // The body stays text here, because the token is checked before the body is parsed.
    app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, parsed) => parsed(null, body));
    app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
      const code = (error.statusCode ?? 500) < 500 ? 'invalid_request' : 'internal_error';
      if (code === 'internal_error') app.log.error(error);
      const refusal = sent(
        new PartnerError(
          code,
          code === 'internal_error' ? 'an unexpected error of the sandbox exchange; see its log' : error.message,
        ).toReply(),
      );
      return reply
        .code(refusal?.status ?? 500)
        .type('application/json')
        .send(refusal?.body);
    });
    app.setNotFoundHandler((_request, reply) =>
      reply.code(404).send({ error: { code: 'invalid_request', message: 'unknown endpoint' } }),
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

/** The contents of a request, copied at once: a fault may carry the call out after its connection has closed. */
interface Incoming {
  endpoint: PartnerEndpoint;
  credential: string | undefined;
  ip: string;
  /** The id in the path. */
  id: string;
  query: Record<string, string>;
  rawBody: string;
}

function callOf(server: SandboxServer, request: PartnerRequest, { name, endpoint }: NamedEndpoint): ServedCall {
  const { headers, ip, params, query, body } = request;
  const credential = bearerOf(headers.authorization);
  const incoming: Incoming = {
    endpoint,
    credential,
    ip: ip.replace(/^::ffff:/, ''),
    id: params.id ?? '',
    query: Object.fromEntries(
      Object.entries(query).map(([key, value]) => [key, Array.isArray(value) ? (value[0] ?? '') : value]),
    ),
    rawBody: typeof body === 'string' ? body : '',
  };
  return {
    protocol: partnerProtocol,
    endpoint: name,
    credential,
    admit: (now) => {
      const act = refusing(() => admit(server, incoming, now));
      return typeof act === 'function' ? () => refusing(act) : () => act;
    },
  };
}

/** Converts a `PartnerError` into a response. Any other error is a defect of the sandbox and propagates. */
function refusing<T>(work: () => T): T | Reply {
  try {
    return work();
  } catch (error) {
    if (error instanceof PartnerError) return error.toReply();
    throw error;
  }
}

/** Verifies the token and the body now; the returned function carries out the call. */
function admit({ exchange }: SandboxServer, incoming: Incoming, now: () => Date): () => Reply {
  const { endpoint, credential, ip, id, query, rawBody } = incoming;
  const token = authenticate(exchange, { token: credential, ip, permission: endpoint.permission }, now());
  const body = endpoint.body === undefined ? undefined : parse(endpoint.body, jsonOf(rawBody));
  return () => {
    const { account: owner, profile } = exchange.bookOf(token.accountId);
    if (profile === null) throw new Error('the account of a token has no partner profile');
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
