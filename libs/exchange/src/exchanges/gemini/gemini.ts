import { ListedDeposits } from '../../capabilities/listed-deposits.js';
import { NetworkList, type ListedNetwork } from '../../capabilities/network-list.js';
import { limitPriceOf, ReferenceOrders } from '../../capabilities/reference-orders.js';
import { TransferHistory } from '../../capabilities/transfer-pages.js';
import type { CcxtClient, Endpoint } from '../../ccxt/ccxt-client.js';
import { overCcxt } from '../../ccxt/ccxt-connector.js';
import type { SessionParts } from '../../ccxt/ccxt-exchange.js';
import { ExchangeError } from '../../port/exchange-error.js';
import { geminiErrors } from './gemini-errors.js';
import { transfersForward } from './gemini-history.js';
import * as responses from './gemini-responses.js';
import { signGemini } from './gemini-signature.js';
import { geminiTickers } from './gemini-tickers.js';

const post = (path: string): Endpoint => ({ api: 'private', method: 'POST', path });
const ASSETS: Endpoint = { api: 'private', method: 'GET', path: 'v2/networks/{network}/assets' };
const ORDER_STATUS: Endpoint = { ...post('v1/order/status'), sentAs: { include_trades: 'boolean' } };

/** The documentation does not say for how long orders can be read. A later search proves nothing. */
const ORDERS_FORGOTTEN_AFTER_MS = 24 * 60 * 60 * 1000;

/**
 * Gemini, with keys of one account: keys of a group of accounts ("master") are refused. The parameters of private calls
 * are in a header. Orders are limit orders with our id, by which they are found, and have no deadline.
 *
 * Gemini also has OAuth, which is not used: "Roles Endpoint" and "Get Assets for Network" name no scope, so a token can
 * neither be examined nor get deposit addresses, and the documentation asks for no nonce beside a token
 * ("Revoke OAuth Token"), so a repeated order would not be refused.
 */
export const gemini = overCcxt({
  spec: {
    id: 'gemini',
    name: 'Gemini',
    docsUrl: 'https://developer.gemini.com/',
    credentialFields: ['apiKey', 'apiSecret'],
    keyUrl: 'https://exchange.gemini.com/settings/api',
    // developer.gemini.com/authentication/api-key: keys of one account begin with `account-`.
    keyGuide: { fieldForms: { apiKey: /^account-[\x21-\x7e]+$/ } },
    access: ['read', 'deposit', 'trade'],
    notOffered: {
      withdrawal:
        'The list of transfers of Gemini (developer.gemini.com/rest/fund-management) neither contains our reference ' +
        '(clientTransferId) nor documents a withdrawal that failed, so the end of a withdrawal with an unknown ' +
        'outcome cannot be known.',
    },
    // developer.gemini.com/roles
    permissionAccess: {
      Auditor: ['read'],
      FundManager: ['read', 'deposit', 'withdrawal'],
      Trader: ['read', 'trade'],
    },
    hasSandbox: true,
  },
  revision: 1,
  ccxtId: 'gemini',
  liveUrl: 'https://api.gemini.com',
  apiUrls: (baseUrl) => ({ public: baseUrl, private: baseUrl, web: baseUrl, webExchange: baseUrl }),
  sign: signGemini,
  usesNonces: true,
  errors: geminiErrors.calls,
  pairs: responses.geminiPairs,
  tickers: geminiTickers,
  connect,
});

function connect(client: CcxtClient): SessionParts {
  const networks = new NetworkList(client, () => networksOf(client));
  return {
    balances: () => client.call(post('v1/balances'), {}, responses.readBalances),
    keyInfo: () => client.call(post('v1/roles'), {}, responses.readKeyInfo),
    history: new TransferHistory(client, {
      // Gemini began in October 2015.
      begins: new Date(Date.UTC(2015, 9, 1)),
      page: transfersForward(client),
      read: responses.readTransfer,
    }),
    deposits: new ListedDeposits(client, networks, {
      addresses: ({ exchangeNetworkId: network }) =>
        client.call(post('v1/addresses/{network}'), { network }, responses.readAddresses),
      create: ({ exchangeNetworkId: network }) =>
        client.call(post('v1/deposit/{network}/newAddress'), { network }, responses.readAddress),
    }),
    trading: ordersOf(client),
  };
}

/** One call for each network, one after the other because of the nonces. */
async function networksOf(client: CcxtClient): Promise<ListedNetwork[]> {
  const found: ListedNetwork[] = [];
  for (const network of responses.networksWithAddresses) {
    const entries = await client
      .call(ASSETS, { network }, (body) => responses.readAssets(network, body))
      .catch(noneIfRefused);
    found.push(...client.lists.read('assets', entries, (entry) => responses.readNetwork(entry, client.codeOf)));
  }
  return found;
}

/** "The supplied network is not supported or has no enabled assets." */
function noneIfRefused(error: unknown): unknown[] {
  if (error instanceof ExchangeError && error.reason === responses.NO_ASSETS) return [];
  throw error;
}

/** developer.gemini.com/rest/orders. There are no market orders. */
function ordersOf(client: CcxtClient): ReferenceOrders {
  const include_trades = 'true';
  return new ReferenceOrders(client, {
    endpoint: post('v1/order/new'),
    acceptance: { statuses: [200], readId: responses.readOrderId },
    errors: geminiErrors.orders,
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
    forgetsAfterMs: ORDERS_FORGOTTEN_AFTER_MS,
  });
}
