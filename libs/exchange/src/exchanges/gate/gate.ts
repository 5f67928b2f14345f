import { readAccounts } from '../../capabilities/account-balances.js';
import { firstOfPages } from '../../capabilities/cursor-pages.js';
import { ListedDeposits } from '../../capabilities/listed-deposits.js';
import { NetworkList } from '../../capabilities/network-list.js';
import { readOtherAccounts } from '../../capabilities/other-accounts.js';
import { splitPeriods } from '../../capabilities/period-pages.js';
import { entriesOf } from '../../capabilities/response-fields.js';
import { limitPriceOf, ReferenceOrders } from '../../capabilities/reference-orders.js';
import { TransferHistory } from '../../capabilities/transfer-pages.js';
import type { ExchangeClient, Endpoint } from '../../client/exchange-client.js';
import { declareExchange } from '../../client/declared-connector.js';
import type { SessionParts } from '../../client/declared-exchange.js';
import { ExchangeError } from '../../port/exchange-error.js';
import type { ExchangeOrder, SoughtOrder } from '../../port/trading.port.js';
import { gateAccounts, gateUnifiedAccounts, readUnified } from './gate-accounts.js';
import { gateErrors } from './gate-errors.js';
import * as responses from './gate-responses.js';
import { signGate } from './gate-signature.js';

/** www.gate.com/docs/developers/apiv4: "Live trading: https://api.gateio.ws/api/v4" */
const GLOBAL = 'https://api.gateio.ws';
const HOST = 'www.gate.com/docs/developers/apiv4 (June 2026)';
const get = (path: string): Endpoint => ({ method: 'GET', path: `/api/v4/${path}` });

const CURRENCIES: Endpoint = { ...get('spot/currencies'), isPublic: true };
const ORDER = get('spot/orders/{order_id}');
const ORDERS = get('spot/orders');
const transfers = { withdrawal: get('wallet/withdrawals'), deposit: get('wallet/deposits') };
/** Gate's default. The documentation states no maximum for a page of withdrawals. */
const PAGE_SIZE = 100;
/**
 * Gate: "Record query time range cannot exceed 30 days". A period that we send can be up to four seconds longer: both
 * ends are rounded to seconds, and one second is added at each end.
 */
const PERIOD_MAX_MS = 30 * 86_400_000 - 4_000;

/**
 * Gate. Orders carry our client order id and a submission deadline. By our id, Gate returns only open orders, so the
 * connector searches the list of ended orders for all other orders. By its own id, Gate also returns ended orders.
 */
export const gate = declareExchange({
  spec: {
    id: 'gate',
    name: 'Gate',
    docsUrl: 'https://www.gate.com/docs/developers/apiv4/',
    credentialFields: ['apiKey', 'apiSecret'],
    regions: [
      { id: 'global', name: 'Gate (www.gate.com)', url: GLOBAL, evidence: HOST },
      {
        id: 'eu',
        name: 'Gate Europe',
        url: 'https://api.gateeu.com',
        evidence: 'the class `gateeu` of ccxt 4.5.84 (September 2026)',
      },
    ],
    keyUrl: 'https://www.gate.com/myaccount/apiv4keys',
    // Gate's documentation, #apiv4-permissions, lists these permissions, and /account/main_keys names "account: account
    // information".
    keyGuide: {
      permissions: {
        read: ['spot/margin (Read-only)', 'wallet (Read-only)', 'account (Read-only)'],
        deposit: ['wallet (Read-only)'],
        trade: ['spot/margin (Read-write)'],
        withdrawal: [],
      },
      fieldNames: { apiKey: 'Key', apiSecret: 'Secret Key' },
    },
    access: ['read', 'deposit', 'trade'],
    partlyOffered: {
      trade:
        'Only limit orders: a market order to buy has no volume at Gate, only the cost that it may spend. No orders for ' +
        'unified accounts, which could borrow for them.',
    },
    notOffered: {
      withdrawal:
        'Gate does not document whether the fee of a withdrawal is added to its amount or deducted from it, and charges ' +
        'no fee if the address is one of Gate’s own, which Causeway cannot know in advance.',
    },
    // The API does not report the permissions of the key that calls it.
    permissionAccess: {},
    hasSandbox: true,
  },
  revision: 2,
  liveUrl: GLOBAL,
  hostEvidence: HOST,
  sign: signGate,
  networkNames: responses.networkNames,
  errors: gateErrors.calls,
  // Gate, #frequency-limit-rule: "your remaining requests for current endpoint"; most endpoints have "200r/10s".
  // Gate documents 429 with TOO_MANY_REQUESTS beyond a limit, and no ban.
  limits: [
    { of: 'endpoint', header: 'x-gate-ratelimit-requests-remain', states: 'left', stopAt: 0, periodMs: 10_000 },
    { means: 'rate_limit', of: 'endpoint', status: 429, text: 'too_many_requests', periodMs: 1_000 },
  ],
  pairs: responses.gatePairs,
  connect,
});

function connect(client: ExchangeClient): SessionParts {
  const networks = NetworkList.of(client, CURRENCIES, responses.chainsOf, responses.readNetwork);
  const spot = { name: 'spot', paysWithdrawals: true, endpoint: get('spot/accounts'), read: responses.readBalances };
  const unified = { name: 'unified', paysWithdrawals: false, endpoint: get('unified/accounts'), read: readUnified };
  const readKey = () => client.call(get('account/detail'), {}, responses.readKey);
  /** Gate: "spot merged into trading account" (github.com/gate/gate-skills, gate-exchange-assets). */
  let isUnified: boolean | null = null;
  const readMode = async (): Promise<boolean> => (isUnified = (await readKey()).isUnified);
  return {
    assetNames: networks.assetNames,
    balances: async () => readAccounts(client, [(await readMode()) ? unified : spot]),
    otherAccounts: async (own) => {
      const accounts = (isUnified ?? (await readMode())) ? gateUnifiedAccounts : gateAccounts;
      return readOtherAccounts(client, accounts, own);
    },
    keyInfo: async () => (await readKey()).info,
    history: historyOf(client),
    deposits: new ListedDeposits(client, networks, {
      addresses: ({ assetId }) =>
        client.call(get('wallet/deposit_address'), { currency: assetId }, (body) =>
          responses.readAddresses(body, client.lists),
        ),
    }),
    trading: ordersOf(client, () => isUnified === true),
  };
}

/**
 * Gate's documentation, wallet: "Get withdrawal records", "Get deposit records". The documentation does not state the
 * order of the records, so a period is read in parts, and each part as a whole.
 */
function historyOf(client: ExchangeClient): TransferHistory {
  return new TransferHistory(client, {
    // Gate began in 2013.
    begins: new Date(Date.UTC(2013, 0, 1)),
    periodMaxMs: PERIOD_MAX_MS,
    page: splitPeriods({
      pageSize: PAGE_SIZE,
      unitMs: 1000,
      fetch: (kind, { since, until }, offset) =>
        client.call(
          transfers[kind],
          {
            // The documentation does not say whether the period contains its ends, so we add a second at both ends.
            from: String(Math.floor(since.getTime() / 1000) - 1),
            to: String(Math.ceil(until.getTime() / 1000) + 1),
            limit: String(PAGE_SIZE),
            offset: String(offset),
          },
          entriesOf,
        ),
    }),
    read: responses.readTransfer,
  });
}

/** Gate's documentation, spot: "Create an order", "Query single order details", "List orders" */
function ordersOf(client: ExchangeClient, isUnified: () => boolean): ReferenceOrders {
  const read = (orderId: string, { currency_pair = '' }: Readonly<Record<string, string>>) =>
    client.call(ORDER, { order_id: orderId, currency_pair }, responses.readOrder);
  return new ReferenceOrders(client, {
    endpoint: { method: 'POST', path: '/api/v4/spot/orders', sentAs: { 'x-gate-exptime': 'header' } },
    acceptance: { statuses: [201], readId: responses.readOrderId },
    // The balances, which are read before an order is placed, show the mode of the account.
    beforePlacing: () => (isUnified() ? Promise.reject(noUnifiedOrders(client.exchange)) : Promise.resolve({})),
    errors: gateErrors.orders,
    // Gate, "APIv4 signed request requirements": "request timestamp in seconds; gap between its value and current time
    // cannot exceed 60 seconds".
    signedForMs: 60_000,
    // Gate: "prefixed with `t-`", "no longer than 28 bytes without `t-` prefix"
    toClientOrderId: (hex) => `t-${hex.slice(0, 28)}`,
    request: (order) => ({
      text: order.clientOrderId,
      currency_pair: order.exchangeSymbol,
      type: 'limit',
      account: 'spot',
      side: order.side,
      amount: order.volume.toString(),
      price: limitPriceOf(client.exchange, order).toString(),
      time_in_force: 'gtc',
      // Gate: "if the GATE receives the request time greater than the expiration time, the request will be rejected"
      'x-gate-exptime': String(order.submissionDeadline.getTime()),
    }),
    keepsDeadline: true,
    // Gate: "Operations based on custom IDs can only be checked in pending orders." So we also search the ended orders.
    byReference: (sought) =>
      read(sought.clientOrderId, sought.request).catch((error: unknown) => {
        if (error instanceof ExchangeError && error.code === 'TRADING_ORDER_NOT_FOUND') return ended(client, sought);
        throw error;
      }),
    // Gate: "Only order ID can be used after the order is finished (transaction/cancel)"
    byId: ({ exchangeId, request }) => read(exchangeId, request),
  });
}

function noUnifiedOrders(exchange: string): ExchangeError {
  const message = 'this service places no orders for unified accounts of Gate';
  return new ExchangeError('refused', exchange, message, { reason: 'unified_account' });
}

/** Searches for an order among the orders that have ended after its submission. */
function ended(
  client: ExchangeClient,
  { clientOrderId, request, notBefore }: SoughtOrder,
): Promise<ExchangeOrder | null> {
  const { currency_pair = '' } = request;
  const from = String(Math.floor(notBefore.getTime() / 1000) - 1);
  return firstOfPages(client.exchange, (cursor) => {
    const page = cursor ?? '1';
    const params = { currency_pair, status: 'finished', from, page, limit: String(PAGE_SIZE) };
    return client.call(ORDERS, params, (body, codeOf) => {
      const list = entriesOf(body);
      const found = list.filter((entry) => responses.clientIdOf(entry) === clientOrderId);
      return {
        entries: found.map((entry) => responses.readOrder(entry, codeOf)),
        nextCursor: list.length < PAGE_SIZE ? null : String(Number(page) + 1),
      };
    });
  });
}
