import type { FastifyPluginCallback, FastifyRequest } from 'fastify';
import type { Protocol, Reply } from '../faults/protocol.js';
import { serve } from '../faults/serve.js';
import { settle } from '../ledger/settlement.js';
import type { SandboxServer } from '../server.js';
import { accounts, keyPermissions, transactionSummary, walletAccounts } from './accounts.js';
import { authenticate, type CoinbaseRequest } from './authenticate.js';
import { CoinbaseError, isCoinbaseErrorId, type CoinbaseErrorId, type CoinbaseVersion } from './coinbase-error.js';
import { cryptoCurrencies, exchangeRates, fiatCurrencies } from './currencies.js';
import type { CoinbaseCall } from './handler.js';
import { user, userAuth } from './user.js';

interface Route {
  path: string;
  /** Handler of a call without authentication. */
  open?: () => unknown;
  handler?: (call: CoinbaseCall) => unknown;
}

/** The routes, by the names that faults and the list of requests use. */
const routes: Readonly<Record<string, Route>> = {
  'coinbase.user': { path: '/v2/user', handler: user },
  'coinbase.user.auth': { path: '/v2/user/auth', handler: userAuth },
  'coinbase.accounts': { path: '/api/v3/brokerage/accounts', handler: accounts },
  'coinbase.wallets': { path: '/v2/accounts', handler: walletAccounts },
  'coinbase.key_permissions': { path: '/api/v3/brokerage/key_permissions', handler: keyPermissions },
  'coinbase.transaction_summary': { path: '/api/v3/brokerage/transaction_summary', handler: transactionSummary },
  'coinbase.currencies': { path: '/v2/currencies', open: fiatCurrencies },
  'coinbase.currencies.crypto': { path: '/v2/currencies/crypto', open: cryptoCurrencies },
  'coinbase.exchange-rates': { path: '/v2/exchange-rates', open: exchangeRates },
};

const versionOf = (path: string): CoinbaseVersion => (path.startsWith('/v2') ? 'v2' : 'v3');

function protocolOf(version: CoinbaseVersion): Protocol {
  const refusal = (id: CoinbaseErrorId) => () => new CoinbaseError(id, 'a fault').toReply(version);
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

/** The endpoints with their protocols, which decide which faults apply. */
export const coinbaseEndpoints: ReadonlyMap<string, Protocol> = new Map(
  Object.entries(routes).map(([name, { path }]) => [name, protocols[versionOf(path)]]),
);

/** Coinbase's account API: the part of `/v2` and Advanced Trade that Causeway uses. */
export function coinbaseRoutes(server: SandboxServer): FastifyPluginCallback {
  return (app, _options, done) => {
    for (const [endpoint, route] of Object.entries(routes)) {
      app.get(route.path, (request, reply) => {
        const incoming = incomingOf(request);
        const credential = incoming.accessKey ?? incoming.authorization?.replace(/^Bearer /i, '');
        const protocol = protocols[versionOf(route.path)];
        const admit = (now: () => Date) => () => respond(server, { route, incoming }, now());
        return serve(server, { protocol, endpoint, credential, admit }, reply);
      });
    }
    done();
  };
}

function incomingOf({ method, url, headers }: FastifyRequest): CoinbaseRequest {
  const [path = '', query] = url.split('?');
  const header = (name: string): string | undefined => {
    const value = headers[name];
    return Array.isArray(value) ? value[0] : value;
  };
  return {
    ...{ method, path, query: query === undefined ? '' : `?${query}`, authorization: headers.authorization },
    ...{ accessKey: header('cb-access-key'), accessSign: header('cb-access-sign') },
    accessTimestamp: header('cb-access-timestamp'),
  };
}

function respond(
  { exchange }: SandboxServer,
  { route: { path, open, handler }, incoming }: { route: Route; incoming: CoinbaseRequest },
  now: Date,
): Reply {
  if (handler === undefined) return { status: 200, body: open?.() };
  try {
    const caller = authenticate(exchange, incoming, now);
    const { account } = exchange.bookOf(caller.accountId);
    settle(exchange, account, now);
    const query = new URLSearchParams(incoming.query);
    return { status: 200, body: handler({ exchange, account, caller, query }) };
  } catch (error) {
    if (error instanceof CoinbaseError) return error.toReply(versionOf(path));
    throw error;
  }
}
