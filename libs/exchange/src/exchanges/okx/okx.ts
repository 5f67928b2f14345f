import { DAY_MS } from '#platform/clock';
import { readAccounts } from '../../capabilities/account-balances.js';
import { ListedDeposits } from '../../capabilities/listed-deposits.js';
import { destinationOf, ListedWithdrawals } from '../../capabilities/listed-withdrawals.js';
import { NetworkList } from '../../capabilities/network-list.js';
import { readOtherAccounts } from '../../capabilities/other-accounts.js';
import { ReferenceOrders } from '../../capabilities/reference-orders.js';
import { pageByTime } from '../../capabilities/period-pages.js';
import { periodParams, TransferHistory } from '../../capabilities/transfer-pages.js';
import type { ExchangeClient, Endpoint } from '../../client/exchange-client.js';
import { declareExchange } from '../../client/declared-connector.js';
import type { SessionParts } from '../../client/declared-exchange.js';
import { okxAccounts } from './okx-accounts.js';
import { okxErrors } from './okx-errors.js';
import { readFundingAccount } from './okx-funding.js';
import * as responses from './okx-responses.js';
import { signOkx } from './okx-signature.js';

const get = (path: string): Endpoint => ({ method: 'GET', path: `/api/v5/${path}` });

const transfers = { withdrawal: get('asset/withdrawal-history'), deposit: get('asset/deposit-history') };
/** www.okx.com/docs-v5/en/#overview: "Using openapi.okx.com will not work for the regions below." */
const GLOBAL = 'https://openapi.okx.com';
const HOSTS = 'www.okx.com/docs-v5/en/#overview (27 June 2026)';
/** OKX: "Number of results per request. The maximum is `100`" */
const PAGE_SIZE = 100;
/**
 * OKX lists no records of exactly the times in `after` and `before`, so we add a millisecond at both ends:
 * #funding-account-rest-api-get-withdrawal-history
 */
const inPeriod = periodParams('before', 'after', 1);
/** OKX: "The incomplete orders that have been canceled are only reserved for 2 hours." */
const ORDERS_FORGOTTEN_AFTER_MS = 2 * 60 * 60 * 1000;
/** OKX, #order-book-trading-trade-get-transaction-details-last-3-months. Three months have at least 89 days. */
const TRADES_KEPT_MS = 88 * DAY_MS;
/** The value of `dest` for a withdrawal to a chain. Other withdrawals go to users of OKX. */
const ON_CHAIN = '4';

/**
 * OKX. Withdrawals are paid from the funding account, to addresses that the owner has verified on the web site or in
 * the app. The amount is what arrives; the fee is added. Searches find a withdrawal by our reference and an order by
 * our client order id. Orders carry a submission deadline.
 */
export const okx = declareExchange({
  spec: {
    id: 'okx',
    name: 'OKX',
    docsUrl: 'https://www.okx.com/docs-v5/en/',
    credentialFields: ['apiKey', 'apiSecret', 'apiPassphrase'],
    regions: [
      { id: 'global', name: 'OKX (www.okx.com)', url: GLOBAL, evidence: HOSTS },
      { id: 'eea', name: 'OKX Europe (my.okx.com)', url: 'https://eea.okx.com', evidence: HOSTS },
      { id: 'us', name: 'OKX US and Australia (app.okx.com)', url: 'https://us.okx.com', evidence: HOSTS },
    ],
    keyUrl: 'https://www.okx.com/account/my-api',
    // The names of permissions in www.okx.com/docs-v5/en/#overview-api-resources-and-support.
    keyGuide: {
      permissions: { read: ['Read'], deposit: ['Read'], trade: ['Trade'], withdrawal: ['Withdraw'] },
      fieldNames: { apiSecret: 'Secret key', apiPassphrase: 'Passphrase' },
    },
    access: ['read', 'deposit', 'trade', 'withdrawal'],
    partlyOffered: {
      // #order-book-trading-trade-post-place-order, "Trade Mode".
      trade:
        'Not in the multi-currency margin mode and the portfolio margin mode of an account: there OKX accepts only orders with cross margin, which this service does not place.',
      withdrawal:
        'Not over Lightning: OKX documents no endpoint that pays Lightning invoices, and its endpoint for withdrawals pays only to verified addresses.',
    },
    withdrawals: {
      class: 'by_reference',
      amountIs: 'net',
      evidence: 'https://www.okx.com/docs-v5/en/#funding-account-rest-api-withdrawal',
    },
    // The names of permissions in #trading-account-rest-api-get-account-configuration.
    permissionAccess: { read_only: ['read', 'deposit'], trade: ['trade'], withdraw: ['withdrawal'] },
    hasSandbox: true,
  },
  revision: 1,
  liveUrl: GLOBAL,
  hostEvidence: HOSTS,
  otherHost: {
    url: 'https://www.okx.com',
    probe: '/api/v5/public/time',
    evidence:
      'the host of the documentation until January 2026, and of the class `okx` in ccxt 4.5.84 (September 2026)',
  },
  networkNames: responses.networkNames,
  errors: okxErrors.calls,
  // www.okx.com/docs-v5/en/#overview-rate-limits: limits by endpoint and user in "2 seconds", refused with 429 and
  // 50011 ("Rate limit reached"). The page documents no ban.
  limits: [{ means: 'rate_limit', of: 'endpoint', status: 429, text: '"50011"', periodMs: 2_000 }],
  pairs: responses.okxPairs,
  sign: signOkx,
  connect,
});

function connect(client: ExchangeClient): SessionParts {
  const networks = NetworkList.of(client, get('asset/currencies'), responses.entriesOf, responses.readNetwork);
  const history = new TransferHistory(client, {
    // OKX began as OKCoin in 2013.
    begins: new Date(Date.UTC(2013, 0, 1)),
    page: pageByTime({
      pageSize: PAGE_SIZE,
      fetch: (kind, period) =>
        client.call(transfers[kind], { ...inPeriod(period), limit: String(PAGE_SIZE) }, responses.entriesOf),
      timeOf: responses.readTime,
    }),
    read: responses.readTransfer,
  });
  return {
    assetNames: networks.assetNames,
    balances: () =>
      readAccounts(client, [
        { name: 'funding', paysWithdrawals: true, endpoint: get('asset/balances'), read: responses.readFunding },
        { name: 'trading', paysWithdrawals: false, endpoint: get('account/balance'), read: responses.readTrading },
      ]),
    otherAccounts: (own) => readOtherAccounts(client, okxAccounts, own),
    keyInfo: () => client.call(get('account/config'), {}, responses.readKeyInfo),
    withdrawals: withdrawalsOf(client, networks, history),
    history,
    deposits: new ListedDeposits(client, networks, {
      addresses: ({ assetId }) =>
        client.call(get('asset/deposit-address'), { ccy: assetId }, (body) =>
          responses.readDepositAddresses(body, client.lists),
        ),
    }),
    trading: ordersOf(client),
  };
}

/** OKX's documentation: #funding-account-rest-api-withdrawal */
function withdrawalsOf(client: ExchangeClient, networks: NetworkList, history: TransferHistory): ListedWithdrawals {
  const search = (params: Record<string, string>) =>
    history.found(client.call(transfers.withdrawal, params, responses.entriesOf));
  return new ListedWithdrawals(client, networks, history, {
    endpoint: { method: 'POST', path: '/api/v5/asset/withdrawal' },
    acceptance: { statuses: [200], readId: responses.readWithdrawalId },
    request: ({ address, tag, amount, clientRef }, { assetId, exchangeNetworkId }) => ({
      ccy: assetId,
      amt: amount.toString(),
      dest: ON_CHAIN,
      // OKX: "some crypto currency addresses are formatted as 'address:tag'"
      toAddr: destinationOf(address, tag),
      chain: exchangeNetworkId,
      clientId: clientRef,
    }),
    sent: { address: 'toAddr', amount: 'amt' },
    requirements: () => [
      {
        type: 'address_allowlist',
        detail: 'OKX pays only to addresses that you have verified on its web site or in its app.',
      },
    ],
    byId: async (wdId) => (await search({ wdId })).records,
    byReference: (clientId) => search({ clientId }),
    payingAccount: (asset, since) => readFundingAccount(client, asset, since),
  });
}

/** OKX's documentation: #order-book-trading-trade-post-place-order, #overview-transaction-timeouts */
function ordersOf(client: ExchangeClient): ReferenceOrders {
  const read = (params: Record<string, string>) => client.call(get('trade/order'), params, responses.readOrder);
  return new ReferenceOrders(client, {
    endpoint: { method: 'POST', path: '/api/v5/trade/order', sentAs: { expTime: 'header', banAmend: 'boolean' } },
    acceptance: { statuses: [200], readId: responses.readOrderId },
    errors: okxErrors.orders,
    // OKX, "Signature": "The request will expire 30 seconds after the timestamp."
    signedForMs: 30_000,
    request: ({ exchangeSymbol, side, type, volume, price, clientOrderId, submissionDeadline }) => ({
      instId: exchangeSymbol,
      tdMode: 'cash',
      clOrdId: clientOrderId,
      side,
      ordType: type,
      sz: volume.toString(),
      ...(price !== null && { px: price.toString() }),
      // By default, the size of a market order to buy is in the quote asset (`tgtCcy` changes this), and OKX reduces
      // the size to the balance (`banAmend` prevents this).
      ...(type === 'market' && { tgtCcy: 'base_ccy', banAmend: 'true' }),
      expTime: String(submissionDeadline.getTime()),
    }),
    keepsDeadline: true,
    byReference: ({ clientOrderId, request: { instId = '' } }) => read({ instId, clOrdId: clientOrderId }),
    byId: ({ exchangeId, request: { instId = '' } }) => read({ instId, ordId: exchangeId }),
    forgetsAfterMs: ORDERS_FORGOTTEN_AFTER_MS,
    wasExecuted: async ({ exchangeId: ordId, seenAt }) => {
      if (client.clock.now().getTime() - seenAt.getTime() > TRADES_KEPT_MS) return null;
      const trades = await client.call(get('trade/fills-history'), { instType: 'SPOT', ordId }, responses.entriesOf);
      return trades.length > 0;
    },
  });
}
