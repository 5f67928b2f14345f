import { randomBytes, randomUUID } from 'node:crypto';
import type { Exchange } from '../exchange.js';
import type { Reply } from '../faults/protocol.js';
import type { OAuthClient, OAuthGrant, QrLogin, QrStatus } from '../ledger/oauth-records.js';
import { PartnerError } from '../partner/partner-error.js';
import { scopesOf } from './authorization-request.js';
import type { OAuthClients } from './clients.js';
import { issue, type Allowed } from './grants.js';
import { OAuthError } from './oauth-error.js';
import { providers } from './provider.js';
import { describeTokens, UNCACHED } from './token-endpoint.js';

/** Lifetime of a QR login. */
const QR_MS = 120_000;
/** Path of the page that the QR code opens. */
export const QR_PATH = '/partner/qr';

export interface QrCall {
  exchange: Exchange;
  clients: OAuthClients;
  authorization: string | undefined;
  now: Date;
}

/** @throws PartnerError `unauthorized` */
function clientOf({ clients, authorization }: QrCall): OAuthClient {
  try {
    return clients.authenticate({ clientAuthentication: ['basic'] }, { authorization, form: new URLSearchParams() });
  } catch (error) {
    if (error instanceof OAuthError) throw new PartnerError('unauthorized', error.message);
    throw error;
  }
}

/** @throws PartnerError */
export function beginQrLogin(call: QrCall, { rawBody, baseUrl }: { rawBody: string; baseUrl: string }): Reply {
  const { exchange, now } = call;
  const { clientId } = clientOf(call);
  const fields = fieldsOf(rawBody);
  if (fields.get('client_id') !== clientId)
    throw new PartnerError('invalid_request', 'client_id differs from the authenticated client');
  const scopes = scopesOf(
    providers.partner,
    fields.get('scope') ?? '',
    (message) => new PartnerError('invalid_request', message),
  );
  const qrLogin: QrLogin = {
    id: randomUUID(),
    secret: randomBytes(16).toString('base64url'),
    clientId,
    scopes,
    status: 'waiting',
    createdAt: now.getTime(),
    expiresAt: now.getTime() + QR_MS,
    tokens: null,
  };
  exchange.commit({ qrLogin });
  const { id, secret, expiresAt } = qrLogin;
  const body = { id, content: `${baseUrl}${QR_PATH}/${secret}`, expires_at: expiresAt };
  return { status: 200, body, headers: UNCACHED };
}

/** The body is JSON, as everywhere in the partner API, or a form. */
function fieldsOf(rawBody: string): Map<string, string> {
  if (!rawBody.startsWith('{')) return new Map(new URLSearchParams(rawBody));
  try {
    const entries = Object.entries(JSON.parse(rawBody) as Record<string, unknown>);
    return new Map(entries.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : [])));
  } catch {
    throw new PartnerError('invalid_request', 'the body is not JSON');
  }
}

/** @throws PartnerError */
export function readQrLogin(call: QrCall, id: string): Reply {
  const { exchange, now } = call;
  const { clientId } = clientOf(call);
  const login = exchange.oauth.qrLogins.get(id);
  if (login?.clientId !== clientId) throw new PartnerError('not_found', 'the client has no login with this id');
  const status = statusOf(login, now);
  return { status: 200, body: { status, ...(status === 'confirmed' ? tokensOf(call, login) : {}) }, headers: UNCACHED };
}

export function statusOf({ status, expiresAt }: QrLogin, now: Date): QrStatus {
  return status !== 'denied' && expiresAt <= now.getTime() ? 'expired' : status;
}

/** Returns whether the login can still be scanned, confirmed or denied. */
export function isOpen(login: QrLogin, now: Date): boolean {
  return ['waiting', 'scanned'].includes(statusOf(login, now));
}

function tokensOf({ exchange, now }: QrCall, { tokens }: QrLogin): Record<string, unknown> {
  const access = exchange.oauth.accessTokens.get(tokens?.accessToken ?? '');
  const grant = exchange.oauth.grants.get(tokens?.grantId ?? '');
  if (tokens === null || access === undefined || grant === undefined)
    throw new Error('a confirmed login has no tokens');
  // The login always returns the tokens of its confirmation, even after the client has refreshed them.
  return describeTokens({ access, grant: { ...grant, refreshToken: tokens.refreshToken } }, now);
}

/** Returns false when the login has already ended. */
export function moveQrLogin(
  exchange: Exchange,
  login: QrLogin,
  { to, allowed }: { to: 'scanned' | 'denied' | 'expired' | 'confirmed'; allowed?: Allowed },
  now: Date,
): boolean {
  if (!isOpen(login, now)) return false;
  if (to !== 'confirmed') {
    exchange.commit({ qrLogin: { ...login, status: to } });
    return true;
  }
  if (allowed === undefined) return false;
  const grant: OAuthGrant = {
    id: randomUUID(),
    provider: 'partner',
    clientId: login.clientId,
    ...allowed,
    code: null,
    refreshToken: null,
    refreshExpiresAt: null,
    revoked: false,
    createdAt: now.getTime(),
  };
  const issued = issue(exchange, grant, now);
  const tokens = { grantId: grant.id, accessToken: issued.access.token, refreshToken: issued.grant.refreshToken };
  exchange.commit({ qrLogin: { ...login, status: 'confirmed', tokens } });
  return true;
}
