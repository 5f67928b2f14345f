import { overCcxt } from '../../ccxt/ccxt-connector.js';
import { coinbaseAuthorization } from './coinbase-authorization.js';
import { toCcxtCredentials } from './coinbase-credentials.js';
import { coinbaseErrors } from './coinbase-errors.js';
import { coinbasePairs } from './coinbase-pairs.js';
import { CoinbaseSession } from './coinbase-session.js';
import { coinbaseTickers } from './coinbase-tickers.js';

/**
 * Coinbase. Balances come from Advanced Trade (v3), the identity from Coinbase App (v2). A session uses the access
 * token of an authorized account, or a key of the developer platform. Only reads are supported: ccxt's funding
 * functions send to the wrong endpoint and cannot find an address.
 */
export const coinbase = overCcxt({
  spec: {
    id: 'coinbase',
    name: 'Coinbase',
    docsUrl: 'https://docs.cdp.coinbase.com/coinbase-app/introduction/welcome',
    credentialFields: ['apiKey', 'apiSecret'],
    keyUrl: 'https://portal.cdp.coinbase.com/projects/api-keys',
    // https://docs.cdp.coinbase.com/coinbase-business/authentication-authorization/api-key-authentication
    keyGuide: {
      permissions: { read: ['View'], deposit: [], trade: ['Trade'], withdrawal: ['Transfer'] },
      fieldNames: { apiKey: 'API key name', apiSecret: 'Private key' },
      // A private key in PEM, or in one line. Coinbase shows Ed25519 keys and older API keys in one line.
      fieldForms: {
        apiSecret: /^(?:-----BEGIN ([A-Z ]+)-----[A-Za-z0-9+/=\s]+-----END \1-----|[A-Za-z0-9+/]{32,}={0,2})$/,
      },
      pemField: 'apiSecret',
    },
    access: ['read'],
    notOffered: {
      deposit: 'The connector reads balances only.',
      trade: 'The connector reads balances only.',
      withdrawal: 'The connector reads balances only.',
    },
    // The permissions of keys and the scopes of tokens:
    // https://docs.cdp.coinbase.com/coinbase-app/authentication-authorization/authorization
    permissionAccess: {
      view: ['read'],
      trade: ['trade'],
      transfer: ['withdrawal'],
      'wallet:addresses:create': ['deposit'],
      'wallet:deposits:create': ['deposit'],
      'wallet:buys:create': ['trade'],
      'wallet:sells:create': ['trade'],
      'wallet:trades:create': ['trade'],
      'wallet:transactions:send': ['withdrawal'],
      'wallet:transactions:transfer': ['withdrawal'],
      'wallet:withdrawals:create': ['withdrawal'],
    },
    countriesExcluded: [],
    hasSandbox: true,
    sandboxOnly: false,
  },
  revision: 1,
  ccxtId: 'coinbase',
  liveUrl: 'https://api.coinbase.com',
  apiUrls: (baseUrl) => ({ rest: baseUrl }),
  acceptsBearer: true,
  toCcxt: toCcxtCredentials,
  errors: coinbaseErrors,
  authorization: coinbaseAuthorization,
  pairs: coinbasePairs,
  tickers: coinbaseTickers,
  connect: (client, credentials) => new CoinbaseSession(client, credentials),
});
