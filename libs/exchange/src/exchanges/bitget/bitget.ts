import { readAccounts } from '../../capabilities/account-balances.js';
import { firstOfPages, pagesBy } from '../../capabilities/cursor-pages.js';
import { ListedDeposits } from '../../capabilities/listed-deposits.js';
import { ListedWithdrawals } from '../../capabilities/listed-withdrawals.js';
import type { ListedNetwork, NetworkList } from '../../capabilities/network-list.js';
import { limitPriceOf, nullIfNotFound, ReferenceOrders } from '../../capabilities/reference-orders.js';
import { readOtherAccounts } from '../../capabilities/other-accounts.js';
import { TransferHistory } from '../../capabilities/transfer-pages.js';
import type { ExchangeClient, Endpoint } from '../../client/exchange-client.js';
import { declareExchange } from '../../client/declared-connector.js';
import type { SessionParts } from '../../client/declared-exchange.js';
import type { ExchangeOrder, SoughtOrder } from '../../port/trading.port.js';
import { bitgetUnifiedErrors } from './unified/bitget-unified-errors.js';
import { bitgetAccounts, bitgetUnifiedAccounts } from './bitget-accounts.js';
import { BitgetAccount } from './bitget-account.js';
import { historyOfEither, OrdersOfEither, WithdrawalsOfClassic } from './bitget-either.js';
import { bitgetErrors } from './bitget-errors.js';
import {
  FORGOTTEN_AFTER_MS,
  inWiderPeriod,
  networksOf,
  noneIfForgotten,
  SIGNED_FOR_MS,
  v2CursorIn,
  type WithdrawalSearch,
} from './bitget-shared.js';
import { READ_ONLY } from './unified/bitget-unified-responses.js';
import { unifiedParts } from './unified/bitget-unified.js';
import * as responses from './bitget-responses.js';
import { signBitget } from './bitget-signature.js';

const call = (method: Endpoint['method'], path: string): Endpoint => ({ method, path: `/api/${path}` });
const get = (path: string): Endpoint => call('GET', path);

const SPOT = get('v2/spot/account/assets');
const FUNDING = get('v2/account/funding-assets');
const transfers = {
  withdrawal: get('v2/spot/wallet/withdrawal-records'),
  deposit: get('v2/spot/wallet/deposit-records'),
};
/**
 * Bitget: "The start and end time cannot exceed 90 days" (40705). This maximum is a second shorter, because we send a
 * period with a millisecond more at both ends.
 */
const PERIOD_MAX_MS = 90 * 86_400_000 - 1000;

/**
 * Bitget. Classic accounts have the API v2. Unified accounts have the API v3 (`unified`), and clients report that
 * accounts opened since May 2026 are unified (github.com/JKorf/Bitget.Net/issues/69).
 *
 * Withdrawals are paid from the spot account, and only over Lightning, because only for this network does the
 * documentation state what the amount means: "The value of size is the credited amount, excluding fees". For other
 * networks, error 43112 ("less than the handling fee") suggests that the amount includes the fee. Searches find a
 * withdrawal by our reference and an order by our client order id. By this id, Bitget returns only open orders, so the
 * connector searches the list of ended orders for all other orders.
 *
 * Unified accounts make no withdrawals here. Copies of the documentation name two calls (`v3/account/withdrawal` and
 * `v3/account/withdraw`), none says which account is debited, and the page of errors has no errors of withdrawals.
 */
export const bitget = declareExchange({
  spec: {
    id: 'bitget',
    name: 'Bitget',
    docsUrl: 'https://www.bitget.com/api-doc/common/intro',
    credentialFields: ['apiKey', 'apiSecret', 'apiPassphrase'],
    keyUrl: 'https://www.bitget.com/account/newapi',
    // A key without an IP allow-list cannot withdraw: "you can only withdraw coins through an whitelisted IP address"
    // (Bitget's page common/quick-start).
    keyGuide: {
      // The names for unified accounts are those of Bitget's page uta/guide, the others those of common/quick-start.
      permissions: {
        read: ['Read-Only (classic account)', 'Unified account management, read-only'],
        deposit: ['Read-Only (classic account)', 'Unified account management, read-only'],
        trade: ['Trade (classic account)', 'Unified account trade, read and write'],
        withdrawal: ['Withdraw (classic account)'],
      },
      fieldNames: { apiKey: 'APIKey', apiSecret: 'SecretKey', apiPassphrase: 'Passphrase' },
    },
    access: ['read', 'deposit', 'trade', 'withdrawal'],
    partlyOffered: {
      read: 'The balances of a unified account contain neither the margin of its futures nor their unrealized profit.',
      trade: 'Only limit orders: a market order to buy has no volume at Bitget, only the cost that it may spend.',
      withdrawal:
        'Only over Lightning: Bitget does not document whether other networks deduct the fee from the amount. Not from ' +
        'unified accounts: Bitget does not document which of their accounts a withdrawal debits.',
    },
    withdrawals: {
      class: 'by_reference',
      amountIs: 'net',
      evidence: 'https://www.bitget.com/api-doc/spot/account/Wallet-Withdrawal',
    },
    // Bitget's page spot/account/Get-Account-Info lists these names of permissions, and page
    // uta/account/Get-Account-Info those of unified accounts. Page uta/account/withdrawal/Withdrawal: "Permission: UTA
    // mgt. (read & write)".
    permissionAccess: {
      readonly: ['read'],
      trade: ['trade'],
      stor: ['read'],
      stow: ['trade'],
      wtor: ['read'],
      wwow: ['withdrawal'],
      [READ_ONLY]: ['read'],
      uta_mgt: ['read', 'withdrawal'],
      uta_trade: ['trade'],
      withdraw: ['withdrawal'],
    },
    hasSandbox: true,
  },
  revision: 5,
  liveUrl: 'https://api.bitget.com',
  hostEvidence: 'www.bitget.com/api-doc/common/intro, and the class of ccxt 4.5.84 (September 2026)',
  sign: signBitget,
  codeOf: responses.codeOf,
  networkNames: responses.networkNames,
  errors: bitgetErrors.calls,
  // Bitget's page common/faq: "the remaining rate limit per second"; "The rate limit of each API interface is
  // calculated independently".
  // It documents 429 ("Too many requests") beyond a limit, and no ban.
  limits: [
    { of: 'endpoint', header: 'x-mbx-used-remain-limit', states: 'left', stopAt: 0, periodMs: 1_000 },
    { means: 'rate_limit', of: 'endpoint', status: 429, text: '"429"', periodMs: 1_000 },
  ],
  pairs: responses.bitgetPairs,
  connect,
});

/** A session reads by the API of its account's kind, which Bitget's responses show. See `BitgetAccount`. */
function connect(client: ExchangeClient): SessionParts {
  const { exchange } = client;
  const networks = networksOf(client);
  const classic = classicParts(client);
  const unified = unifiedParts(client);
  const account = new BitgetAccount({ classic: classic.probe, unified: unified.probe });
  const histories = { classic: classic.history, unified: unified.history };
  const withdrawals = {
    classic: withdrawalsOf(client, networks, { history: classic.history, search: classic.searchWithdrawals }),
    unified: withdrawalsOf(client, networks, { history: unified.history, search: unified.searchWithdrawals }),
  };
  return {
    assetNames: networks.assetNames,
    balances: () => account.read({ classic: classic.balances, unified: unified.balances }),
    otherAccounts: async (own) => {
      if (account.shownKind !== 'unified') return readOtherAccounts(client, await bitgetAccounts(client), own);
      return readOtherAccounts(client.withErrors(bitgetUnifiedErrors.calls), bitgetUnifiedAccounts, own);
    },
    keyInfo: () => account.read({ classic: classic.keyInfo, unified: unified.keyInfo }),
    withdrawals: new WithdrawalsOfClassic(exchange, account, withdrawals),
    history: historyOfEither(account, histories),
    deposits: new ListedDeposits(client, networks, {
      addresses: (listed) =>
        account.read({ classic: () => classic.addresses(listed), unified: () => unified.addresses(listed) }),
    }),
    trading: new OrdersOfEither(exchange, account, { classic: ordersOf(client), unified: unified.trading }),
  };
}

/** The reads of a session with a classic account, by Bitget's API v2. */
function classicParts(client: ExchangeClient) {
  const { readBalances: read } = responses;
  const spot = { name: 'spot', paysWithdrawals: true, endpoint: SPOT, read };
  const funding = { name: 'funding', paysWithdrawals: false, endpoint: FUNDING, read };
  return {
    balances: () => readAccounts(client, [spot, funding]),
    probe: () => readAccounts(client, [{ ...spot, params: { coin: 'BTC' } }]),
    keyInfo: () => client.call(get('v2/spot/account/info'), {}, responses.readKeyInfo),
    history: historyOf(client),
    searchWithdrawals: searchOf(client),
    addresses: (listed: ListedNetwork) => {
      const params = { coin: listed.assetId, chain: listed.exchangeNetworkId };
      return client.call(get('v2/spot/wallet/deposit-address'), params, (body) => [
        responses.readAddress(body, listed),
      ]);
    },
  };
}

/** Bitget's documentation: spot/account/Get-Withdraw-Record, spot/account/Get-Deposit-Record */
function historyOf(client: ExchangeClient): TransferHistory {
  return new TransferHistory(client, {
    // Bitget began in 2018.
    begins: new Date(Date.UTC(2018, 0, 1)),
    periodMaxMs: PERIOD_MAX_MS,
    page: (kind, period, inner) => {
      const cursor = v2CursorIn(inner);
      const page = { limit: String(responses.PAGE_SIZE), ...(cursor !== null && { idLessThan: cursor }) };
      const params = { ...inWiderPeriod(period), ...page };
      return client.call(transfers[kind], params, responses.readPage).catch(noneIfForgotten);
    },
    read: responses.readTransfer,
  });
}

/** Returns a function that searches the withdrawals since a moment, for at most the longest period of one call. */
function searchOf(client: ExchangeClient): WithdrawalSearch {
  return (params, notBefore) => {
    const endTime = Math.min(notBefore.getTime() + PERIOD_MAX_MS, client.clock.now().getTime());
    const period = { startTime: String(notBefore.getTime()), endTime: String(endTime) };
    return client.call(transfers.withdrawal, { ...params, ...period }, responses.entriesOf);
  };
}

/**
 * Bitget's documentation: spot/account/Wallet-Withdrawal. Only the search for withdrawals differs between the APIs,
 * because no withdrawal is sent by v3.
 */
function withdrawalsOf(
  client: ExchangeClient,
  networks: NetworkList,
  { history, search: find }: { history: TransferHistory; search: WithdrawalSearch },
): ListedWithdrawals {
  const search = (params: Record<string, string>, notBefore: Date) => history.found(find(params, notBefore));
  return new ListedWithdrawals(client, networks, history, {
    endpoint: call('POST', 'v2/spot/wallet/withdrawal'),
    acceptance: { statuses: [200], readId: responses.readOrderId },
    request: ({ address, tag, amount, clientRef }, { assetId, exchangeNetworkId }) => ({
      coin: assetId,
      transferType: 'on_chain',
      address,
      chain: exchangeNetworkId,
      ...(tag !== null && { tag }),
      size: amount.toString(),
      clientOid: clientRef,
    }),
    sent: { address: 'address', tag: 'tag', amount: 'size' },
    requirements: () => [
      {
        type: 'address_allowlist',
        detail: 'Bitget pays only to addresses that are in the address book on its web site.',
      },
    ],
    byId: async (orderId, notBefore) => (await search({ orderId }, notBefore)).records,
    byReference: (clientOid, { notBefore }) => search({ clientOid }, notBefore),
  });
}

/** Bitget's documentation: spot/trade/Place-Order, …/Get-Order-Info, …/Get-History-Orders */
function ordersOf(client: ExchangeClient): ReferenceOrders {
  const find = (params: Record<string, string>) =>
    client.call(get('v2/spot/trade/orderInfo'), params, responses.readOrder);
  return new ReferenceOrders(client, {
    endpoint: call('POST', 'v2/spot/trade/place-order'),
    acceptance: { statuses: [200], readId: responses.readOrderId },
    errors: bitgetErrors.orders,
    signedForMs: SIGNED_FOR_MS,
    request: (order) => ({
      symbol: order.exchangeSymbol,
      side: order.side,
      orderType: 'limit',
      force: 'gtc',
      price: limitPriceOf(client.exchange, order).toString(),
      size: order.volume.toString(),
      clientOid: order.clientOrderId,
    }),
    // By our id, Bitget returns only open orders: "If you query the order details through clientOid, […] the order is
    // in unfilled status".
    byReference: async (sought) =>
      (await find({ clientOid: sought.clientOrderId }).catch(nullIfNotFound)) ?? ended(client, sought),
    // Bitget documents only for the list of ended orders for how long they can be read.
    byId: async ({ exchangeId: orderId, request, notBefore }) =>
      (await find({ orderId }).catch(nullIfNotFound)) ??
      ended(client, { clientOrderId: request['clientOid'] ?? '', request, notBefore }),
    forgetsAfterMs: FORGOTTEN_AFTER_MS,
  });
}

/** Searches for an order among the orders that have ended after its submission. */
function ended(
  client: ExchangeClient,
  { clientOrderId, request, notBefore }: SoughtOrder,
): Promise<ExchangeOrder | null> {
  const { symbol = '' } = request;
  const endTime = Math.min(notBefore.getTime() + PERIOD_MAX_MS, client.clock.now().getTime());
  const period = { startTime: String(notBefore.getTime()), endTime: String(endTime) };
  const params = { symbol, ...period, limit: String(responses.PAGE_SIZE) };
  const list = { endpoint: get('v2/spot/trade/history-orders'), params, cursor: 'idLessThan' };
  const page = pagesBy(client, list, responses.readOrdersWith(clientOrderId));
  return firstOfPages(client.exchange, (cursor) => page(cursor).catch(noneIfForgotten));
}
