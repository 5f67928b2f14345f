import type { FastifyPluginCallback, FastifyRequest } from 'fastify';
import type { Protocol, Reply } from '../faults/protocol.js';
import { serve } from '../faults/serve.js';
import { settle } from '../ledger/settlement.js';
import type { SandboxServer } from '../server.js';
import { accounts, keyPermissions, transactionSummary, walletAccount, walletAccounts } from './accounts.js';
import { authenticate, credentialIn, type CoinbaseRequest } from './authenticate.js';
import { CoinbaseError, isCoinbaseErrorId, type CoinbaseErrorId, type CoinbaseVersion } from './coinbase-error.js';
import { cryptoCurrencies, exchangeRates, fiatCurrencies } from './currencies.js';
import * as funding from './funding.js';
import type { CoinbaseCall } from './handler.js';
import { orders, placeOrder } from './orders.js';
import { user, userAuth } from './user.js';

interface Route {
  /** GET by default. The response to a POST under `/v2` has the status 201. */
  method?: 'POST';
  path: string;
  /** Handler of a call without authentication. */
  open?: () => unknown;
  handler?: (call: CoinbaseCall) => unknown;
}

/** The routes by endpoint name, which `/control/faults` and `/control/requests` use. */
const routes: Readonly<Record<string, Route>> = {
  'coinbase.user': { path: '/v2/user', handler: user },
  'coinbase.user.auth': { path: '/v2/user/auth', handler: userAuth },
  'coinbase.accounts': { path: '/api/v3/brokerage/accounts', handler: accounts },
  'coinbase.wallets': { path: '/v2/accounts', handler: walletAccounts },
  'coinbase.wallet': { path: '/v2/accounts/:account_id', handler: walletAccount },
  'coinbase.transactions': { path: '/v2/accounts/:account_id/transactions', handler: funding.transactions },
  'coinbase.transaction': {
    path: '/v2/accounts/:account_id/transactions/:transaction_id',
    handler: funding.transaction,
  },
  'coinbase.send': { method: 'POST', path: '/v2/accounts/:account_id/transactions', handler: funding.sendMoney },
  'coinbase.addresses': { path: '/v2/accounts/:account_id/addresses', handler: funding.addresses },
  'coinbase.address.create': {
    method: 'POST',
    path: '/v2/accounts/:account_id/addresses',
    handler: funding.createAddress,
  },
  'coinbase.order.place': { method: 'POST', path: '/api/v3/brokerage/orders', handler: placeOrder },
  'coinbase.orders': { path: '/api/v3/brokerage/orders/historical/batch', handler: orders },
  'coinbase.key_permissions': { path: '/api/v3/brokerage/key_permissions', handler: keyPermissions },
  'coinbase.transaction_summary': { path: '/api/v3/brokerage/transaction_summary', handler: transactionSummary },
  'coinbase.currencies': { path: '/v2/currencies', open: fiatCurrencies },
  'coinbase.currencies.crypto': { path: '/v2/currencies/crypto', open: cryptoCurrencies },
  'coinbase.exchange-rates': { path: '/v2/exchange-rates', open: exchangeRates },
};

const versionOf = (path: string): CoinbaseVersion => (path.startsWith('/v2') ? 'v2' : 'v3');

function protocolOf(version: CoinbaseVersion): Protocol {
  const refusal = (id: CoinbaseErrorId) => () =>
    new CoinbaseError(id, 'an armed fault causes this error').toReply(version);
  return {
    refusals: {
      rate_limit: refusal('rate_limit_exceeded'),
      definite_refusal: (error = '') => refusal(isCoinbaseErrorId(error) ? error : 'invalid_request')(),
      revoked_key: refusal('revoked_token'),
      ip_refused: refusal('authentication_error'),
      service_unavailable: refusal('internal_server_error'),
    },
    emptied: () => ({}),
    errorIn: (body) => {
      const { error, errors } = (body ?? {}) as { error?: string; errors?: { id: string }[] };
      return error ?? errors?.[0]?.id ?? null;
    },
  };
}
const protocols = { v2: protocolOf('v2'), v3: protocolOf('v3') };
const withHistory: Protocol = {
  ...protocols.v2,
  refusals: {
    ...protocols.v2.refusals,
    history_errors: () => new CoinbaseError('internal_server_error', 'an armed fault causes this error').toReply('v2'),
  },
  history: funding.historyForm,
};
const HISTORIES = ['coinbase.transactions', 'coinbase.transaction'];

const faultsOf = (endpoint: string, { path }: Route): Protocol =>
  HISTORIES.includes(endpoint) ? withHistory : protocols[versionOf(path)];

/** For each endpoint name, the protocol, which decides what faults can be armed for the endpoint. */
export const coinbaseEndpoints: ReadonlyMap<string, Protocol> = new Map(
  Object.entries(routes).map(([name, route]) => [name, faultsOf(name, route)]),
);

/** Coinbase's API: the part of `/v2` and Advanced Trade that Causeway uses. */
export function coinbaseRoutes(server: SandboxServer): FastifyPluginCallback {
  return (app, _options, done) => {
    app.removeAllContentTypeParsers();
    // The signature of a legacy key covers the exact bytes of the body.
    app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, parsed) => parsed(null, body));
    for (const [endpoint, route] of Object.entries(routes)) {
      app.route({
        method: route.method ?? 'GET',
        url: route.path,
        handler: (request, reply) => {
          const incoming = incomingOf(request);
          const credential = incoming.accessKey ?? credentialIn(incoming.authorization);
          const protocol = faultsOf(endpoint, route);
          const admit = (now: () => Date) => () => respond(server, { route, incoming }, now());
          return serve(server, { protocol, endpoint, credential, admit }, reply);
        },
      });
    }
    done();
  };
}

interface Incoming extends CoinbaseRequest {
  params: Record<string, string>;
  code: string | undefined;
}

function incomingOf({ method, url, headers, params, body }: FastifyRequest): Incoming {
  const [path = '', query] = url.split('?');
  const header = (name: string): string | undefined => [headers[name]].flat()[0];
  return {
    method,
    path,
    query: query === undefined ? '' : `?${query}`,
    authorization: headers.authorization,
    accessKey: header('cb-access-key'),
    accessSign: header('cb-access-sign'),
    accessTimestamp: header('cb-access-timestamp'),
    rawBody: typeof body === 'string' ? body : '',
    params: params as Record<string, string>,
    code: header('cb-2fa-token'),
  };
}

function respond(
  { exchange }: SandboxServer,
  { route: { method, path: template, open, handler }, incoming }: { route: Route; incoming: Incoming },
  now: Date,
): Reply {
  if (handler === undefined) return { status: 200, body: open?.() };
  const version = versionOf(template);
  try {
    const caller = authenticate(exchange, incoming, now);
    const { account } = exchange.bookOf(caller.accountId);
    settle(exchange, account, now);
    const { query, params: path, code } = incoming;
    const call = { exchange, account, caller, query: new URLSearchParams(query), path, code, now };
    const body = handler({ ...call, body: bodyOf(incoming) });
    return { status: method === 'POST' && version === 'v2' ? 201 : 200, body };
  } catch (error) {
    if (error instanceof CoinbaseError) return error.toReply(version);
    throw error;
  }
}

function bodyOf({ rawBody }: Incoming): unknown {
  if (rawBody === '') return undefined;
  try {
    return JSON.parse(rawBody);
  } catch {
    throw new CoinbaseError('invalid_request', 'the body is not JSON');
  }
}
