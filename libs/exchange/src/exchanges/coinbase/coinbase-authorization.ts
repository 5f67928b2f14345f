import type { AuthorizationDeclaration } from '../../declaration/authorization-declaration.js';

/**
 * https://docs.cdp.coinbase.com/coinbase-app/oauth2-integration/reference and its neighbours `scopes`, `available-apis`
 * and `access-and-refresh-tokens`. The person chooses which scopes to grant. Access tokens last an hour; a refresh token
 * comes with `offline_access` alone, lasts a year and a half and is good once. Nothing tells that Coinbase names itself
 * in `iss`.
 */
export const coinbaseAuthorization: AuthorizationDeclaration = {
  live: () => ({
    authorize: 'https://login.coinbase.com/oauth2/auth',
    token: 'https://login.coinbase.com/oauth2/token',
    revoke: 'https://login.coinbase.com/oauth2/revoke',
  }),
  sandbox: ({ api, browser }) => ({
    authorize: `${browser}/oauth2/auth`,
    token: `${api}/oauth2/token`,
    revoke: `${api}/oauth2/revoke`,
  }),
  clientAuthentication: 'post',
  // `reference` has it among the parameters of the token endpoint, and knows no clients without.
  needsSecret: true,
  // `scopes`, "Account access": otherwise the person picks one wallet of one currency, and we would take it for the account.
  parameters: { account: 'all' },
  scopes: { read: ['wallet:accounts:read', 'wallet:transactions:read'] },
  // Who it is, and a token for the time after the first hour.
  alsoAsked: ['wallet:user:read', 'wallet:user:email', 'offline_access'],
  refreshDays: 547,
  credentials: 'bearer',
  // "You must supply the current access token twice, once to revoke it, and another to authenticate the request."
  revokedBy: 'access_token',
};
