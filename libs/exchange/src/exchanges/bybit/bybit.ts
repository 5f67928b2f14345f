import { DAY_MS } from '#platform/clock';
import { readAccounts, type ListedAccount } from '../../capabilities/account-balances.js';
import { allPages } from '../../capabilities/cursor-pages.js';
import { ListedDeposits } from '../../capabilities/listed-deposits.js';
import { ListedWithdrawals } from '../../capabilities/listed-withdrawals.js';
import { NetworkList } from '../../capabilities/network-list.js';
import { readOtherAccounts } from '../../capabilities/other-accounts.js';
import { ReferenceOrders } from '../../capabilities/reference-orders.js';
import { periodParams, TransferHistory } from '../../capabilities/transfer-pages.js';
import type { ExchangeClient, Endpoint } from '../../client/exchange-client.js';
import { declareExchange } from '../../client/declared-connector.js';
import type { SessionParts } from '../../client/declared-exchange.js';
import { Cached } from '../../transport/cached.js';
import { bybitAccounts } from './bybit-accounts.js';
import { bybitErrors } from './bybit-errors.js';
import { readFundingAccount } from './bybit-funding.js';
import * as responses from './bybit-responses.js';
import { signBybit } from './bybit-signature.js';
import { travelRuleOf } from './bybit-travel-rule.js';

const get = (path: string): Endpoint => ({ method: 'GET', path: `/v5/${path}` });
const post = (path: string): Endpoint => ({ method: 'POST', path: `/v5/${path}` });

const transfers = { withdrawal: get('asset/withdraw/query-record'), deposit: get('asset/deposit/query-record') };
const KEY_INFO = get('user/query-api');
const GUIDE = 'bybit-exchange.github.io/docs/v5/guide#authentication (24 July 2026)';
const HOUR_MS = DAY_MS / 24;
/** For how long the id and the country of the account are kept. */
const OWNER_TTL_MS = HOUR_MS;
/**
 * Bybit: "you can only withdraw once every 10 seconds per chain/coin combination". One more second covers the time from
 * our right to send until the request reaches Bybit.
 */
const WITHDRAWAL_EVERY_MS = 11_000;
/** Bybit: "`endTime` - `startTime` should be less than 30 days." Periods of deposits count in whole seconds. */
const PERIOD_MAX_MS = 30 * DAY_MS - 1000;
/** Bybit: "Limit for data size per page. [`1`, `50`]" */
const PAGE_SIZE = '50';
/**
 * Bybit: "The orders in the last 24 hours: the orders with "Cancelled" (fully cancelled order), "Rejected" … can be
 * query". So Bybit lists an order that ended without an execution only for a day.
 */
const ORDERS_FORGOTTEN_AFTER_MS = DAY_MS;
/** Bybit: "startTime and endTime are not passed, return 7 days by default" */
const ORDERS_PERIOD_MS = 7 * DAY_MS;
const inPeriod = periodParams('startTime', 'endTime');
/** The value 2 selects on-chain and internal withdrawals. */
const ALL_WITHDRAWALS = { withdrawType: '2' };

/**
 * Bybit. Withdrawals are paid from the funding account, to addresses of the owner's address book. The amount is what
 * arrives; the fee is added. Records do not show the reference that we send, and the documentation does not say for how
 * long Bybit refuses a repeated reference, so withdrawals are found by their details, and the funding account shows
 * that one was not executed (docs/withdrawals.md, "Each exchange"). Orders carry our client order id. They have no
 * submission deadline, because Bybit makes an order some time after it has accepted the request.
 */
export const bybit = declareExchange({
  spec: {
    id: 'bybit',
    name: 'Bybit',
    docsUrl: 'https://bybit-exchange.github.io/docs/v5/intro',
    credentialFields: ['apiKey', 'apiSecret'],
    // Bybit's page guide#authentication lists these sites. The site for the European Union is left out, because it
    // issues keys only to applications of brokers.
    regions: [
      { id: 'global', name: 'Bybit (www.bybit.com)', url: 'https://api.bybit.com', evidence: GUIDE },
      { id: 'nl', name: 'Bybit Netherlands', url: 'https://api.bybit.nl', evidence: GUIDE },
      { id: 'tr', name: 'Bybit Turkey', url: 'https://api.bybit.tr', evidence: GUIDE },
      { id: 'kz', name: 'Bybit Kazakhstan', url: 'https://api.bybit.kz', evidence: GUIDE },
      { id: 'ge', name: 'Bybit Georgia', url: 'https://api.bybitgeorgia.ge', evidence: GUIDE },
      { id: 'ae', name: 'Bybit United Arab Emirates', url: 'https://api.bybit.ae', evidence: GUIDE },
      { id: 'id', name: 'Bybit Indonesia', url: 'https://api.bybit.id', evidence: GUIDE },
      { id: 'jp', name: 'Bybit Japan', url: 'https://api.manepa.jp', evidence: GUIDE },
    ],
    keyUrl: 'https://www.bybit.com/app/user/api-management',
    // The sources of these names of permissions are user/modify-master-apikey ("Read only", "Withdrawal") and
    // new-crypto-loan/fixed/borrow ("Spot trade").
    keyGuide: {
      permissions: { read: ['Read only'], deposit: ['Read only'], trade: ['Spot trade'], withdrawal: ['Withdrawal'] },
      readsWithAll: true,
    },
    access: ['read', 'deposit', 'trade', 'withdrawal'],
    partlyOffered: {
      // Bybit's page asset/deposit/deposit-record, "Get Deposit Records (on-chain)". The page internal-deposit-record
      // describes the other list.
      read:
        'Deposits from other users of Bybit, which are not on a chain, are not in the history. For some deposits, such ' +
        'as those that are pending, Bybit reports no time; their time in the history can be up to 30 days too late.',
      withdrawal:
        'Accounts under a travel rule cannot withdraw: accounts of the sites of Turkey, Kazakhstan, Indonesia, the ' +
        'United Arab Emirates and the Netherlands, and of owners from these countries, Korea, India and the European ' +
        'Economic Area. Their withdrawals need data about the recipient (bybit-exchange.github.io/docs/v5/asset/' +
        'withdraw/questionnaire), which the requests of this service do not contain.',
    },
    withdrawals: {
      class: 'by_match',
      amountIs: 'net',
      evidence: 'https://bybit-exchange.github.io/docs/v5/asset/withdraw/withdraw',
    },
    // Bybit's page user/apikey-info lists these permissions. Withdrawals need a key of the master account.
    permissionAccess: { readOnly: ['read'], SpotTrade: ['trade'], Withdraw: ['withdrawal'] },
    hasSandbox: true,
  },
  revision: 1,
  liveUrl: 'https://api.bybit.com',
  hostEvidence: GUIDE,
  // "Mainnet (both endpoints are available)"
  otherHost: { url: 'https://api.bytick.com', probe: '/v5/market/time', evidence: GUIDE },
  sign: signBybit,
  networkNames: responses.networkNames,
  errors: bybitErrors.calls,
  // Bybit's page rate-limit: "your remaining requests for current endpoint", "per second per UID".
  limits: [
    { of: 'endpoint', header: 'x-bapi-limit-status', states: 'left', stopAt: 0, periodMs: 1_000 },
    // "If you encounter the error "403, access too frequent" … terminate all HTTP sessions and wait for at least 10
    // minutes."
    { means: 'ban', of: 'address', status: 403, text: 'access too frequent', periodMs: 600_000 },
    // "If you receive "retCode": 10006 … you have hit the API rate limit."
    { means: 'rate_limit', of: 'endpoint', status: 200, text: '"retcode":10006', periodMs: 1_000 },
  ],
  // "You are allowed to send 600 requests within a 5-second window per IP by default."
  addressRate: { calls: 600, periodMs: 5_000 },
  pairs: responses.bybitPairs,
  connect,
});

const account = (name: string, path: string, read: ListedAccount['read']) => ({
  name,
  params: { accountType: name },
  paysWithdrawals: name === 'FUND',
  endpoint: get(path),
  read,
});

function connect(client: ExchangeClient): SessionParts {
  const networks = NetworkList.of(client, get('asset/coin/query-info'), responses.coinsOf, responses.readNetwork);
  const history = new TransferHistory(client, {
    // Bybit began in 2018.
    begins: new Date(Date.UTC(2018, 0, 1)),
    periodMaxMs: PERIOD_MAX_MS,
    // A deposit without a time gets the time of the end of its period, which can be a whole period too late.
    lateByMs: PERIOD_MAX_MS,
    page: async (kind, period, cursor) => {
      const params = { ...(kind === 'withdrawal' && ALL_WITHDRAWALS), ...inPeriod(period) };
      const page = await fetchPage(client, transfers[kind], cursor, params);
      return { ...page, entries: page.entries.map((entry) => responses.withTime(entry, period.until)) };
    },
    read: responses.readTransfer,
  });
  return {
    assetNames: networks.assetNames,
    balances: () =>
      readAccounts(client, [
        account('FUND', 'asset/transfer/query-account-coins-balance', responses.readFunding),
        account('UNIFIED', 'account/wallet-balance', responses.readUnified),
      ]),
    otherAccounts: (own) => readOtherAccounts(client, bybitAccounts, own),
    keyInfo: () => client.call(KEY_INFO, {}, responses.readKeyInfo),
    withdrawals: withdrawalsOf(client, networks, history),
    history,
    deposits: new ListedDeposits(client, networks, {
      addresses: ({ assetId: coin, exchangeNetworkId: chainType }) =>
        client.call(get('asset/deposit/query-address'), { coin, chainType }, (body) =>
          responses.readAddresses(body, client.lists),
        ),
    }),
    trading: ordersOf(client),
  };
}

const fetchPage = (client: ExchangeClient, endpoint: Endpoint, cursor: string | null, params: Record<string, string>) =>
  client.call(endpoint, { ...params, limit: PAGE_SIZE, ...(cursor !== null && { cursor }) }, responses.readPage);

/** Bybit's documentation: asset/withdraw/withdraw */
function withdrawalsOf(client: ExchangeClient, networks: NetworkList, history: TransferHistory): ListedWithdrawals {
  const owner = new Cached(client.clock, OWNER_TTL_MS, () => client.call(KEY_INFO, {}, responses.readOwner));
  return new ListedWithdrawals(client, networks, history, {
    endpoint: {
      ...post('asset/withdraw/create'),
      sentAs: { timestamp: 'integer', forceChain: 'integer', feeType: 'integer' },
    },
    acceptance: { statuses: [200], readId: responses.readWithdrawalId },
    request: ({ address, tag, amount, clientRef }, { assetId, exchangeNetworkId }) => ({
      coin: assetId,
      chain: exchangeNetworkId,
      address,
      ...(tag !== null && { tag }),
      amount: amount.toString(),
      timestamp: String(client.clock.now().getTime()),
      // Bybit: "1: Force the withdrawal to occur on-chain"
      forceChain: '1',
      accountType: 'FUND',
      // Bybit: "0: input amount is the actual amount received"
      feeType: '0',
      requestId: clientRef,
    }),
    sent: { address: 'address', tag: 'tag', amount: 'amount' },
    // Bybit counts calls "per second per UID" (rate-limit).
    spacing: {
      periodMs: WITHDRAWAL_EVERY_MS,
      by: ['coin', 'chain'],
      account: async () => (await owner.get()).id,
    },
    obstacle: async () => travelRuleOf(client.baseUrl, (await owner.get()).country),
    addressBook: async ({ assetId, exchangeNetworkId: chain }) => {
      // Bybit: "When only passing the chain name, it returns both regular addresses and universal addresses."
      const entries = await allPages(client.exchange, async (cursor) => {
        const page = await fetchPage(client, get('asset/withdraw/query-address'), cursor, { chain, addressType: '0' });
        // A page that returns the cursor with which it was requested is the last one.
        return page.nextCursor === cursor ? { ...page, nextCursor: null } : page;
      });
      return client.lists
        .read('addresses', entries, (entry) => responses.savedAddress.parse(entry))
        .filter((saved) => saved.chain === chain && [assetId, 'baseCoin'].includes(saved.coin));
    },
    byId: async (withdrawID, since) => {
      const until = new Date(Math.min(since.getTime() + PERIOD_MAX_MS - 1, client.clock.now().getTime()));
      const params = { withdrawID, ...ALL_WITHDRAWALS, ...inPeriod({ since, until }) };
      return history.readWithdrawals((await fetchPage(client, transfers.withdrawal, null, params)).entries);
    },
    payingAccount: (asset, since) => readFundingAccount(client, asset, since),
  });
}

/** Bybit's documentation: order/create-order */
function ordersOf(client: ExchangeClient): ReferenceOrders {
  const findIn = (path: string, filter: Record<string, string>, period: Record<string, string> = {}) => {
    const params = { category: 'spot', ...filter, ...period };
    return client.call(get(path), params, (body, codeOf) => responses.readOrder(body, filter, codeOf));
  };
  /**
   * Finds an order. The first list has the open and the latest ended orders, the second list the ended orders of the
   * last seven days. The documentation does not say whether these are the orders that were created or that ended in
   * the seven days. So for an older order we also read the list of the seven days after it was sent.
   */
  const find = async (filter: Record<string, string>, notBefore: Date) => {
    const found = (await findIn('order/realtime', filter)) ?? (await findIn('order/history', filter));
    const isOlder = client.clock.now().getTime() - notBefore.getTime() > ORDERS_PERIOD_MS;
    return found ?? (isOlder ? findIn('order/history', filter, { startTime: String(notBefore.getTime()) }) : null);
  };
  return new ReferenceOrders(client, {
    endpoint: { ...post('order/create'), sentAs: { isLeverage: 'integer' } },
    acceptance: { statuses: [200], readId: responses.readOrderId },
    errors: bybitErrors.orders,
    // Bybit, "Integration guidance": "server_time - recv_window <= timestamp", with "5000 by default", which is sent.
    signedForMs: 5_000,
    request: ({ exchangeSymbol, side, type, volume, price, clientOrderId }) => ({
      category: 'spot',
      symbol: exchangeSymbol,
      // Bybit: "0: false, spot trading"
      isLeverage: '0',
      side: side === 'buy' ? 'Buy' : 'Sell',
      orderType: type === 'limit' ? 'Limit' : 'Market',
      qty: volume.toString(),
      ...(price !== null && { price: price.toString() }),
      // Bybit: "Market Buy order by value by default". Our orders state a volume in the base asset.
      ...(type === 'market' && { marketUnit: 'baseCoin' }),
      orderLinkId: clientOrderId,
    }),
    byReference: ({ clientOrderId, notBefore }) => find({ orderLinkId: clientOrderId }, notBefore),
    byId: ({ exchangeId, notBefore }) => find({ orderId: exchangeId }, notBefore),
    forgetsAfterMs: ORDERS_FORGOTTEN_AFTER_MS,
    // Bybit lists orders with executions for longer than a week. If this order was executed after `seenAt`, the lists
    // that `find` reads contain it: either list selects by the creation of an order, or both select by its end.
    wasExecuted: ({ seenAt }) =>
      Promise.resolve(client.clock.now().getTime() - seenAt.getTime() < ORDERS_PERIOD_MS - HOUR_MS ? false : null),
  });
}
