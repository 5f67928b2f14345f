import { mergeAccounts } from '../../capabilities/account-balances.js';
import { ListedDeposits } from '../../capabilities/listed-deposits.js';
import { destinationOf, ListedWithdrawals } from '../../capabilities/listed-withdrawals.js';
import { NetworkList } from '../../capabilities/network-list.js';
import { ReferenceOrders } from '../../capabilities/reference-orders.js';
import { pageByTime, TransferHistory } from '../../capabilities/transfer-pages.js';
import type { TransferRecord } from '../../capabilities/transfer-record.js';
import type { CcxtClient, Endpoint } from '../../ccxt/ccxt-client.js';
import { overCcxt } from '../../ccxt/ccxt-connector.js';
import type { SessionParts } from '../../ccxt/ccxt-exchange.js';
import { Amount } from '#money';
import type { ExchangeOrder, OrderInstruction, PreparedOrder } from '../../port/trading.port.js';
import { okxErrors, okxOrderErrors } from './okx-errors.js';
import { okxPairs } from './okx-pairs.js';
import {
  depositAddresses,
  entriesOf,
  readFunding,
  readKeyInfo,
  readNetwork,
  readOrder,
  readOrderReceipt,
  readTime,
  readTransfer,
  readWithdrawalId,
  readTrading,
} from './okx-responses.js';

const get = (path: string): Endpoint => ({ api: 'private', method: 'GET', path });
const post = (path: string, sentAs?: Endpoint['sentAs']): Endpoint => ({
  api: 'private',
  method: 'POST',
  path,
  sentAs,
});

const CURRENCIES = get('asset/currencies');
const WITHDRAWALS = get('asset/withdrawal-history');
const transfers = { withdrawal: WITHDRAWALS, deposit: get('asset/deposit-history') };
const ORDER = get('trade/order');
/** "Number of results per request. The maximum is `100`" */
const PAGE_SIZE = 100;
/** "The incomplete orders that have been canceled are only reserved for 2 hours." */
const ORDERS_FORGOTTEN_AFTER_MS = 2 * 60 * 60 * 1000;
/** `dest` of a withdrawal to a chain; the other kind is a transfer to a user of OKX. */
const ON_CHAIN = '4';

/**
 * OKX. Withdrawals are paid from the funding account, to addresses that the owner has verified on the web site or in the
 * app. The amount is what arrives; the fee is added. A withdrawal carries our reference, by which it is found. Orders
 * carry our id and a deadline.
 */
export const okx = overCcxt({
  spec: {
    id: 'okx',
    name: 'OKX',
    docsUrl: 'https://www.okx.com/docs-v5/en/',
    credentialFields: ['apiKey', 'apiSecret', 'apiPassphrase'],
    // The hosts are those of the classes `okx`, `myokx` and `okxus` in ccxt 4.5.84.
    regions: [
      { id: 'global', name: 'OKX (www.okx.com)', url: 'https://www.okx.com' },
      { id: 'eea', name: 'OKX Europe (eea.okx.com)', url: 'https://eea.okx.com' },
      { id: 'us', name: 'OKX US (us.okx.com)', url: 'https://us.okx.com' },
    ],
    keyUrl: 'https://www.okx.com/account/my-api',
    // www.okx.com/docs-v5/en/#overview-api-resources-and-support
    keyGuide: {
      permissions: { read: ['Read'], deposit: ['Read'], trade: ['Trade'], withdrawal: ['Withdraw'] },
      fieldNames: { apiSecret: 'Secret key', apiPassphrase: 'Passphrase' },
    },
    access: ['read', 'deposit', 'trade', 'withdrawal'],
    withdrawals: {
      class: 'by_reference',
      amountIs: 'net',
      evidence: 'https://www.okx.com/docs-v5/en/#funding-account-rest-api-withdrawal',
    },
    // #trading-account-rest-api-get-account-configuration
    permissionAccess: { read_only: ['read', 'deposit'], trade: ['trade'], withdraw: ['withdrawal'] },
    countriesExcluded: [],
    hasSandbox: true,
    sandboxOnly: false,
  },
  revision: 1,
  ccxtId: 'okx',
  liveUrl: 'https://www.okx.com',
  apiUrls: (baseUrl) => ({ rest: baseUrl }),
  errors: okxErrors,
  pairs: okxPairs,
  connect: (client) => connect(client),
});

function connect(client: CcxtClient): SessionParts {
  const { codeOf } = client;
  const networks = NetworkList.of(client, CURRENCIES, entriesOf, readNetwork);
  const history = new TransferHistory(client, {
    kinds: ['deposit', 'withdrawal'],
    // OKX began as OKCoin in 2013.
    begins: new Date(Date.UTC(2013, 0, 1)),
    page: pageByTime(client.exchange, {
      pageSize: PAGE_SIZE,
      // `after` and `before` exclude their own moment: #funding-account-rest-api-get-withdrawal-history
      fetch: (kind, { since, until }) =>
        client.call(
          transfers[kind],
          { before: String(since.getTime() - 1), after: String(until.getTime() + 1), limit: String(PAGE_SIZE) },
          entriesOf,
        ),
      timeOf: readTime,
    }),
    read: (kind, entry) => readTransfer(kind, entry, codeOf),
  });
  return {
    balances: async () =>
      mergeAccounts([
        {
          name: 'funding',
          paysWithdrawals: true,
          balances: await client.call(get('asset/balances'), {}, (body) => readFunding(body, codeOf)),
        },
        {
          name: 'trading',
          paysWithdrawals: false,
          balances: await client.call(get('account/balance'), {}, (body) => readTrading(body, codeOf)),
        },
      ]),
    keyInfo: () => client.call(get('account/config'), {}, readKeyInfo),
    withdrawals: withdrawalsOf(client, networks, history),
    history,
    deposits: new ListedDeposits(
      client,
      {
        addresses: ({ assetId }) =>
          client.call(get('asset/deposit-address'), { ccy: assetId }, (body) =>
            depositAddresses.parse(entriesOf(body)),
          ),
      },
      networks,
    ),
    trading: ordersOf(client),
  };
}

/** #funding-account-rest-api-withdrawal */
function withdrawalsOf(client: CcxtClient, networks: NetworkList, history: TransferHistory): ListedWithdrawals {
  const search = (params: Record<string, string>): Promise<TransferRecord[]> =>
    client.call(WITHDRAWALS, params, (body) =>
      entriesOf(body).map((entry) => readTransfer('withdrawal', entry, client.codeOf)),
    );
  return new ListedWithdrawals(
    client,
    {
      endpoint: post('asset/withdrawal'),
      acceptance: { statuses: [200], readId: readWithdrawalId },
      request: ({ address, tag, amount, clientRef }, { assetId, exchangeNetworkId }) => ({
        ccy: assetId,
        amt: amount.toString(),
        dest: ON_CHAIN,
        // "some crypto currency addresses are formatted as 'address:tag'"
        toAddr: destinationOf(address, tag),
        chain: exchangeNetworkId,
        clientId: clientRef,
      }),
      sent: ({ toAddr = '', amt = '' }) => ({ destination: toAddr, amount: Amount.of(amt) }),
      requirements: () => [
        {
          type: 'address_allowlist',
          detail: 'OKX pays to addresses only that you have verified on its web site or in its app.',
        },
      ],
      byId: (wdId) => search({ wdId }),
      byReference: (clientId) => search({ clientId }),
    },
    networks,
    history,
  );
}

/** #order-book-trading-trade-post-place-order, #overview-transaction-timeouts */
function ordersOf(client: CcxtClient): ReferenceOrders {
  const read = (params: Record<string, string>): Promise<ExchangeOrder> =>
    client.call(ORDER, params, (body) => readOrder(body, client.codeOf));
  return new ReferenceOrders(client, {
    endpoint: post('trade/order', { expTime: 'header', banAmend: 'boolean' }),
    acceptance: { statuses: [200], readId: readOrderReceipt },
    errors: okxOrderErrors,
    prepare: prepareOrder,
    byReference: ({ clientOrderId, request: { instId = '' } }) => read({ instId, clOrdId: clientOrderId }),
    byId: ({ exchangeId, request: { instId = '' } }) => read({ instId, ordId: exchangeId }),
    forgetsAfterMs: ORDERS_FORGOTTEN_AFTER_MS,
  });
}

function prepareOrder(order: OrderInstruction): PreparedOrder {
  const { exchangeSymbol, side, type, volume, price, clientOrderId, submissionDeadline } = order;
  return {
    request: {
      instId: exchangeSymbol,
      tdMode: 'cash',
      clOrdId: clientOrderId,
      side,
      ordType: type,
      sz: volume.toString(),
      ...(price !== null && { px: price.toString() }),
      // By default, a market order to buy states its size in the quote asset, and OKX reduces it to the balance.
      ...(type === 'market' && { tgtCcy: 'base_ccy', banAmend: 'true' }),
      expTime: String(submissionDeadline.getTime()),
    },
    submissionDeadline,
  };
}
