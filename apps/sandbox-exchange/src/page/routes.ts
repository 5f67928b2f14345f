import { createHash } from 'node:crypto';
import type { FastifyPluginCallback } from 'fastify';
import { ZodError } from 'zod';
import { bookOf } from '../control/accounts.js';
import { requireOwnPage } from '../control/browser-guard.js';
import { ControlError } from '../control/control-error.js';
import { moveTo, priceInput } from '../control/market-routes.js';
import { showFace } from '../control/partner-routes.js';
import { KrakenError } from '../kraken/handler.js';
import type { SandboxServer } from '../server.js';
import { overviewOf } from './overview.js';
import { pageOf } from './page.js';
import { script } from './style.js';

const scriptHash = createHash('sha256').update(script).digest('base64');
/** Allows only content of the page itself. */
const POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  `script-src 'sha256-${scriptHash}'`,
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The page for people, at `/`. */
export function pageRoutes({ exchange, now }: SandboxServer): FastifyPluginCallback {
  return (app, _options, done) => {
    app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, parsed) =>
      parsed(null, Object.fromEntries(new URLSearchParams(String(body)))),
    );
    app.addHook('preValidation', (request, _reply, next) => {
      if (request.method === 'POST') requireOwnPage(request);
      next();
    });
    app.get<{ Querystring: { q?: string | string[] } }>('/', ({ query }, reply) =>
      reply
        .type('text/html; charset=utf-8')
        .headers({ 'content-security-policy': POLICY, 'cache-control': 'no-store' })
        .send(pageOf(overviewOf(exchange, { search: [query.q ?? ''].flat().join(' '), now: now() }))),
    );
    app.post<{ Body: { accountId?: string; challengeId?: string } }>('/face', ({ body }, reply) => {
      const { accountId = '', challengeId = '' } = body;
      try {
        const chosen = challengeId === '' ? {} : { challengeId };
        showFace(exchange, bookOf(exchange, accountId), { ...chosen, success: true, now: now() });
      } catch (error) {
        // The challenge has already ended; the page shows its state after the redirect.
        if (!(error instanceof ControlError)) throw error;
      }
      return reply.redirect('/', 303);
    });
    app.post<{ Body: { pair?: string; price?: string } }>('/price', ({ body }, reply) => {
      try {
        moveTo(exchange, priceInput.parse(body), now());
      } catch (error) {
        // The price is invalid; the page shows the unchanged price after the redirect.
        const isRefusal = [ControlError, KrakenError, ZodError].some((kind) => error instanceof kind);
        if (!isRefusal) throw error;
      }
      return reply.redirect('/', 303);
    });
    done();
  };
}
