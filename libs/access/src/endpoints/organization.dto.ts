import { ApiField, ApiTimeOrNull } from '#platform/http';
import type { ApiKey } from '../keys/api-key.entity.js';
import { RATE_WINDOW_SECONDS } from '../guard/request-rates.js';

export class PermissionsResponse {
  @ApiField('May read wallets, balances, fees, transactions and the catalogue.')
  read: boolean;

  @ApiField('May read identities. Needs `read`, too.')
  kyc: boolean;

  @ApiField('May create withdrawal quotes. Needs `read`, too.')
  quote: boolean;

  @ApiField('May execute withdrawals. Needs `read` and `quote`, too.')
  withdrawal: boolean;

  @ApiField('May place and read orders.')
  trade: boolean;

  @ApiField('May request deposit addresses. Needs `read`, too.')
  deposit: boolean;

  @ApiField('May delete wallets. Needs `read`, too.')
  delete: boolean;

  @ApiField('May connect wallets.')
  connect: boolean;
}

export class KeyRateLimitResponse {
  @ApiField('Whether requests of this key are limited. Always true.')
  rateLimitEnabled: boolean;

  @ApiField('Length of the window in milliseconds.', { type: 'integer', example: 60_000 })
  rateLimitTimeWindow: number;

  @ApiField('Requests that one API process accepts in a window.', { type: 'integer', example: 600 })
  rateLimitMax: number;

  @ApiField('Requests in the current window, this one included, as counted by the responding process.', {
    type: 'integer',
  })
  requestCount: number;

  @ApiTimeOrNull('When the key was last used, up to a minute out of date; ISO 8601. null: the key was not used before.')
  lastRequest: string | null;
}

/** The permissions and the request rate of the API key of this request. */
export class CurrentApiKeyResponse {
  @ApiField('Each scope, and whether the key has it.', { type: PermissionsResponse })
  permissions: PermissionsResponse;

  @ApiField('The request rate of the key.', { type: KeyRateLimitResponse })
  rateLimit: KeyRateLimitResponse;
}

export function toCurrentApiKeyResponse(apiKey: ApiKey, rate: { max: number; count: number }): CurrentApiKeyResponse {
  const has = new Set<string>(apiKey.scopes);
  return {
    permissions: {
      read: has.has('read'),
      kyc: has.has('kyc'),
      quote: has.has('quote'),
      withdrawal: has.has('withdrawal'),
      trade: has.has('trade'),
      deposit: has.has('deposit'),
      delete: has.has('delete'),
      connect: has.has('connect'),
    },
    rateLimit: {
      rateLimitEnabled: true,
      rateLimitTimeWindow: RATE_WINDOW_SECONDS * 1_000,
      rateLimitMax: rate.max,
      requestCount: rate.count,
      lastRequest: apiKey.lastUsedAt?.toISOString() ?? null,
    },
  };
}
