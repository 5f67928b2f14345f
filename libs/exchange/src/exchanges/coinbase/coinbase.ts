import { overCcxt } from '../../ccxt/ccxt-connector.js';
import { coinbaseAuthorization } from './coinbase-authorization.js';
import { toCcxtCredentials } from './coinbase-credentials.js';
import { coinbaseErrors } from './coinbase-errors.js';
import { coinbasePairs } from './coinbase-pairs.js';
import { connect } from './coinbase-session.js';
import { coinbaseTickers } from './coinbase-tickers.js';

/**
 * Coinbase. Balances and orders are in Advanced Trade (v3); sends, addresses, history and the identity in Coinbase App
 * (v2). A session uses the access token of an authorized account, or a key of the developer platform. The history has no
 * fee of a send before it was sent, and no list of fees or networks is documented ("We'll charge a fee based on our
 * estimate of the prevailing network fees", help.coinbase.com, pricing and fees), so that operators estimate them.
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
      permissions: { read: ['View'], deposit: ['Receive'], trade: ['Trade'], withdrawal: ['Transfer'] },
      fieldNames: { apiKey: 'API key name', apiSecret: 'Private key' },
      // A private key in PEM, or in one line. Coinbase shows Ed25519 keys and older API keys in one line.
      fieldForms: {
        apiSecret: /^(?:-----BEGIN ([A-Z ]+)-----[A-Za-z0-9+/=\s]+-----END \1-----|[A-Za-z0-9+/]{32,}={0,2})$/,
      },
      pemField: 'apiSecret',
    },
    access: ['read', 'deposit', 'trade', 'withdrawal'],
    partlyOffered: {
      deposit: 'Only networks whose names Coinbase documents: Bitcoin, Ethereum, Solana, Base, Polygon.',
      withdrawal:
        'The same networks, each with an estimate of its fee in `WITHDRAWAL_FEE_ESTIMATES`: Coinbase documents fees only of executed sends. Not from countries with a travel rule: the required data of the recipient cannot be given here.',
    },
    withdrawals: {
      // "If a previous transaction with the same idem parameter exists for this sender, that previous transaction is
      // returned and a new one is not created." The documentation names no time after which this ends.
      class: 'idempotent',
      // "Amount to be sent"; the fee of a recorded send is in addition to its `transaction_amount`.
      amountIs: 'net',
      evidence: 'https://docs.cdp.coinbase.com/coinbase-app/track-apis/transactions',
      fee: 'estimated',
    },
    // The permissions of keys and the scopes of tokens:
    // https://docs.cdp.coinbase.com/coinbase-app/authentication-authorization/authorization
    permissionAccess: {
      view: ['read'],
      trade: ['trade'],
      transfer: ['withdrawal', 'deposit'],
      receive: ['deposit'],
      'wallet:addresses:create': ['deposit'],
      'wallet:deposits:create': ['deposit'],
      'wallet:buys:create': ['trade'],
      'wallet:sells:create': ['trade'],
      'wallet:trades:create': ['trade'],
      'wallet:transactions:send': ['withdrawal'],
      'wallet:transactions:transfer': ['withdrawal'],
      'wallet:withdrawals:create': ['withdrawal'],
    },
    hasSandbox: true,
  },
  revision: 2,
  liveUrl: 'https://api.coinbase.com',
  acceptsBearer: true,
  toCcxt: toCcxtCredentials,
  errors: coinbaseErrors.calls,
  authorization: coinbaseAuthorization,
  pairs: coinbasePairs,
  tickers: coinbaseTickers,
  connect,
});
