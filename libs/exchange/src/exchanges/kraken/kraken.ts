import { overCcxt } from '../../ccxt/ccxt-connector.js';
import { krakenAuthorization } from './kraken-authorization.js';
import { toCcxtCredentials } from './kraken-credentials.js';
import { krakenErrors } from './protocol/kraken-errors.js';
import { KrakenSession } from './kraken-session.js';

/**
 * Kraken spot. A withdrawal goes to a saved address and is named by its key; its `amount` is gross (the fee is taken out
 * of it); there is no id of ours, so an unknown outcome is found by what was sent (class `by_match`). All funding calls go
 * through the plain endpoints: ccxt's own functions lose the network and return success without an id. An order carries an
 * id of ours and a deadline; ccxt would look for it by another id than it sends, and loses some of its states.
 */
export const kraken = overCcxt({
  spec: {
    id: 'kraken',
    name: 'Kraken',
    docsUrl: 'https://docs.kraken.com/api/',
    credentialFields: ['apiKey', 'apiSecret'],
    keyUrl: 'https://www.kraken.com/u/security/api',
    access: ['read', 'deposit', 'trade', 'withdrawal'],
    // https://docs.kraken.com/api-reference/account-data/get-api-key-info
    permissionAccess: {
      'query-funds': ['read'],
      'query-open-trades': ['read'],
      'query-closed-trades': ['read'],
      'query-ledger': ['read'],
      'export-data': ['read'],
      'create-ws-token': ['read'],
      'add-funds': ['deposit'],
      'withdraw-funds': ['withdrawal'],
      'modify-trades': ['trade'],
      'close-trades': ['trade'],
    },
    countriesExcluded: [],
    hasSandbox: true,
    sandboxOnly: false,
  },
  revision: 1,
  ccxtId: 'kraken',
  liveUrl: 'https://api.kraken.com',
  apiUrls: (baseUrl) => ({ public: baseUrl, private: baseUrl, zendesk: baseUrl }),
  toCcxt: toCcxtCredentials,
  errors: krakenErrors,
  usesNonces: true,
  authorization: krakenAuthorization,
  connect: (client) => new KrakenSession(client),
});
