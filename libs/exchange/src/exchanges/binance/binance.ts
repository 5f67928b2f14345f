import { DAY_MS } from '#platform/clock';
import { mergeAccounts, readAccount } from '../../capabilities/account-balances.js';
import { allPages } from '../../capabilities/cursor-pages.js';
import { ListedDeposits } from '../../capabilities/listed-deposits.js';
import { ListedWithdrawals } from '../../capabilities/listed-withdrawals.js';
import { NetworkList } from '../../capabilities/network-list.js';
import { readOtherAccounts } from '../../capabilities/other-accounts.js';
import type { OrderTrade } from '../../capabilities/order-form.js';
import { ReferenceOrders } from '../../capabilities/reference-orders.js';
import { entriesOf } from '../../capabilities/response-fields.js';
import { splitPeriods } from '../../capabilities/period-pages.js';
import { TransferHistory } from '../../capabilities/transfer-pages.js';
import type { ExchangeClient, Endpoint } from '../../client/exchange-client.js';
import { declareExchange } from '../../client/declared-connector.js';
import type { SessionParts } from '../../client/declared-exchange.js';
import { METADATA_TTL_MS } from '../../declaration/exchange-declaration.js';
import { ExchangeError } from '../../port/exchange-error.js';
import { Cached } from '../../transport/cached.js';
import { binanceAccounts } from './binance-accounts.js';
import { binanceErrors } from './binance-errors.js';
import * as responses from './binance-responses.js';
import { signBinance } from './binance-signature.js';

/** Binance: "Default: 1000, Max: 1000" */
const PAGE_SIZE = 1000;
/** Binance: "time between `startTime` and `endTime` must be less than 90 days" */
const PERIOD_MAX_MS = 90 * DAY_MS - 1000;
/** Binance: "If `withdrawOrderId` is sent, time between `startTime` and `endTime` must be less than 7 days." */
const REFERENCE_PERIOD_MAX_MS = 7 * DAY_MS - 1000;
/** Binance: "Order was canceled or expired with no executed qty over 90 days ago and has been archived." (-2026) */
const ORDERS_FORGOTTEN_AFTER_MS = 90 * DAY_MS;
/**
 * developers.binance.com/docs/binance-spot-api-docs/rest-api/endpoint-security-type: a request is refused `recvWindow`
 * after its timestamp, and "the value cannot be greater than 60000".
 */
const RECV_WINDOW_MAX_MS = 60_000;
/** `walletType`: "0-spot wallet". Without this parameter, the wallet is the owner's last choice on the web site. */
const SPOT_WALLET = '0';

const get = (path: string, api = 'sapi/v1'): Endpoint => ({ method: 'GET', path: `/${api}/${path}` });
const post = (path: string, api = 'sapi/v1'): Endpoint => ({ method: 'POST', path: `/${api}/${path}` });

/**
 * `cost` follows from developers.binance.com/docs/wallet/general-info: an endpoint with a limit by account allows
 * 180,000 weight a minute. Our default limit is five calls a second, so 300 a minute. A call that lists withdrawals
 * weighs 18,000, which allows ten a minute, so it costs 30 of our calls. A withdrawal weighs 900, which allows 200 a
 * minute, so it costs two.
 */
const WITHDRAW: Endpoint = { ...post('capital/withdraw/apply'), cost: 2 };
const transfers = {
  withdrawal: { ...get('capital/withdraw/history'), cost: 30 },
  deposit: get('capital/deposit/hisrec'),
};

/**
 * Binance. Withdrawals are paid from the spot wallet. The fee is deducted from the amount: "The amount of withdrawal
 * must be greater than the Commission" (-4028). Searches find a withdrawal by our reference and an order by our client
 * order id.
 */
export const binance = declareExchange({
  spec: {
    id: 'binance',
    name: 'Binance',
    docsUrl: 'https://developers.binance.com/docs/wallet/Introduction',
    credentialFields: ['apiKey', 'apiSecret'],
    keyUrl: 'https://www.binance.com/en/my/settings/api-management',
    // developers.binance.com/docs/wallet/account/api-key-permission: "You must apply the IP Access Restriction filter
    // in order to enable withdrawals".
    keyGuide: {
      permissions: {
        read: ['Enable Reading'],
        deposit: ['Enable Reading'],
        trade: ['Enable Spot & Margin Trading'],
        withdrawal: ['Restrict access to trusted IPs only', 'Enable Withdrawals'],
      },
      fieldNames: { apiKey: 'API Key', apiSecret: 'Secret Key' },
    },
    access: ['read', 'deposit', 'trade', 'withdrawal'],
    partlyOffered: {
      withdrawal:
        'Accounts under a travel rule cannot withdraw: their withdrawals need a questionnaire in which the owner states who receives the money (developers.binance.com/docs/wallet/travel-rule/withdraw-questionnaire), which the requests of this service do not contain.',
    },
    withdrawals: {
      class: 'by_reference',
      amountIs: 'gross',
      evidence: 'https://developers.binance.com/docs/wallet/error-code',
    },
    permissionAccess: {
      enableReading: ['read', 'deposit'],
      enableFixReadOnly: ['read'],
      enableSpotAndMarginTrading: ['trade'],
      enableWithdrawals: ['withdrawal'],
    },
    hasSandbox: true,
  },
  revision: 3,
  liveUrl: 'https://api.binance.com',
  hostEvidence: 'developers.binance.com/docs/binance-spot-api-docs/rest-api/general-api-information (June 2026)',
  networkNames: responses.networkNames,
  errors: binanceErrors.calls,
  // developers.binance.com/docs/wallet/general-info: "Each endpoint with IP limits has an independent 12000 per minute
  // limit", "Each endpoint with UID limits has an independent 180000 per minute limit".
  limits: [
    { of: 'endpoint', header: 'x-sapi-used-uid-weight-1m', states: 'used', stopAt: 180_000, periodMs: 60_000 },
    { of: 'address_endpoint', header: 'x-sapi-used-ip-weight-1m', states: 'used', stopAt: 12_000, periodMs: 60_000 },
    // …/binance-spot-api-docs/enums#rate-limiters-ratelimittype: the spot API allows 6000 weight a minute.
    // The header counts the calls of all processes. Calls that are under way when it reaches `stopAt` use the rest.
    { of: 'address', header: 'x-mbx-used-weight-1m', states: 'used', stopAt: 5_400, periodMs: 60_000 },
    // …/binance-spot-api-docs/rest-api/limits: "an automated IP ban (HTTP status 418)", "from 2 minutes to 3 days", "A
    // Retry-After header is sent with a 418 or 429 responses".
    // …/errors, -1003: "Way too much request weight used; IP banned until %s." (epoch milliseconds). Without a header,
    // this time is the end (github.com/ccxt/ccxt, `binance.handleErrors`; recorded with 418 and 429).
    ...[418, 429].map((status) => ({
      ...({ means: 'ban', of: 'address', status, periodMs: 120_000, maxMs: 259_200_000 } as const),
      ...(status === 429 && { text: 'banned until' }),
      endsAfter: 'banned until',
    })),
    { means: 'rate_limit', of: 'credential', status: 429, periodMs: 1_000, maxMs: 600_000 },
  ],
  pairs: responses.binancePairs,
  sign: signBinance,
  connect,
});

function connect(client: ExchangeClient): SessionParts {
  const list = get('capital/config/getall');
  const networks = NetworkList.of(client, list, responses.networksOf, responses.readNetwork);
  const history = new TransferHistory(client, {
    // Binance began in July 2017.
    begins: new Date(Date.UTC(2017, 6, 1)),
    periodMaxMs: PERIOD_MAX_MS,
    page: splitPeriods({
      pageSize: PAGE_SIZE,
      unitMs: 1,
      fetch: (kind, { since, until }, offset) => {
        const period = { startTime: String(since.getTime()), endTime: String(until.getTime()) };
        const page = { offset: String(offset), limit: String(PAGE_SIZE) };
        return client.call(transfers[kind], { ...period, ...page }, entriesOf);
      },
    }),
    read: responses.readTransfer,
  });
  const { readBalances: read } = responses;
  const coins = new Cached(client.clock, METADATA_TTL_MS, () => client.call(list, {}, responses.readCoins));
  const spot = { name: 'spot', paysWithdrawals: true, endpoint: post('asset/getUserAsset', 'sapi/v3'), read };
  const funding = { name: 'funding', paysWithdrawals: false, endpoint: post('asset/get-funding-asset'), read };
  return {
    assetNames: networks.assetNames,
    balances: async () => {
      const held = [await readAccount(client, spot), await readAccount(client, funding)];
      const isEarning = held.some(({ balances }) => balances.some(responses.mayBeEarning));
      if (!isEarning) return mergeAccounts(held);
      const known = await coins.get().catch(nullIfRefused);
      return mergeAccounts(held.map((each) => ({ ...each, balances: responses.withEarning(each.balances, known) })));
    },
    otherAccounts: (own) => readOtherAccounts(client, binanceAccounts, own),
    keyInfo: () => client.call(get('account/apiRestrictions'), {}, responses.readKeyInfo),
    withdrawals: withdrawalsOf(client, networks, history),
    history,
    deposits: new ListedDeposits(client, networks, {
      addresses: async ({ assetId: coin, exchangeNetworkId: network }) => [
        await client.call(get('capital/deposit/address'), { coin, network }, responses.readAddress),
      ],
    }),
    trading: ordersOf(client),
  };
}

function nullIfRefused(error: unknown): null {
  if (error instanceof ExchangeError) return null;
  throw error;
}

const QUESTIONNAIRE = {
  type: 'travel_rule',
  detail: 'Binance requires a questionnaire for withdrawals of this account, which this service does not send.',
} as const;

/** Binance's documentation: developers.binance.com/docs/wallet/capital/withdraw, …/capital/withdraw-history */
function withdrawalsOf(client: ExchangeClient, networks: NetworkList, history: TransferHistory): ListedWithdrawals {
  /** The records of a period that begins at `since`. Without `endTime`, Binance's own clock ends the period. */
  const search = (params: Record<string, string>, since: Date, periodMs: number) => {
    const end = since.getTime() + periodMs;
    const isPast = end < client.clock.now().getTime();
    const period = { startTime: String(since.getTime()), ...(isPast && { endTime: String(end) }) };
    return history.found(client.call(transfers.withdrawal, { ...params, ...period }, entriesOf));
  };
  return new ListedWithdrawals(client, networks, history, {
    endpoint: WITHDRAW,
    acceptance: { statuses: [200], readId: responses.readWithdrawalId },
    request: ({ address, tag, amount, clientRef }, { assetId, exchangeNetworkId }) => ({
      coin: assetId,
      withdrawOrderId: clientRef,
      network: exchangeNetworkId,
      address,
      ...(tag !== null && { addressTag: tag }),
      amount: amount.toString(),
      // With `false`, the fee of a transfer to another user of Binance returns to this account.
      transactionFeeFlag: 'false',
      walletType: SPOT_WALLET,
    }),
    sent: { address: 'address', tag: 'addressTag', amount: 'amount' },
    obstacle: async () => {
      const questions = get('localentity/questionnaire-requirements');
      return (await client.call(questions, {}, responses.needsQuestionnaire)) ? QUESTIONNAIRE : null;
    },
    byId: async (idList, notBefore) => (await search({ idList }, notBefore, PERIOD_MAX_MS)).records,
    byReference: (withdrawOrderId, { notBefore }) => search({ withdrawOrderId }, notBefore, REFERENCE_PERIOD_MAX_MS),
  });
}

/**
 * Orders have no submission deadline. After `recvWindow` Binance does not forward a request to the matching engine, but
 * an order that was forwarded in time may be made later ("execution status unknown", -1007).
 */
function ordersOf(client: ExchangeClient): ReferenceOrders {
  const read = (params: Record<string, string>) => client.call(get('order', 'api/v3'), params, responses.readOrder);
  return new ReferenceOrders(client, {
    endpoint: post('order', 'api/v3'),
    acceptance: { statuses: [200], readId: responses.readOrderId },
    errors: binanceErrors.orders,
    signedForMs: RECV_WINDOW_MAX_MS,
    request: ({ exchangeSymbol, side, type, volume, price, clientOrderId }) => ({
      symbol: exchangeSymbol,
      side: side.toUpperCase(),
      type: type.toUpperCase(),
      quantity: volume.toString(),
      ...(price !== null && { price: price.toString(), timeInForce: 'GTC' }),
      newClientOrderId: clientOrderId,
      newOrderRespType: 'ACK',
    }),
    trades: ({ exchangeId, description }) => tradesOf(client, exchangeId, description.pair),
    byReference: ({ clientOrderId, request: { symbol = '' } }) => read({ symbol, origClientOrderId: clientOrderId }),
    byId: ({ exchangeId, request: { symbol = '' } }) => read({ symbol, orderId: exchangeId }),
    forgetsAfterMs: ORDERS_FORGOTTEN_AFTER_MS,
    wasExecuted: async ({ exchangeId, request: { symbol = '' } }) =>
      (await tradesOf(client, exchangeId, symbol)).length > 0,
  });
}

/** All trades of an order, oldest first. "If fromId is set, it will get trades >= that fromId." */
function tradesOf(client: ExchangeClient, orderId: string, symbol: string): Promise<OrderTrade[]> {
  return allPages(client.exchange, async (fromId) => {
    const params = { symbol, orderId, fromId: fromId ?? '0', limit: String(PAGE_SIZE) };
    const entries = await client.call(get('myTrades', 'api/v3'), params, responses.readTrades);
    const last = entries.at(-1);
    return { entries, nextCursor: last === undefined || entries.length < PAGE_SIZE ? null : String(last.id + 1) };
  });
}
