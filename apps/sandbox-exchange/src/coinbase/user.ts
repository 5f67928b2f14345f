import { identityOf } from '../oauth/accounts.js';
import { may } from './authenticate.js';
import type { CoinbaseCall } from './handler.js';

const countryNames = new Intl.DisplayNames('en', { type: 'region' });

/** Source: https://docs.cloud.coinbase.com/sign-in-with-coinbase/docs/api-users, "Show current user". */
export function user({ exchange, account, caller }: CoinbaseCall): unknown {
  const { fullName, email, country } = identityOf(exchange, account);
  const details = {
    time_zone: 'UTC',
    native_currency: 'USD',
    bitcoin_unit: 'BTC',
    country: country === null ? null : { code: country, name: countryNames.of(country) ?? country },
    created_at: `${new Date(account.createdAt).toISOString().slice(0, 19)}Z`,
  };
  return {
    data: {
      id: account.id,
      name: fullName,
      username: 'user1',
      profile_location: null,
      profile_bio: null,
      profile_url: null,
      avatar_url: null,
      resource: 'user',
      resource_path: '/v2/user',
      ...(may(caller, { scope: 'wallet:user:read', permission: 'view' }) ? details : {}),
      ...(may(caller, { scope: 'wallet:user:email', permission: 'view' }) ? { email } : {}),
    },
  };
}

/** Source: the page of `user`, "Show authorization information". The response to an API key is not documented. */
export function userAuth({ caller: { by } }: CoinbaseCall): unknown {
  return 'scopes' in by
    ? { data: { method: 'oauth', scopes: by.scopes, oauth_meta: {} } }
    : { data: { method: 'api_key', scopes: by.permissions } };
}
