import type { StubExchange } from './stub-exchange.js';

const account = (uuid: string, currency: string, value: string, hold: string, type = 'ACCOUNT_TYPE_CRYPTO') => ({
  uuid,
  name: `${currency} Wallet`,
  currency,
  available_balance: { value, currency },
  default: false,
  active: true,
  created_at: '2021-05-31T09:59:59.000Z',
  updated_at: '2021-05-31T09:59:59.000Z',
  deleted_at: null,
  type,
  ready: true,
  hold: { value: hold, currency },
  retail_portfolio_id: 'b87a2d3f-8a1e-49b3-a4ea-402d8c389aca',
  platform: 'ACCOUNT_PLATFORM_CONSUMER',
});

/**
 * Responses in the formats of https://docs.cdp.coinbase.com/api-reference/advanced-trade-api/rest-api and
 * …/coinbase-app, with other figures.
 */
export const coinbaseDocumented = {
  /** Coinbase's reference: accounts/list-accounts: the first page, and the page at `cursor`. */
  accounts: {
    first: {
      accounts: [
        account('8bfc20d7-f7c6-4422-bf07-8243ca4169fe', 'BTC', '1.230000000000000001', '0.1'),
        account('a1b2c3d4-0000-4422-bf07-8243ca4169fe', 'CGLD', '7', '0'),
      ],
      has_next: true,
      cursor: '789100',
      size: 2,
    },
    second: {
      accounts: [
        account('0c1d2e3f-0000-4422-bf07-8243ca4169fe', 'BTC', '2', '0', 'ACCOUNT_TYPE_VAULT'),
        account('9f8e7d6c-0000-4422-bf07-8243ca4169fe', 'EUR', '100.25', '0', 'ACCOUNT_TYPE_FIAT'),
        {
          ...account('5d4c3b2a-0000-4422-bf07-8243ca4169fe', 'USDC', '50', '10', 'ACCOUNT_TYPE_PERP_FUTURES'),
          platform: 'ACCOUNT_PLATFORM_INTX',
        },
        // The first page lists this account, too: the account moved to this page between the two requests.
        account('a1b2c3d4-0000-4422-bf07-8243ca4169fe', 'CGLD', '7', '0'),
      ],
      has_next: false,
      cursor: '',
      size: 4,
    },
  },
  /** Coinbase's reference: data-api/get-api-key-permissions */
  keyPermissions: {
    can_view: true,
    can_trade: false,
    can_transfer: true,
    portfolio_uuid: 'b87a2d3f-8a1e-49b3-a4ea-402d8c389aca',
    portfolio_type: 'DEFAULT',
  },
  /** Coinbase's reference: coinbase-app/oauth2-integration/scopes: "use the GET /user/auth endpoint". */
  userAuth: { data: { method: 'oauth', scopes: ['wallet:accounts:read', 'wallet:user:read'], oauth_meta: {} } },
  /** Coinbase's reference: coinbase-app/track-apis/users, with wallet:user:read and wallet:user:email. */
  user: {
    data: {
      id: '9da7a204-544e-5fd1-9a12-61176c5d4cd8',
      name: 'User One',
      username: 'user1',
      resource: 'user',
      resource_path: '/v2/user',
      country: { code: 'US', name: 'United States' },
      created_at: '2015-01-31T20:49:02Z',
      email: 'user1@example.com',
    },
  },
} as const;

export function speakCoinbase(stub: StubExchange): void {
  const { accounts, keyPermissions, userAuth, user } = coinbaseDocumented;
  stub.on('GET /api/v3/brokerage/accounts', ({ params }) => {
    if (params['cursor'] === undefined) return accounts.first;
    return params['cursor'] === accounts.first.cursor ? accounts.second : { error: 'INVALID_ARGUMENT' };
  });
  stub.on('GET /api/v3/brokerage/key_permissions', () => keyPermissions);
  stub.on('GET /v2/user/auth', () => userAuth);
  stub.on('GET /v2/user', () => user);
}
