import { readAccounts } from '../../../capabilities/account-balances.js';
import { firstOfPages, pagesBy } from '../../../capabilities/cursor-pages.js';
import type { DepositsDeclaration } from '../../../capabilities/listed-deposits.js';
import { limitPriceOf, nullIfNotFound, ReferenceOrders } from '../../../capabilities/reference-orders.js';
import { TransferHistory } from '../../../capabilities/transfer-pages.js';
import type { ExchangeClient, Endpoint } from '../../../client/exchange-client.js';
import type { SessionParts } from '../../../client/declared-exchange.js';
import type { ExchangeOrder, SoughtOrder } from '../../../port/trading.port.js';
import {
  FORGOTTEN_AFTER_MS,
  inWiderPeriod,
  noneIfForgotten,
  SIGNED_FOR_MS,
  v3CursorIn,
  type WithdrawalSearch,
} from '../bitget-shared.js';
import { entriesOf, PAGE_SIZE, readAddress, readOrderId } from '../bitget-responses.js';
import { bitgetUnifiedErrors } from './bitget-unified-errors.js';
import * as responses from './bitget-unified-responses.js';

const call = (method: Endpoint['method'], path: string): Endpoint => ({ method, path: `/api/${path}` });
const get = (path: string): Endpoint => call('GET', path);

const ASSETS = get('v3/account/assets');
const FUNDING = get('v3/account/funding-assets');
const transfers = {
  withdrawal: get('v3/account/withdrawal-records'),
  deposit: get('v3/account/deposit-records'),
};
/**
 * ccxt 4.5.84 (`bitget.fetchDeposits`): "uta allows a window of 30 days at most". Bitget's page
 * uta/trade/Get-Order-History: the period of one call "must not exceed 30 days". This maximum is a second shorter,
 * because we send a period of records with a millisecond more at both ends.
 */
const PERIOD_MAX_MS = 30 * 86_400_000 - 1000;
/** The search for a withdrawal covers as long a time as the one by v2. */
const SEARCHED_MS = 3 * PERIOD_MAX_MS;
/** A search for ended orders begins this long after the oldest moment that Bitget allows, because clocks differ. */
const FORGETTING_MARGIN_MS = 60_000;

/** The parts of a session with a unified account, by Bitget's API v3. The list of networks is public. */
export interface UnifiedParts extends Required<Pick<SessionParts, 'balances' | 'keyInfo'>> {
  /** A cheap read. */
  readonly probe: () => Promise<unknown>;
  readonly history: TransferHistory;
  readonly searchWithdrawals: WithdrawalSearch;
  readonly addresses: DepositsDeclaration['addresses'];
  readonly trading: ReferenceOrders;
}

/** @param own the client of the session. Calls of the API v3 have an error map of their own. */
export function unifiedParts(own: ExchangeClient): UnifiedParts {
  const client = own.withErrors(bitgetUnifiedErrors.calls);
  // Bitget's page uta/account/Get-Max-Withdrawal has a maximum for each of the two accounts.
  const unified = { name: 'unified', paysWithdrawals: true, endpoint: ASSETS, read: responses.readBalances };
  const funding = { name: 'funding', paysWithdrawals: true, endpoint: FUNDING, read: responses.readFunding };
  return {
    balances: () => readAccounts(client, [unified, funding]),
    probe: () => readAccounts(client, [unified]),
    keyInfo: () => client.call(get('v3/account/info'), {}, responses.readKeyInfo),
    history: historyOf(client),
    searchWithdrawals: searchOf(client),
    addresses: (listed) => {
      const params = { coin: listed.assetId, chain: listed.exchangeNetworkId };
      return client.call(get('v3/account/deposit-address'), params, (body) => [readAddress(body, listed)]);
    },
    trading: ordersOf(client),
  };
}

/** Bitget's documentation: uta/account/deposit/Get-Deposit-Records, uta/account/withdrawal/Get-Withdrawal-Records */
function historyOf(client: ExchangeClient): TransferHistory {
  return new TransferHistory(client, {
    // Bitget began in 2018.
    begins: new Date(Date.UTC(2018, 0, 1)),
    periodMaxMs: PERIOD_MAX_MS,
    page: (kind, period, inner) => {
      const cursor = v3CursorIn(inner);
      const page = { limit: String(PAGE_SIZE), ...(cursor !== null && { cursor }) };
      const params = { ...inWiderPeriod(period), ...page };
      return client.call(transfers[kind], params, responses.readPage).catch(noneIfForgotten);
    },
    read: responses.readTransfer,
  });
}

/**
 * Returns a function that searches the withdrawals of the 90 days since a moment, one period after the other, until one
 * has a record. Bitget's page uta/account/withdrawal/Get-Withdrawal-Records has the parameters `orderId` and
 * `clientOid`.
 */
function searchOf(client: ExchangeClient): WithdrawalSearch {
  return async (params, notBefore) => {
    const end = Math.min(notBefore.getTime() + SEARCHED_MS, client.clock.now().getTime());
    for (let since = notBefore.getTime(); since < end; since += PERIOD_MAX_MS) {
      const period = { startTime: String(since), endTime: String(Math.min(since + PERIOD_MAX_MS, end)) };
      const found = await client.call(transfers.withdrawal, { ...params, ...period }, entriesOf);
      if (found.length > 0) return found;
    }
    return [];
  };
}

/** Bitget's documentation: uta/trade/Place-Order, …/Get-Order-Details, …/Get-Order-History */
function ordersOf(client: ExchangeClient): ReferenceOrders {
  const find = (params: Record<string, string>) =>
    client.call(get('v3/trade/order-info'), params, responses.readOrder).catch(nullIfNotFound);
  return new ReferenceOrders(client, {
    endpoint: call('POST', 'v3/trade/place-order'),
    acceptance: { statuses: [200], readId: readOrderId },
    errors: bitgetUnifiedErrors.orders,
    signedForMs: SIGNED_FOR_MS,
    request: (order) => ({
      // Only orders of the category MARGIN borrow ("will automatically trigger fund borrowing").
      category: 'SPOT',
      symbol: order.exchangeSymbol,
      side: order.side,
      orderType: 'limit',
      timeInForce: 'gtc',
      price: limitPriceOf(client.exchange, order).toString(),
      qty: order.volume.toString(),
      clientOid: order.clientOrderId,
    }),
    // Changelog of 9 October 2025: our id must be unique only among open orders. The pages do not state whether Bitget
    // also finds ended orders by our id.
    byReference: async (sought) => (await find({ clientOid: sought.clientOrderId })) ?? ended(client, sought),
    byId: async ({ exchangeId: orderId, request, notBefore }) =>
      (await find({ orderId })) ?? ended(client, { clientOrderId: request['clientOid'] ?? '', request, notBefore }),
    forgetsAfterMs: FORGOTTEN_AFTER_MS,
  });
}

/**
 * Searches for an order among the ended orders since its submission, one period after the other. Bitget's page
 * uta/trade/Get-Order-History: "The access window is 90 days".
 */
async function ended(client: ExchangeClient, sought: SoughtOrder): Promise<ExchangeOrder | null> {
  const now = client.clock.now().getTime();
  const oldest = now - FORGOTTEN_AFTER_MS + FORGETTING_MARGIN_MS;
  const endpoint = get('v3/trade/history-orders');
  const read = responses.readOrdersWith(sought.clientOrderId);
  for (let since = Math.max(sought.notBefore.getTime(), oldest); since <= now; since += PERIOD_MAX_MS) {
    const period = { startTime: String(since), endTime: String(Math.min(since + PERIOD_MAX_MS, now)) };
    const params = { category: 'SPOT', symbol: sought.request['symbol'] ?? '', ...period, limit: String(PAGE_SIZE) };
    const page = pagesBy(client, { endpoint, params }, read);
    const found = await firstOfPages(client.exchange, page);
    if (found !== null) return found;
  }
  return null;
}
