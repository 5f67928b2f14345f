import { DAY_MS } from '#platform/clock';
import { readAccounts } from '../../capabilities/account-balances.js';
import { ListedDeposits } from '../../capabilities/listed-deposits.js';
import { NetworkList } from '../../capabilities/network-list.js';
import { readOtherAccounts } from '../../capabilities/other-accounts.js';
import { ReferenceOrders } from '../../capabilities/reference-orders.js';
import { UNREPORTED_KEY_INFO } from '../../capabilities/response-fields.js';
import { TransferHistory, type EntryPage, type Period } from '../../capabilities/transfer-pages.js';
import { upperCaseCode } from '../../declaration/asset-names.js';
import type { ExchangeClient, Endpoint } from '../../client/exchange-client.js';
import { declareExchange } from '../../client/declared-connector.js';
import type { SessionParts } from '../../client/declared-exchange.js';
import type { HistoryKind } from '../../port/exchange.port.js';
import { bitstampErrors } from './bitstamp-errors.js';
import * as responses from './bitstamp-responses.js';
import { signBitstamp } from './bitstamp-signature.js';

const post = (path: string): Endpoint => ({ method: 'POST', path: `/api/v2/${path}` });

const BALANCES = post('account_balances/');
const transfers: Readonly<Record<HistoryKind, Endpoint>> = {
  withdrawal: post('withdrawal-requests/'),
  deposit: post('crypto-transactions/'),
};

/** Bitstamp: "Limit result to that many … (minimum: 1; maximum: 1000)" */
const PAGE_SIZE = 1000;

/** Maximum number of requests for one page of the history. */
const REQUESTS_MAX = 5;

/** Bitstamp: "Withdrawal requests from number of seconds ago to now (max. 50000000)." */
const PERIOD_MAX_SECONDS = 50_000_000;

/** Bitstamp: "For closed orders, this call only returns information for the last 30 days." */
const ORDERS_FORGOTTEN_AFTER_MS = 30 * DAY_MS;

/**
 * Bitstamp. The connector makes no withdrawals: the documentation does not say whether the fee is added to the amount
 * or deducted from it, and Bitstamp requires data about the recipient that our requests do not have. Orders are found
 * by our client order id for 30 days, and have no submission deadline. No call returns facts about a key.
 */
export const bitstamp = declareExchange({
  spec: {
    id: 'bitstamp',
    name: 'Bitstamp',
    docsUrl: 'https://www.bitstamp.net/api/',
    credentialFields: ['apiKey', 'apiSecret'],
    keyUrl: 'https://www.bitstamp.net/settings/access-control/api/',
    access: ['read', 'deposit', 'trade'],
    partlyOffered: {
      read:
        'Withdrawals that are older than 50,000,000 seconds (578 days) may be missing in the history: requests cannot ' +
        'state a longer period. The amount of a withdrawal may include its fee, which Bitstamp does not document.',
    },
    notOffered: {
      withdrawal:
        'The documentation of Bitstamp does not say whether the fee of a withdrawal is added to the amount or ' +
        'deducted from it. Bitstamp also requires the recipient’s name, date of birth, postal address and provider ' +
        '(travel rule, developers.fireblocks.com/docs/bitstamp-travel-rule), which the requests of this service do not contain.',
    },
    // The API does not report the permissions of a key.
    permissionAccess: {},
    hasSandbox: true,
  },
  revision: 1,
  liveUrl: 'https://www.bitstamp.net',
  hostEvidence: 'www.bitstamp.net/api, and the class of ccxt 4.5.84 (September 2026)',
  sign: signBitstamp,
  codeOf: upperCaseCode,
  networkNames: responses.networkNames,
  errors: bitstampErrors.calls,
  // www.bitstamp.net/api, "Request limits" and "Response codes": "400 requests per second", "10,000 requests per 10
  // minutes", 400.002 = "Request rejected due to exceeded rate limit". It documents no status of a ban.
  limits: [{ means: 'rate_limit', of: 'credential', status: 400, text: '"400.002"', periodMs: 1_000 }],
  addressRate: { calls: 10_000, periodMs: 600_000 },
  pairs: responses.bitstampPairs,
  tickers: responses.bitstampTickers,
  connect,
});

function connect(client: ExchangeClient): SessionParts {
  const currencies: Endpoint = { method: 'GET', path: '/api/v2/currencies/', isPublic: true };
  const networks = NetworkList.of(client, currencies, responses.currenciesOf, responses.readNetwork);
  const main = { name: 'main', paysWithdrawals: true, endpoint: BALANCES, read: responses.readBalances };
  return {
    assetNames: networks.assetNames,
    balances: () => readAccounts(client, [main]),
    // The documentation does not say whether the balances contain what earns, and has no call for other accounts.
    otherAccounts: (own) => readOtherAccounts(client, { notServed: ['earn', 'derivatives', 'sub-accounts'] }, own),
    keyInfo: async () => {
      // Bitstamp reports nothing about a key. Reading the balances shows that the key is valid.
      await readAccounts(client, [main]);
      return UNREPORTED_KEY_INFO;
    },
    history: historyOf(client),
    deposits: new ListedDeposits(client, networks, {
      addresses: async ({ assetId, exchangeNetworkId: network }) => {
        const params = { currency: assetId.toLowerCase(), network };
        return [await client.call(post('{currency}_address/'), params, responses.readAddress)];
      },
    }),
    trading: ordersOf(client),
  };
}

/**
 * Deposits and withdrawals are paged by position. We read both lists as a whole, because only a request for withdrawals
 * can state a period (`timedelta`). The documentation does not say which period a request without `timedelta` gets. For
 * withdrawals a client reports one day (github.com/kmadac/bitstamp-python-client), so we request the longest period. If
 * older withdrawals are sought, we also send a request without `timedelta`, which may return them.
 */
function historyOf(client: ExchangeClient): TransferHistory {
  return new TransferHistory(client, {
    // Bitstamp began in August 2011.
    begins: new Date(Date.UTC(2011, 7, 1)),
    page: (kind, period, cursor) => {
      const isOlder = client.clock.now().getTime() - period.since.getTime() > PERIOD_MAX_SECONDS * 1000;
      const longest = { timedelta: String(PERIOD_MAX_SECONDS) };
      const filters = kind === 'deposit' ? [{}] : isOlder ? [longest, {}] : [longest];
      return pageOfLists(client, { kind, filters }, period, cursor);
    },
    dated: responses.dated,
    read: responses.readTransfer,
  });
}

/** Reads the lists one after the other. A page has the entries of at most REQUESTS_MAX requests. */
async function pageOfLists(
  client: ExchangeClient,
  { kind, filters }: { kind: HistoryKind; filters: readonly Record<string, string>[] },
  { since, until }: Period,
  cursor: string | null,
): Promise<EntryPage> {
  let [list = 0, offset = 0] = (cursor ?? '0+0').split('+').map(Number);
  const found = new Map<string, unknown>();
  for (let requests = 0; requests < REQUESTS_MAX && list < filters.length; requests++) {
    const position = { limit: String(PAGE_SIZE), offset: String(offset) };
    const params = { ...filters[list], ...position };
    const page = await client.call(transfers[kind], params, responses.readTransfers[kind]);
    for (const entry of page) found.set(JSON.stringify(entry), entry);
    offset += page.length;
    if (page.length === PAGE_SIZE && !endsBefore(since, page)) continue;
    [list, offset] = [list + 1, 0];
  }
  const entries = [...found.values()];
  if (list === filters.length) return { entries, nextCursor: null };
  return { entries, nextCursor: `${list}+${offset}`, reachedAt: until };
}

/**
 * Whether the rest of a list is older than `since`. The documentation does not state the order of the list, so this
 * holds only for a page that is wholly sorted by time and ends a day before `since`.
 */
function endsBefore(since: Date, page: readonly unknown[]): boolean {
  const times = page.map((entry) => responses.dated.safeParse(entry).data?.at?.getTime() ?? NaN);
  const isSorted = times.every((time, index) => index === 0 || time <= (times[index - 1] ?? NaN));
  return isSorted && (times.at(-1) ?? NaN) < since.getTime() - DAY_MS;
}

/** OpenLimitBuyOrder, OpenMarketBuyOrder and so on: Bitstamp has an endpoint for each side and type of an order. */
function ordersOf(client: ExchangeClient): ReferenceOrders {
  const read = (id: Record<string, string>, { endpoint = '' }: Readonly<Record<string, string>>) =>
    client.call(post('order_status/'), id, (body, codeOf) => responses.readOrder(body, endpoint, codeOf));
  return new ReferenceOrders(client, {
    endpoint: post('{+endpoint}/{market}/'),
    acceptance: { statuses: [200], readId: responses.readOrderId },
    errors: bitstampErrors.orders,
    // Bitstamp refuses a timestamp "more than 150 seconds from current server time".
    signedForMs: 150_000,
    isFundsRefusalDefinite: true,
    request: ({ exchangeSymbol, side, type, volume, price, clientOrderId }) => ({
      endpoint: type === 'market' ? `${side}/market` : side,
      market: exchangeSymbol,
      amount: volume.toString(),
      ...(price !== null && { price: price.toString() }),
      client_order_id: clientOrderId,
    }),
    byReference: ({ clientOrderId, request }) => read({ client_order_id: clientOrderId }, request),
    byId: ({ exchangeId, request }) => read({ id: exchangeId }, request),
    forgetsAfterMs: ORDERS_FORGOTTEN_AFTER_MS,
  });
}
