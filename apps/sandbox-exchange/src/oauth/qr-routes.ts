import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { QrLogin } from '../ledger/oauth-records.js';
import type { SandboxServer } from '../server.js';
import { findLoginAccount, loginAccounts, PASSWORD } from './accounts.js';
import { allowedOf, formOf, show } from './authorize-routes.js';
import type { OAuthClients } from './clients.js';
import { consentPage, loginPage, notePage, type AccessRequest } from './pages.js';
import { providers } from './provider.js';
import { moveQrLogin, QR_PATH, statusOf } from './qr-logins.js';

type Secret = { Params: { secret: string } };

const endings = {
  confirmed: 'The other device is logged in. You can close this page.',
  denied: 'The other device was not logged in. You can close this page.',
  expired: 'The code has expired. Ask for a new one on the other device.',
} as const;

/** The pages that a scanned QR code opens. They stand in for the exchange's app. */
export function qrPageRoutes(app: FastifyInstance, server: SandboxServer, clients: OAuthClients): void {
  const { exchange, now } = server;
  const { partner: provider } = providers;
  const find = (secret: string): QrLogin | null =>
    exchange.oauth.qrLogins.get(exchange.oauth.qrLoginsBySecret.get(secret) ?? '') ?? null;
  const ended = (login: QrLogin | null): keyof typeof endings | null => {
    const status = login === null ? 'expired' : statusOf(login, now());
    return status === 'waiting' || status === 'scanned' ? null : status;
  };
  const end = (reply: FastifyReply, how: keyof typeof endings, status = 200): FastifyReply =>
    show(reply, notePage(provider.name, endings[how]), status);
  const accessRequestOf = ({ clientId, scopes }: QrLogin): AccessRequest => {
    return { provider, client: clients.find(clientId) ?? { name: clientId }, scopes };
  };
  const login = (accessRequest: AccessRequest, problem: string | null, form?: URLSearchParams): string =>
    loginPage({ ...accessRequest, ...loginAccounts(exchange, provider, form), problem });

  app.get<Secret>(`${QR_PATH}/:secret`, ({ params }, reply) => {
    const found = find(params.secret);
    const over = ended(found);
    if (found === null || over !== null) return end(reply, over ?? 'expired', found === null ? 404 : 200);
    return show(reply, login(accessRequestOf(found), null));
  });

  const step = (found: QrLogin, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const [form, accessRequest] = [formOf(request), accessRequestOf(found)];
    const move = (to: 'scanned' | 'denied'): boolean => moveQrLogin(exchange, found, { to }, now());
    if (form.get('step') === 'deny') return end(reply, move('denied') ? 'denied' : 'expired');
    if (form.get('step') === 'search') return show(reply, login(accessRequest, null, form));
    if (form.get('password') !== PASSWORD) return show(reply, login(accessRequest, 'The password is wrong.'), 403);
    const account = findLoginAccount(exchange, provider, form.get('account') ?? '', now());
    if (account === null) return show(reply, login(accessRequest, 'Choose an account.'), 422);
    if (form.get('step') !== 'allow') {
      move('scanned');
      return show(reply, consentPage({ ...accessRequest, account }));
    }
    const scopes = allowedOf(accessRequest, form.getAll('scope'));
    if (scopes.length === 0) return end(reply, move('denied') ? 'denied' : 'expired');
    moveQrLogin(exchange, found, { to: 'confirmed', allowed: { accountId: account.id, scopes } }, now());
    return end(reply, 'confirmed');
  };
  app.post<Secret>(`${QR_PATH}/:secret`, (request, reply) => {
    const found = find(request.params.secret);
    const over = ended(found);
    if (found === null || over !== null) return end(reply, over ?? 'expired', found === null ? 404 : 200);
    return step(found, request, reply);
  });
}
