import { ListedDeposits } from '../../capabilities/listed-deposits.js';
import { NetworkList, type ListedNetwork } from '../../capabilities/network-list.js';
import { ReferenceOrders } from '../../capabilities/reference-orders.js';
import { TransferHistory } from '../../capabilities/transfer-pages.js';
import type { CcxtClient, Endpoint } from '../../ccxt/ccxt-client.js';
import { overCcxt } from '../../ccxt/ccxt-connector.js';
import type { SessionParts } from '../../ccxt/ccxt-exchange.js';
import { ExchangeError } from '../../port/exchange-error.js';
import type { OrderInstruction, PreparedOrder } from '../../port/trading.port.js';
import { geminiErrors, geminiOrderErrors } from './gemini-errors.js';
import { transfersForward } from './gemini-history.js';
import { networksWithAddresses } from './gemini-networks.js';
import { geminiPairs } from './gemini-pairs.js';
import {
  NO_ASSETS,
  readAddress,
  readAddresses,
  readAssets,
  readBalances,
  readKeyInfo,
  readNetwork,
  readOrder,
  readOrderOf,
  readOrderReceipt,
  readTransfer,
} from './gemini-responses.js';
import { signGemini } from './gemini-signature.js';
import { geminiTickers } from './gemini-tickers.js';

const post = (path: string, sentAs?: Endpoint['sentAs']): Endpoint => ({
  api: 'private',
  method: 'POST',
  path,
  sentAs,
});
const ASSETS: Endpoint = { api: 'private', method: 'GET', path: 'v2/networks/{network}/assets' };
const ORDER_STATUS = post('v1/order/status', { include_trades: 'boolean' });

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
    countriesExcluded: [],
    hasSandbox: true,
    sandboxOnly: false,
  },
  revision: 1,
  ccxtId: 'gemini',
  liveUrl: 'https://api.gemini.com',
  apiUrls: (baseUrl) => ({ public: baseUrl, private: baseUrl, web: baseUrl, webExchange: baseUrl }),
  sign: signGemini,
  usesNonces: true,
  errors: geminiErrors,
  pairs: geminiPairs,
  tickers: geminiTickers,
  connect: (client) => connect(client),
});

function connect(client: CcxtClient): SessionParts {
  const { codeOf } = client;
  return {
    balances: () => client.call(post('v1/balances'), {}, (body) => readBalances(body, codeOf)),
    keyInfo: () => client.call(post('v1/roles'), {}, readKeyInfo),
    history: new TransferHistory(client, {
      kinds: ['deposit', 'withdrawal'],
      // Gemini began in October 2015.
      begins: new Date(Date.UTC(2015, 9, 1)),
      page: transfersForward(client),
      read: (kind, entry) => readTransfer(kind, entry, codeOf),
    }),
    deposits: new ListedDeposits(
      client,
      {
        addresses: ({ exchangeNetworkId: network }) =>
          client.call(post('v1/addresses/{network}'), { network }, readAddresses),
        create: ({ exchangeNetworkId: network }) =>
          client.call(post('v1/deposit/{network}/newAddress'), { network }, readAddress),
      },
      new NetworkList(client, () => networksOf(client)),
    ),
    trading: ordersOf(client),
  };
}

/** One call for each network, one after the other because of the nonces. */
async function networksOf(client: CcxtClient): Promise<ListedNetwork[]> {
  const found: ListedNetwork[] = [];
  for (const network of networksWithAddresses) {
    const entries = await client.call(ASSETS, { network }, readAssets).catch(noneIfRefused);
    found.push(...client.lists.read('assets', entries, (entry) => readNetwork(network, entry, client.codeOf)));
  }
  return found;
}

/** "The supplied network is not supported or has no enabled assets." */
function noneIfRefused(error: unknown): unknown[] {
  if (error instanceof ExchangeError && error.reason === NO_ASSETS) return [];
  throw error;
}

/** developer.gemini.com/rest/orders */
function ordersOf(client: CcxtClient): ReferenceOrders {
  const { codeOf } = client;
  const include_trades = 'true';
  return new ReferenceOrders(client, {
    endpoint: post('v1/order/new'),
    acceptance: { statuses: [200], readId: readOrderReceipt },
    errors: geminiOrderErrors,
    prepare: prepareOrder,
    byReference: ({ clientOrderId: client_order_id }) =>
      client.call(ORDER_STATUS, { client_order_id, include_trades }, (body) => readOrderOf(body, codeOf)),
    byId: ({ exchangeId: order_id }) =>
      client.call(ORDER_STATUS, { order_id, include_trades }, (body) => readOrder(body, codeOf)),
    forgetsAfterMs: ORDERS_FORGOTTEN_AFTER_MS,
  });
}

/** @throws ExchangeError: there are no market orders */
function prepareOrder({ exchangeSymbol: symbol, side, volume, price, clientOrderId }: OrderInstruction): PreparedOrder {
  if (price === null)
    throw new ExchangeError('refused', 'gemini', 'an order without a price', { code: 'TRADING_ROUTE_UNAVAILABLE' });
  return {
    request: {
      client_order_id: clientOrderId,
      symbol,
      amount: volume.toString(),
      price: price.toString(),
      side,
      type: 'exchange limit',
    },
    submissionDeadline: null,
  };
}
