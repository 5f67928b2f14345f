import { readAccounts } from '../../capabilities/account-balances.js';
import { ListedDeposits } from '../../capabilities/listed-deposits.js';
import { NetworkList, type ListedNetwork } from '../../capabilities/network-list.js';
import { limitPriceOf, ReferenceOrders } from '../../capabilities/reference-orders.js';
import { readOtherAccounts } from '../../capabilities/other-accounts.js';
import { TransferHistory } from '../../capabilities/transfer-pages.js';
import { upperCaseCode } from '../../declaration/asset-names.js';
import type { ExchangeClient, Endpoint } from '../../client/exchange-client.js';
import { declareExchange } from '../../client/declared-connector.js';
import type { SessionParts } from '../../client/declared-exchange.js';
import { ExchangeError } from '../../port/exchange-error.js';
import { geminiAccounts } from './gemini-accounts.js';
import { geminiErrors } from './gemini-errors.js';
import { transferPages } from './gemini-transfers.js';
import * as responses from './gemini-responses.js';
import { signGemini } from './gemini-signature.js';

const post = (path: string): Endpoint => ({ method: 'POST', path: `/${path}` });
const ASSETS: Endpoint = { method: 'GET', path: '/v2/networks/{network}/assets' };
/**
 * `cost` follows from developer.gemini.com/rate-limit: addresses "1 request per 2 seconds per subaccount". Our default
 * limit is five calls a second, as Gemini recommends, so a request for addresses counts as 10 calls.
 */
const LIST_ADDRESSES: Endpoint = { ...post('v1/addresses/{network}'), cost: 10 };
const NEW_ADDRESS: Endpoint = { ...post('v1/deposit/{network}/newAddress'), cost: 10, creates: true };
const ORDER_STATUS: Endpoint = { ...post('v1/order/status'), sentAs: { include_trades: 'boolean' } };

/**
 * Gemini, with keys of one account: keys of a group of accounts ("master") are refused. The parameters of private calls
 * are in a header. Orders are limit orders, are found by our client order id, and have no submission deadline.
 *
 * Gemini also has OAuth, which we do not use. "Roles Endpoint" and "Get Assets for Network" document no scope, so we
 * could not examine a token or get deposit addresses with it. Calls with a token need no nonce ("Revoke OAuth Token"),
 * so Gemini would not refuse a repeated order.
 */
export const gemini = declareExchange({
  spec: {
    id: 'gemini',
    name: 'Gemini',
    docsUrl: 'https://developer.gemini.com/',
    credentialFields: ['apiKey', 'apiSecret'],
    keyUrl: 'https://exchange.gemini.com/settings/api',
    keyGuide: {
      // The sources of these roles: developer.gemini.com/roles, support.gemini.com/hc/articles/360055623512. A key with
      // the role Auditor has no other role.
      permissions: { read: ['Auditor'], deposit: ['Fund Manager'], trade: ['Trader'], withdrawal: [] },
      readsWithAll: true,
      // developer.gemini.com/authentication/api-key: "you have the option of selecting 'Uses a time based nonce'".
      defaults: ['time_based_nonce'],
      // developer.gemini.com/authentication/api-key: keys of one account begin with `account-`.
      fieldForms: { apiKey: /^account-[\x21-\x7e]+$/ },
    },
    access: ['read', 'deposit', 'trade'],
    notOffered: {
      withdrawal:
        'Causeway could not find out whether Gemini has executed a withdrawal with an unknown outcome: the list of ' +
        'transfers (developer.gemini.com/rest/fund-management) does not contain our reference (clientTransferId), and ' +
        'its documentation does not state how a failed withdrawal appears in it.',
    },
    // The source of these roles: developer.gemini.com/roles
    permissionAccess: { Auditor: ['read'], FundManager: ['read', 'deposit', 'withdrawal'], Trader: ['read', 'trade'] },
    hasSandbox: true,
  },
  revision: 2,
  liveUrl: 'https://api.gemini.com',
  hostEvidence: 'developer.gemini.com, and the class of ccxt 4.5.84 (September 2026)',
  sign: signGemini,
  usesNonces: true,
  codeOf: upperCaseCode,
  networkNames: responses.networkNames,
  errors: geminiErrors.calls,
  // developer.gemini.com/rate-limit: "you will receive a 429 Too Many Requests HTTP status response until your request
  // rate drops back under the required limit"; "600 requests per minute is ten requests per second". It documents no
  // ban.
  limits: [{ means: 'rate_limit', of: 'credential', status: 429, periodMs: 1_000 }],
  pairs: responses.geminiPairs,
  tickers: responses.geminiTickers,
  connect,
});

function connect(client: ExchangeClient): SessionParts {
  const networks = new NetworkList(client, () => networksOf(client));
  return {
    assetNames: networks.assetNames,
    balances: () =>
      readAccounts(client, [
        { name: 'exchange', paysWithdrawals: true, endpoint: post('v1/balances'), read: responses.readBalances },
      ]),
    otherAccounts: (own) => readOtherAccounts(client, geminiAccounts, own),
    keyInfo: () => client.call(post('v1/roles'), {}, responses.readKeyInfo),
    history: new TransferHistory(client, {
      // Gemini began in October 2015.
      begins: new Date(Date.UTC(2015, 9, 1)),
      page: transferPages(client),
      dated: responses.dated,
      read: responses.readTransfer,
    }),
    deposits: new ListedDeposits(client, networks, {
      addresses: ({ exchangeNetworkId: network }) => client.call(LIST_ADDRESSES, { network }, responses.readAddresses),
      create: ({ exchangeNetworkId: network }) => client.call(NEW_ADDRESS, { network }, responses.readAddress),
    }),
    trading: ordersOf(client),
  };
}

/** Calls Gemini for each network, one call after the other because of the nonces. */
async function networksOf(client: ExchangeClient): Promise<ListedNetwork[]> {
  const found: ListedNetwork[] = [];
  const codeOf = await client.codes();
  for (const network of responses.networksWithAddresses) {
    const entries = await client
      .call(ASSETS, { network }, (body) => responses.readAssets(network, body))
      .catch(noneIfRefused);
    found.push(...client.lists.read('assets', entries, (entry) => responses.readNetwork(entry, codeOf)));
  }
  return found;
}

/** Turns a refusal into an empty list: "The supplied network is not supported or has no enabled assets." */
function noneIfRefused(error: unknown): unknown[] {
  if (error instanceof ExchangeError && error.reason === responses.NO_ASSETS) return [];
  throw error;
}

/** developer.gemini.com/rest/orders. Gemini has no market orders. */
function ordersOf(client: ExchangeClient): ReferenceOrders {
  const include_trades = 'true';
  return new ReferenceOrders(client, {
    endpoint: post('v1/order/new'),
    acceptance: { statuses: [200], readId: responses.readOrderId },
    errors: geminiErrors.orders,
    // Gemini: a time-based nonce "has to be within +/- 30 seconds of Unix Epoch timestamp"; any other nonce "must
    // increase between requests", so a search for the order is only answered when the order itself can no longer be.
    signedForMs: 30_000,
    isFundsRefusalDefinite: true,
    request: (order) => ({
      client_order_id: order.clientOrderId,
      symbol: order.exchangeSymbol,
      amount: order.volume.toString(),
      price: limitPriceOf(client.exchange, order).toString(),
      side: order.side,
      type: 'exchange limit',
    }),
    byReference: ({ clientOrderId: client_order_id }) =>
      client.call(ORDER_STATUS, { client_order_id, include_trades }, responses.readOrderOf),
    byId: ({ exchangeId: order_id }) => client.call(ORDER_STATUS, { order_id, include_trades }, responses.readOrder),
  });
}
