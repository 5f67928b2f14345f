import type { AuthorizationDeclaration, AuthorizationEndpoints } from '../../declaration/authorization-declaration.js';

const endpointsAt = (pages: string, api: string): AuthorizationEndpoints => ({
  authorize: `${pages}/oauth2/auth`,
  token: `${api}/oauth2/token`,
  revoke: `${api}/oauth2/revoke`,
});

/**
 * Sources: https://docs.cdp.coinbase.com/coinbase-app/oauth2-integration/reference, and the pages `scopes`,
 * `available-apis` and `access-and-refresh-tokens`. The person chooses the scopes. Access tokens last an hour.
 * A refresh token requires the scope `offline_access`, lasts 18 months and can be used once. Coinbase responds with 401
 * to an expired refresh token. Coinbase does not document that it returns `iss`, so no `issuer` is declared. The
 * documentation of the separator of scopes contradicts itself:
 * coinbase-business/authentication-authorization/oauth2/oauth2-permissions describes commas, and the example of
 * coinbase-app/oauth2-integration/integrations has spaces (`+`). Our requests have spaces. We accept both separators in
 * responses.
 */
export const coinbaseAuthorization: AuthorizationDeclaration = {
  live: () => endpointsAt('https://login.coinbase.com', 'https://login.coinbase.com'),
  sandbox: ({ api, browser }) => endpointsAt(browser, api),
  clientAuthentication: 'post',
  // The page `reference` lists the secret as a parameter of the token endpoint, and no clients without a secret.
  needsSecret: true,
  // Coinbase's page `scopes`, "Account access": without `all`, the person chooses one wallet of one currency. We would
  // take this wallet for the whole account.
  parameters: { account: 'all' },
  // The page `available-apis` lists these scopes; coinbase-app/advanced-trade-apis/rest-scopes lists those of orders.
  scopes: {
    read: ['wallet:accounts:read', 'wallet:transactions:read'],
    deposit: ['wallet:addresses:read', 'wallet:addresses:create'],
    trade: ['wallet:buys:create', 'wallet:buys:read'],
    withdrawal: ['wallet:transactions:send'],
  },
  // These scopes allow reading the owner's identity and getting a refresh token.
  alsoAsked: ['wallet:user:read', 'wallet:user:email', 'offline_access'],
  refreshDays: 547,
  credentials: 'bearer',
  // Coinbase: "You must supply the current access token twice, once to revoke it, and another to authenticate the
  // request."
  revokedBy: 'access_token',
};
