import type { FastifyInstance, FastifyPluginCallback } from 'fastify';
import { z } from 'zod';
import { assetById } from '../catalogue.js';
import { TooManyFaults } from '../faults/fault-book.js';
import { faultNames } from '../faults/faults.js';
import { KrakenError } from '../kraken/handler.js';
import type { Account } from '../ledger/records.js';
import { isFinal, moveWithdrawal, settle, type Move } from '../ledger/settlement.js';
import type { OAuthClients } from '../oauth/clients.js';
import type { SandboxServer } from '../server.js';
import {
  accountInput,
  addressInput,
  bookOf,
  manyAccountsInput,
  openAccount,
  openAccounts,
  saveAddress,
} from './accounts.js';
import { refuseWebPages } from './browser-guard.js';
import { ControlError } from './control-error.js';
import { depositRoutes } from './deposits.js';
import { checkFault } from './fault-checks.js';
import { historyRoutes } from './history.js';
import { marketControlRoutes } from './market-routes.js';
import { oauthControlRoutes } from './oauth-routes.js';
import { partnerControlRoutes } from './partner-routes.js';

const DELAY_MAX_MS = 600_000;
const CLOCK_MAX_MS = 86_400_000;
/** A fault can apply for at most one week. */
const FAULT_MAX_MS = 604_800_000;

const faultInput = z.strictObject({
  endpoint: z.string().min(1).max(100),
  fault: z.enum(faultNames),
  count: z.int().min(1).max(1_000_000).nullable().default(1),
  delayMs: z.int().min(-CLOCK_MAX_MS).max(CLOCK_MAX_MS).default(0),
  forMs: z.int().min(1).max(FAULT_MAX_MS).nullable().default(null),
  apiKey: z.string().max(200).optional(),
  error: z.string().max(200).optional(),
});
/** The statuses of Kraken's protocol and of the partner API, each with the change to the withdrawal in the ledger. */
const moves = {
  Initial: { status: 'Initial' },
  Pending: { status: 'Pending' },
  Settled: { status: 'Settled' },
  Success: { status: 'Success' },
  Failure: { status: 'Failure' },
  requested: { status: 'Initial' },
  sent: { status: 'Pending' },
  confirmed: { status: 'Success' },
  failed: { status: 'Failure' },
  canceled: { status: 'Failure', canceled: true },
} as const satisfies Record<string, Move>;
const statusInput = z.strictObject({ status: z.enum(Object.keys(moves) as (keyof typeof moves)[]) });
const unifiedInput = z.strictObject({ isUnified: z.boolean() });
const keyInput = z.strictObject({ key: z.string() });

/**
 * Routes for tests and people to change the state of the exchange: accounts, money, withdrawals, faults. They belong to
 * no exchange protocol.
 */
export function controlRoutes(server: SandboxServer, clients: OAuthClients): FastifyPluginCallback {
  return (app, _options, done) => {
    app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
      const status = statusOf(error);
      if (status >= 500) throw error;
      return reply.code(status).send({ error: error instanceof z.ZodError ? z.prettifyError(error) : error.message });
    });
    app.addHook('onRequest', (request, _reply, next) => {
      refuseWebPages(request);
      next();
    });
    accountRoutes(app, server);
    depositRoutes(app, server);
    historyRoutes(app, server);
    partnerControlRoutes(app, server);
    oauthControlRoutes(app, server, clients);
    withdrawalRoutes(app, server);
    keyRoutes(app, server);
    faultRoutes(app, server);
    marketControlRoutes(app, server);
    app.get<{ Querystring: { endpoint?: string } }>('/control/requests', ({ query }) => ({
      requests: server.requests.list(query.endpoint),
    }));
    app.post('/control/reset', () => {
      server.faults.stop();
      server.requests.clear();
      server.exchange.reset();
      return {};
    });
    done();
  };
}

function statusOf(error: Error & { statusCode?: number }): number {
  if (error instanceof z.ZodError || error instanceof KrakenError) return 422;
  if (error instanceof TooManyFaults) return 409;
  return error.statusCode ?? 500;
}

type Id = { Params: { id: string } };

function accountRoutes(app: FastifyInstance, { exchange, now }: SandboxServer): void {
  const accountOf = (id: string): Account => bookOf(exchange, id).account;
  const ledgerOf = (account: Account): unknown => {
    settle(exchange, account, now());
    const book = exchange.book(account);
    const balances = book
      .assets()
      .map((id) => [assetById(id).code, { total: book.total(id), held: book.held(id), free: book.free(id) }]);
    return {
      account,
      balances: Object.fromEntries(balances) as unknown,
      entries: [...book.entries.values()],
      withdrawals: [...book.withdrawals.values()],
      deposits: [...book.deposits.values()],
      depositAddresses: book.depositAddresses,
      orders: [...book.orders.values()],
    };
  };
  app.post('/control/accounts', ({ body }) => openAccount(exchange, accountInput.parse(body), now()));
  app.post('/control/accounts/bulk', ({ body }) => openAccounts(exchange, manyAccountsInput.parse(body), now()));
  app.get<Id>('/control/accounts/:id/ledger', ({ params }) => ledgerOf(accountOf(params.id)));
  app.get<{ Querystring: { apiKey?: string; token?: string } }>('/control/ledger', ({ query }) => {
    const owner =
      exchange.keys.get(query.apiKey ?? '') ??
      exchange.oauth.coinbaseKeys.get(query.apiKey ?? '') ??
      exchange.tokens.get(query.token ?? '');
    if (owner === undefined) throw new ControlError(404, 'no account has this key or token');
    return ledgerOf(accountOf(owner.accountId));
  });
  app.post<Id>('/control/accounts/:id/unified', ({ params, body }) => {
    exchange.commit({ account: { ...accountOf(params.id), ...unifiedInput.parse(body) } });
    return {};
  });
  app.post<Id>('/control/accounts/:id/withdrawal-addresses', ({ params, body }) =>
    saveAddress(exchange, accountOf(params.id), addressInput.parse(body)),
  );
  app.delete<Id>('/control/accounts/:id/withdrawal-addresses', ({ params, body }) => {
    const { key } = keyInput.parse(body);
    const account = accountOf(params.id);
    if (!exchange.book(account).savedAddresses.has(key))
      throw new ControlError(404, `the account has no saved address with the key ${key}`);
    exchange.commit({ removedAddress: { accountId: account.id, key } });
    return {};
  });
}

function withdrawalRoutes(app: FastifyInstance, { exchange, now }: SandboxServer): void {
  app.post<{ Params: { refid: string } }>('/control/withdrawals/:refid', ({ params, body }) => {
    const { status } = statusInput.parse(body);
    const withdrawal = exchange.findWithdrawal(params.refid);
    if (withdrawal === null) throw new ControlError(404, `there is no withdrawal ${params.refid}`);
    if (isFinal(withdrawal))
      throw new ControlError(409, `the withdrawal already has the final status ${withdrawal.status}`);
    moveWithdrawal(exchange, withdrawal, moves[status], now());
    return exchange.findWithdrawal(params.refid);
  });
}

function keyRoutes(app: FastifyInstance, { exchange, now }: SandboxServer): void {
  const setRevoked = (apiKey: string, revoked: boolean): unknown => {
    const key = exchange.keys.get(apiKey);
    const coinbaseKey = exchange.oauth.coinbaseKeys.get(apiKey);
    if (coinbaseKey !== undefined) {
      exchange.commit({ coinbaseKey: { ...coinbaseKey, revoked } });
      return {};
    }
    if (key === undefined) throw new ControlError(404, 'no account has this key');
    exchange.commit({ key: { ...key, revoked, modifiedAt: now().getTime() } });
    return {};
  };
  type Key = { Params: { apiKey: string } };
  app.post<Key>('/control/keys/:apiKey/revoke', ({ params }) => setRevoked(params.apiKey, true));
  app.post<Key>('/control/keys/:apiKey/restore', ({ params }) => setRevoked(params.apiKey, false));
}

function faultRoutes(app: FastifyInstance, { faults }: SandboxServer): void {
  app.post('/control/faults', ({ body }) => {
    const order = faultInput.parse(body);
    if (order.fault !== 'clock_jump' && (order.delayMs < 0 || order.delayMs > DELAY_MAX_MS)) {
      throw new ControlError(422, `delayMs must be 0 to ${DELAY_MAX_MS}`);
    }
    checkFault(order);
    return { id: faults.arm(order).id };
  });
  app.get('/control/faults', () => ({ faults: faults.list() }));
  app.delete('/control/faults', () => {
    faults.clear();
    return {};
  });
}
