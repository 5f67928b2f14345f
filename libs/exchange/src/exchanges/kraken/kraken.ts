import { readOtherAccounts } from '../../capabilities/other-accounts.js';
import type { ExchangeClient } from '../../client/exchange-client.js';
import { declareExchange } from '../../client/declared-connector.js';
import type { SessionParts } from '../../client/declared-exchange.js';
import { depositNetworkNames } from './kraken-assets.js';
import { KrakenDeposits } from './kraken-deposits.js';
import { krakenAuthorization } from './kraken-authorization.js';
import { toSigningKeys } from './kraken-key.js';
import { signKraken } from './kraken-signature.js';
import { krakenPairs } from './kraken-pairs.js';
import { krakenTickers } from './kraken-tickers.js';
import { listBalances } from './kraken-balances.js';
import { krakenAssets, krakenCode } from './kraken-assets.js';
import { krakenErrors } from './kraken-errors.js';
import { GET_API_KEY_INFO } from './kraken-key.js';
import { withdrawalNetworkNames } from './kraken-assets.js';
import { readIban, readKeyInfo } from './kraken-responses.js';
import { KrakenTrading } from './kraken-orders.js';
import { KrakenHistory } from './kraken-records.js';
import { KrakenWithdrawals } from './kraken-withdrawals.js';

/**
 * Kraken spot. A withdrawal goes to a saved address, which the request identifies by its key. `amount` is gross: Kraken
 * deducts the fee from it. A withdrawal carries no reference of ours, so after an unknown outcome we search the history
 * for the values that we sent (class `by_match`). An order carries our client order id and a submission deadline.
 */
export const kraken = declareExchange({
  spec: {
    id: 'kraken',
    name: 'Kraken',
    docsUrl: 'https://docs.kraken.com/api/',
    credentialFields: ['apiKey', 'apiSecret'],
    keyUrl: 'https://www.kraken.com/u/security/api',
    // The source of these names of permissions: docs.kraken.com/exchange/guides/rest/api-keys (November 2026).
    keyGuide: {
      permissions: {
        read: ['Query Funds', 'Query Open Orders & Trades', 'Query Closed Orders & Trades', 'Query Ledger Entries'],
        deposit: ['Deposit Funds'],
        trade: ['Create & Modify Orders', 'Cancel/Close Orders'],
        withdrawal: ['Withdraw Funds'],
      },
      defaults: ['second_factor', 'nonce_window'],
      fieldNames: { apiSecret: 'Private key' },
      // The pattern accepts only complete base64, because the most common error of copying loses the last character.
      fieldForms: { apiSecret: /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)$/ },
    },
    access: ['read', 'deposit', 'trade', 'withdrawal'],
    withdrawals: {
      class: 'by_match',
      amountIs: 'gross',
      evidence: 'https://docs.kraken.com/api-reference/funding/get-withdrawal-information',
    },
    // The source of these names of permissions: https://docs.kraken.com/api-reference/account-data/get-api-key-info
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
    hasSandbox: true,
  },
  revision: 3,
  liveUrl: 'https://api.kraken.com',
  hostEvidence: 'docs.kraken.com/api-reference (June 2026)',
  sign: signKraken,
  toKeys: toSigningKeys,
  codeOf: krakenCode,
  assets: krakenAssets,
  networkNames: [...withdrawalNetworkNames, ...depositNetworkNames],
  errors: krakenErrors,
  limits: [
    // Kraken's page guides/rest/ratelimits: "Each API key's counter is separate", "additional calls will be restricted
    // for a few seconds (or possibly longer if calls continue to be made while the rate limits are active)".
    { means: 'rate_limit', of: 'credential', status: 200, text: '"eapi:rate limit exceeded', periodMs: 5_000 },
    // Kraken's page guides/general/errors: "Wait for the lockout to expire", "each attempt resets the timer". It lasts
    // "roughly 15 minutes of not retrying" (github.com/krakenfx/kraken-cli/issues/34).
    { means: 'ban', of: 'credential', status: 200, text: '"egeneral:temporary lockout', periodMs: 900_000 },
  ],
  usesNonces: true,
  authorization: krakenAuthorization,
  pairs: krakenPairs,
  tickers: krakenTickers,
  connect,
});

function connect(client: ExchangeClient): SessionParts {
  return {
    balances: () => listBalances(client),
    // Kraken Futures has another API with keys of its own. `BalanceEx` has what earns and what is staked. No call lists
    // sub-accounts (docs.kraken.com/api, June 2026).
    otherAccounts: (own) => readOtherAccounts(client, { notServed: ['futures', 'sub-accounts'] }, own),
    assetNames: async () => (await client.assets()).names,
    keyInfo: () => client.call(GET_API_KEY_INFO, {}, readKeyInfo),
    withdrawals: new KrakenWithdrawals(client),
    history: new KrakenHistory(client),
    deposits: new KrakenDeposits(client),
    trading: new KrakenTrading(client),
    identity: {
      // For a call with a key, Kraken documents no fact about the owner except the account number.
      read: async () => {
        const iban = await client.call(GET_API_KEY_INFO, {}, readIban);
        return { fullName: null, email: null, iban, country: null };
      },
    },
  };
}
