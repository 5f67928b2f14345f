import { z } from 'zod';
import { Secret } from '#platform/crypto';
import type { AuthorizationDeclaration } from '../../declaration/authorization-declaration.js';
import { parseBody } from '../../transport/error-map.js';
import type { HttpResponse } from '../../transport/transport.js';

const PROVIDER = '/partner';

const begun = z.object({
  id: z.string().min(1).max(256),
  content: z.string().min(1).max(2_048),
  /** Epoch milliseconds. */
  expires_at: z
    .int()
    .nonnegative()
    .max(8_640_000_000_000_000)
    .transform((ms) => new Date(ms)),
});

const state = z.looseObject({ status: z.enum(['waiting', 'scanned', 'denied', 'expired', 'confirmed']) });

/**
 * The sandbox exchange's own authorization server (docs/sandbox.md). It adds its issuer, as `iss`, to the address to
 * which it redirects the browser.
 */
export const sandboxAuthorization: AuthorizationDeclaration = {
  sandbox: ({ api, browser }) => ({
    authorize: `${browser}${PROVIDER}/oauth/authorize`,
    token: `${api}${PROVIDER}/oauth/token`,
    revoke: `${api}${PROVIDER}/oauth/revoke`,
  }),
  clientAuthentication: 'basic',
  issuer: ({ browser }) => `${browser}${PROVIDER}`,
  scopes: { read: ['read'], deposit: ['read'], withdrawal: ['read', 'withdraw'] },
  alsoAsked: ['identity'],
  refreshDays: 30,
  credentials: 'bearer',
  revokedBy: 'refresh_token',
  qr: {
    async begin({ call, clientId, scope }) {
      const response = await call({
        operation: 'qr begin',
        method: 'POST',
        path: `${PROVIDER}/v1/qr-logins`,
        authorization: 'client',
        json: { client_id: clientId, scope },
      });
      const { id, content, expires_at: expiresAt } = begun.parse(successfulBody(response));
      return { id: new Secret(id), content, expiresAt };
    },
    async read({ call }, id) {
      const response = await call({
        operation: 'qr read',
        method: 'GET',
        path: `${PROVIDER}/v1/qr-logins/${encodeURIComponent(id.reveal())}`,
        authorization: 'client',
      });
      // The exchange forgets a login some time after its end.
      if (response.status === 404) return { status: 'expired' };
      const { status, ...tokens } = state.parse(successfulBody(response));
      return status === 'confirmed' ? { status, tokens } : { status };
    },
  },
};

function successfulBody({ status, body }: HttpResponse): unknown {
  if (status !== 200) throw new Error(`HTTP ${status}`);
  return parseBody(body);
}
