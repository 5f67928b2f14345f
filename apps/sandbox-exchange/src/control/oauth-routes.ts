import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { amountText } from '../amount-text.js';
import type { Exchange } from '../exchange.js';
import {
  coinbasePermissions,
  type CoinbaseKey,
  type OAuthClient,
  type OAuthGrant,
  type QrLogin,
} from '../ledger/oauth-records.js';
import type { Account } from '../ledger/records.js';
import { findLoginAccount, identityOf, liveOutsideTravelRule, NEW_ACCOUNT } from '../oauth/accounts.js';
import {
  responseUrl,
  readAuthorizationRequest,
  RefusedRequest,
  UnknownRedirect,
  type AuthorizationRequest,
} from '../oauth/authorization-request.js';
import { allowedOf } from '../oauth/authorize-routes.js';
import type { OAuthClients } from '../oauth/clients.js';
import { expire, grantByCode, revokeGrant } from '../oauth/grants.js';
import { providers, type Provider } from '../oauth/provider.js';
import { isOpen, moveQrLogin, statusOf } from '../oauth/qr-logins.js';
import type { SandboxServer } from '../server.js';
import { bookOf, describeAddresses, name, openingBalances, openLedgerAccount } from './accounts.js';
import { ControlError } from './control-error.js';

/** Longest token lifetime: ten years. */
const SECONDS_MAX = 10 * 366 * 86_400;
const seconds = z.int().min(1).max(SECONDS_MAX);

const clientInput = z.strictObject({
  clientId: name,
  secret: name.optional(),
  name: name.optional(),
  redirectUris: z
    .array(z.url({ protocol: /^https?$/ }))
    .max(100)
    .optional(),
  accessSeconds: seconds.nullable().optional(),
  refreshSeconds: seconds.nullable().optional(),
});
/** The account that grants the access, and the scopes that it grants; by default a new account and all scopes. */
const allowance = { accountId: z.string().default(NEW_ACCOUNT), scopes: z.array(name).optional() };
const authorizeInput = z.strictObject({
  url: z.url(),
  decision: z.enum(['allow', 'deny']).default('allow'),
  ...allowance,
});
const expireInput = z.strictObject({ what: z.enum(['access', 'refresh', 'both']).default('access') });
const identityInput = z.strictObject({
  fullName: name.nullable().optional(),
  email: name.nullable().optional(),
  iban: name.nullable().optional(),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .nullable()
    .optional(),
});
const qrInput = z.strictObject({
  id: z.string().optional(),
  /** Content of the QR code. */
  content: z.string().optional(),
  status: z.enum(['scanned', 'confirmed', 'denied', 'expired']),
  ...allowance,
});
const coinbaseInput = z.strictObject({
  name: name.default('coinbase account'),
  balances: z.record(name, amountText).default({}),
  kind: z.enum(['cdp', 'legacy']).default('cdp'),
  permissions: z.array(z.enum(coinbasePermissions)).default([...coinbasePermissions]),
});

type Id = { Params: { id: string } };

/** Routes for OAuth clients, grants, QR logins and identities. */
export function oauthControlRoutes(app: FastifyInstance, server: SandboxServer, clients: OAuthClients): void {
  const { exchange, now } = server;
  app.post('/control/oauth/clients', ({ body }) => registerClient(exchange, clients, clientInput.parse(body)));
  app.post('/control/oauth/authorize', ({ body }) => authorize(server, clients, authorizeInput.parse(body)));
  app.get<{ Querystring: { accountId?: string } }>('/control/oauth/grants', ({ query }) => ({
    grants: [...exchange.oauth.grants.values()]
      .filter(({ accountId }) => query.accountId === undefined || accountId === query.accountId)
      .map((grant) => describeGrant(exchange, grant)),
  }));
  const grantOf = (id: string): OAuthGrant => {
    const grant = exchange.oauth.grants.get(id);
    if (grant === undefined) throw new ControlError(404, `there is no grant ${id}`);
    return grant;
  };
  app.post<Id>('/control/oauth/grants/:id/revoke', ({ params }) => {
    revokeGrant(exchange, grantOf(params.id));
    return {};
  });
  app.post<Id>('/control/oauth/grants/:id/expire', ({ params, body }) => {
    expire(exchange, grantOf(params.id), expireInput.parse(body ?? {}).what, now());
    return {};
  });
  app.post<Id>('/control/accounts/:id/identity', ({ params, body }) => {
    const { account } = bookOf(exchange, params.id);
    const identity = { ...identityOf(exchange, account), ...identityInput.parse(body) };
    exchange.commit({ identity: { ...identity, accountId: account.id } });
    return identity;
  });
  app.post('/control/qr-logins', ({ body }) => moveQr(server, qrInput.parse(body)));
  app.post('/control/coinbase/accounts', ({ body }) =>
    openCoinbaseAccount(exchange, coinbaseInput.parse(body ?? {}), now()),
  );
}

/** Registers a client, or replaces the given fields of an existing client. */
function registerClient(exchange: Exchange, clients: OAuthClients, input: z.infer<typeof clientInput>): unknown {
  const before: OAuthClient = clients.find(input.clientId) ?? {
    clientId: input.clientId,
    secret: randomBytes(24).toString('base64url'),
    name: input.clientId,
    redirectUris: [],
    takesLoopback: false,
    accessSeconds: null,
    refreshSeconds: null,
  };
  const oauthClient: OAuthClient = {
    clientId: input.clientId,
    secret: input.secret ?? before.secret,
    name: input.name ?? before.name,
    redirectUris: input.redirectUris ?? before.redirectUris,
    takesLoopback: before.takesLoopback,
    accessSeconds: input.accessSeconds === undefined ? before.accessSeconds : input.accessSeconds,
    refreshSeconds: input.refreshSeconds === undefined ? before.refreshSeconds : input.refreshSeconds,
  };
  exchange.commit({ oauthClient });
  return oauthClient;
}

function describeGrant({ oauth }: Exchange, grant: OAuthGrant): unknown {
  const { id, provider, clientId, accountId, scopes, revoked, createdAt, refreshToken, refreshExpiresAt } = grant;
  const tokens = [...(oauth.accessTokensOf.get(id) ?? [])].flatMap((token) => oauth.accessTokens.get(token) ?? []);
  return {
    id,
    provider,
    clientId,
    accountId,
    scopes,
    revoked,
    createdAt,
    refreshExpiresAt,
    hasRefreshToken: refreshToken !== null && !revoked,
    accessTokens: tokens.map(({ createdAt: at, expiresAt, revoked: isRevoked }) => ({
      createdAt: at,
      expiresAt,
      revoked: isRevoked,
    })),
  };
}

/** Decides an authorization request as the pages do, without a browser. */
function authorize(
  { exchange, now }: SandboxServer,
  clients: OAuthClients,
  { url, decision, accountId, scopes }: z.infer<typeof authorizeInput>,
): unknown {
  const { pathname, searchParams, origin } = new URL(url);
  const provider = Object.values(providers).find(({ authorizePath }) => authorizePath === pathname);
  if (provider === undefined) throw new ControlError(422, 'no authorization server has this URL');
  const requested = requestOf(() =>
    readAuthorizationRequest(clients, provider, { query: searchParams, baseUrl: origin }),
  );
  if ('redirectTo' in requested) return { ...requested, accountId: null, grantId: null };
  const ticked = allowedOf(requested, scopes ?? requested.scopes);
  if (decision === 'deny' || ticked.length === 0) {
    return { redirectTo: responseUrl(requested, { error: 'access_denied' }), accountId: null, grantId: null };
  }
  const account = accountOf(exchange, { provider, accountId }, now());
  const grant = grantByCode(exchange, requested, { accountId: account.id, scopes: ticked }, now());
  return { redirectTo: responseUrl(requested, { code: grant.code.code }), accountId: account.id, grantId: grant.id };
}

function requestOf(read: () => AuthorizationRequest): AuthorizationRequest | { redirectTo: string } {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnknownRedirect) throw new ControlError(422, error.message);
    if (!(error instanceof RefusedRequest)) throw error;
    return { redirectTo: responseUrl(error.redirect, { error: error.error, error_description: error.message }) };
  }
}

function accountOf(
  exchange: Exchange,
  { provider, accountId }: { provider: Provider; accountId: string },
  now: Date,
): Account {
  const account = findLoginAccount(exchange, provider, accountId, now);
  if (account === null) throw new ControlError(404, `${provider.name} has no account ${accountId}`);
  return account;
}

function moveQr({ exchange, now }: SandboxServer, input: z.infer<typeof qrInput>): unknown {
  const login = qrLoginOf(exchange, input);
  // This check comes first, so that no account is opened for a login that has ended.
  if (!isOpen(login, now()))
    throw new ControlError(409, `the login already has the final status ${statusOf(login, now())}`);
  const scopes = login.scopes.filter((scope) => input.scopes?.includes(scope) ?? true);
  const allowed =
    input.status === 'confirmed'
      ? { accountId: accountOf(exchange, { provider: providers.partner, ...input }, now()).id, scopes }
      : undefined;
  moveQrLogin(exchange, login, { to: input.status, ...(allowed === undefined ? {} : { allowed }) }, now());
  const moved = exchange.oauth.qrLogins.get(login.id);
  return { status: input.status, accountId: allowed?.accountId ?? null, grantId: moved?.tokens?.grantId ?? null };
}

function qrLoginOf({ oauth }: Exchange, { id, content }: z.infer<typeof qrInput>): QrLogin {
  const secret = content?.split('/').at(-1) ?? '';
  const login = oauth.qrLogins.get(id ?? oauth.qrLoginsBySecret.get(secret) ?? '');
  if (login === undefined) throw new ControlError(404, 'there is no login with this id or content');
  return login;
}

function openCoinbaseAccount(exchange: Exchange, input: z.infer<typeof coinbaseInput>, now: Date): unknown {
  const { kind, permissions } = input;
  if (!exchange.hasRoomFor())
    throw new ControlError(409, 'no further account can be opened; POST /control/reset deletes all accounts');
  const account = openLedgerAccount(exchange, { name: input.name, balances: openingBalances(input.balances) }, now);
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const coinbaseKey: CoinbaseKey = {
    ...(kind === 'cdp'
      ? {
          apiKey: `organizations/${randomUUID()}/apiKeys/${randomUUID()}`,
          apiSecret: privateKey.export({ type: 'sec1', format: 'pem' }).toString(),
        }
      : { apiKey: randomBytes(12).toString('base64url'), apiSecret: randomBytes(24).toString('base64url') }),
    kind,
    accountId: account.id,
    permissions,
    revoked: false,
    createdAt: now.getTime(),
  };
  exchange.commit({ coinbaseKey });
  liveOutsideTravelRule(exchange, account);
  const { apiKey, apiSecret } = coinbaseKey;
  const withdrawalAddresses = describeAddresses(exchange, account.id);
  return { accountId: account.id, apiKey, apiSecret, withdrawalAddresses };
}
