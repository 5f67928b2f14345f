import { DAY_MS } from '#platform/clock';
import { mergeAccounts } from '../../capabilities/account-balances.js';
import { ListedDeposits } from '../../capabilities/listed-deposits.js';
import { ListedWithdrawals } from '../../capabilities/listed-withdrawals.js';
import { NetworkList } from '../../capabilities/network-list.js';
import { readOtherAccounts } from '../../capabilities/other-accounts.js';
import { ReferenceOrders } from '../../capabilities/reference-orders.js';
import { periodParams, TransferHistory } from '../../capabilities/transfer-pages.js';
import type { ExchangeClient, Endpoint } from '../../client/exchange-client.js';
import { declareExchange } from '../../client/declared-connector.js';
import type { SessionParts } from '../../client/declared-exchange.js';
import { kucoinAccounts } from './kucoin-accounts.js';
import { kucoinErrors } from './kucoin-errors.js';
import * as responses from './kucoin-responses.js';
import { signKucoin } from './kucoin-signature.js';

const get = (path: string): Endpoint => ({ method: 'GET', path: `/api/${path}` });
const post = (path: string): Endpoint => ({ method: 'POST', path: `/api/${path}` });

const NEW_ADDRESS: Endpoint = { ...post('v3/deposit-address/create'), creates: true };
const transfers = { withdrawal: get('v1/withdrawals'), deposit: get('v1/deposits') };
/** KuCoin: "Minimum is 10, maximum is 500." */
const PAGE_SIZE = '500';
/** The documentation does not say whether a period contains its ends, so we add a millisecond at both ends. */
const inPeriod = periodParams('startAt', 'endAt', 1);
/**
 * KuCoin (docs-new/rest/ua/get-order-details) lists canceled orders for "2 days" and filled ones for "7 days". A part
 * of a canceled order may be executed, so the shorter time decides.
 */
const ORDERS_FORGOTTEN_AFTER_MS = 2 * DAY_MS;

const TO_WITHDRAW = ['IP Restriction', 'Withdrawal'];

/**
 * KuCoin. Withdrawals are paid from the main account. The amount is what arrives, because our requests state that the
 * account pays the fee. Withdrawals take no client id, so our reference is the remark, which the history returns.
 * Orders carry our client order id, but no submission deadline: KuCoin's deadline (`allowMaxTimeWindow`) depends on the
 * time of the signature, which is not known when an order is prepared.
 */
export const kucoin = declareExchange({
  spec: {
    id: 'kucoin',
    name: 'KuCoin',
    docsUrl: 'https://www.kucoin.com/docs-new/',
    credentialFields: ['apiKey', 'apiSecret', 'apiPassphrase'],
    keyUrl: 'https://www.kucoin.com/account/api',
    // The names of docs.kucoin.com ("api-permission"). "Withdrawal" also allows to "acquire deposit addresses", and "to
    // use this permission, you must enable IP Restriction".
    keyGuide: {
      permissions: {
        read: ['General'],
        deposit: ['General', ...TO_WITHDRAW],
        trade: ['Spot'],
        withdrawal: TO_WITHDRAW,
      },
      fieldNames: { apiSecret: 'API secret', apiPassphrase: 'API passphrase' },
    },
    access: ['read', 'deposit', 'trade', 'withdrawal'],
    partlyOffered: {
      // KuCoin's own library has further calls for "the V1 historical deposits list" and for withdrawals. ccxt 4.5.84
      // (`kucoin.fetchDeposits`) uses them for records from before this day.
      read:
        'Deposits and withdrawals from before 18 February 2019 may be missing in the history: KuCoin lists them by ' +
        'deprecated calls (hist-deposits, hist-withdrawals), which this service does not use.',
    },
    // The names of permissions in account-info/account-funding/get-apikey-info. "Transfer" is the older name of
    // "Withdrawal".
    permissionAccess: { General: ['read', 'deposit'], Spot: ['trade'], Transfer: ['deposit', 'withdrawal'] },
    withdrawals: {
      class: 'by_reference',
      amountIs: 'net',
      // KuCoin documents a `remark` of requests and a `remark` of records, but not that they are equal.
      mayChangeReference: true,
      evidence: 'https://www.kucoin.com/docs-new/rest/account-info/withdrawals/withdraw-v3',
    },
    hasSandbox: true,
  },
  revision: 3,
  liveUrl: 'https://api.kucoin.com',
  hostEvidence: 'www.kucoin.com/docs-new, and the class of ccxt 4.5.84 (September 2026)',
  sign: signKucoin,
  assets: responses.kucoinAssets,
  networkNames: responses.networkNames,
  errors: kucoinErrors.calls,
  // www.kucoin.com/docs-new/rate-limit: the headers state which weight further calls may have, and the milliseconds
  // until the full weight is available again. The heaviest call weighs 20, so calls wait when 19 or less is left.
  limits: [
    {
      of: 'credential',
      header: 'gw-ratelimit-remaining',
      states: 'left',
      stopAt: 19,
      periodMs: 30_000,
      reset: { header: 'gw-ratelimit-reset', states: 'milliseconds_left' },
    },
    // "an error message of http code:429, error code:429000 will be returned"; the headers above state the pause.
    { means: 'rate_limit', of: 'credential', status: 429, text: '"429000"', periodMs: 1_000 },
    // www.kucoin.com/docs/basic-info/request-rate-limit/rest-api: "error code: 1015, according to the IP rate limit, …
    // all endpoint share the rate limit, currently 500/10s, … block 30s".
    { means: 'ban', of: 'address', status: 429, text: 'error code: 1015', periodMs: 30_000 },
  ],
  addressRate: { calls: 500, periodMs: 10_000 },
  pairs: responses.kucoinPairs,
  connect,
});

function connect(client: ExchangeClient): SessionParts {
  const networks = NetworkList.of(client, responses.CURRENCIES, responses.chainsOf, responses.readNetwork);
  const history = historyOf(client);
  return {
    assetNames: networks.assetNames,
    balances: async () =>
      mergeAccounts(
        await client.call(get('v1/accounts'), {}, (body, codeOf) => responses.readAccounts(body, codeOf, client.lists)),
      ),
    otherAccounts: (own) => readOtherAccounts(client, kucoinAccounts, own),
    keyInfo: () => client.call(get('v1/user/api-key'), {}, responses.readKeyInfo),
    withdrawals: withdrawalsOf(client, networks, history),
    history,
    deposits: new ListedDeposits(client, networks, {
      addresses: ({ assetId: currency, exchangeNetworkId: chain }) =>
        client.call(get('v3/deposit-addresses'), { currency, chain }, responses.readAddresses),
      create: ({ assetId: currency, exchangeNetworkId: chain }) =>
        client.call(NEW_ADDRESS, { currency, chain, to: 'main' }, responses.readAddress),
    }),
    trading: ordersOf(client),
  };
}

/**
 * KuCoin's documentation: account-info/withdrawals/get-withdrawal-history and account-info/deposit/get-deposit-history.
 * Without `currency`, a request reads all assets. These pages call `currency` required, but the older pages
 * (github.com/Kucoin/kucoin-api-docs) and KuCoin's own library call it optional, and rotki/rotki (exchanges/kucoin.py)
 * has recorded lists of several assets without it. A search for one withdrawal states its `currency`.
 */
function historyOf(client: ExchangeClient, filter: Record<string, string> = {}): TransferHistory {
  return new TransferHistory(client, {
    // KuCoin began in September 2017.
    begins: new Date(Date.UTC(2017, 8, 1)),
    page: (kind, period, cursor) => {
      const page = { currentPage: cursor ?? '1', pageSize: PAGE_SIZE };
      return client.call(transfers[kind], { ...filter, ...inPeriod(period), ...page }, responses.readPage);
    },
    read: responses.readTransfer,
  });
}

/** KuCoin's documentation: account-info/withdrawals/withdraw-v3 */
function withdrawalsOf(client: ExchangeClient, networks: NetworkList, history: TransferHistory): ListedWithdrawals {
  return new ListedWithdrawals(client, networks, history, {
    endpoint: { ...post('v3/withdrawals'), sentAs: { isInner: 'boolean' } },
    acceptance: { statuses: [200], readId: responses.readWithdrawalId },
    request: ({ address, tag, amount, clientRef }, { assetId, exchangeNetworkId }) => ({
      currency: assetId,
      toAddress: address,
      amount: amount.toString(),
      withdrawType: 'ADDRESS',
      chain: exchangeNetworkId,
      ...(tag !== null && { memo: tag }),
      isInner: 'false',
      remark: clientRef,
      // "EXTERNAL: Deduct the transaction fees from your main account". By default, they may reduce the amount.
      feeDeductType: 'EXTERNAL',
    }),
    sent: { address: 'toAddress', tag: 'memo', amount: 'amount', asset: 'currency' },
    byId: async (withdrawalId) =>
      history.readWithdrawals([
        await client.call(get('v1/withdrawals/{withdrawalId}'), { withdrawalId }, responses.readOne),
      ]),
    byReference: (_clientRef, { request: { currency = '' }, notBefore }) =>
      historyOf(client, { currency }).list('withdrawal', notBefore),
  });
}

/** KuCoin's documentation: spot-trading/orders/add-order */
function ordersOf(client: ExchangeClient): ReferenceOrders {
  const byClientId = get('v1/hf/orders/client-order/{clientOid}');
  const byId = get('v1/hf/orders/{orderId}');
  return new ReferenceOrders(client, {
    endpoint: post('v1/hf/orders'),
    acceptance: { statuses: [200], readId: responses.readOrderId },
    errors: kucoinErrors.orders,
    // KuCoin, "Signing a message": "Your timestamp must be within 5 seconds of the API service time".
    signedForMs: 5_000,
    request: ({ exchangeSymbol, side, type, volume, price, clientOrderId }) => ({
      clientOid: clientOrderId,
      symbol: exchangeSymbol,
      side,
      type,
      size: volume.toString(),
      ...(price !== null && { price: price.toString() }),
    }),
    byReference: ({ clientOrderId: clientOid, request: { symbol = '' } }) =>
      client.call(byClientId, { clientOid, symbol }, responses.readOrder),
    byId: ({ exchangeId: orderId, request: { symbol = '' } }) =>
      client.call(byId, { orderId, symbol }, responses.readOrder),
    forgetsAfterMs: ORDERS_FORGOTTEN_AFTER_MS,
  });
}
