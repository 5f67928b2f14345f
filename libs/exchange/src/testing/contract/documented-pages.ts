import type { ReceivedCall } from '../stub-exchange.js';
import { json, type Reply } from './exchange-contract.js';

/** A list of balances in pages. The values are from the documentation, and not from the connector. */
export interface DocumentedPages {
  /** Maximum number of entries of a page. */
  readonly max: number;
  /** Our code of the asset of the entries. */
  readonly asset: string;
  /** An entry with an amount of one. */
  readonly entry: (index: number) => unknown;
  /** The page that the exchange returns to a request when it has these entries. */
  readonly page: (all: readonly unknown[], call: ReceivedCall) => Reply;
}

/** Pages that are requested by their number, from 1 on. */
const numbered =
  (parameters: { page: string; size: string }, toReply: (page: NumberedPage) => Reply): DocumentedPages['page'] =>
  (all, { params }) => {
    const [page, size] = [Number(params[parameters.page] ?? 1), Number(params[parameters.size] ?? 10)];
    return toReply({ entries: all.slice((page - 1) * size, page * size), page, size, total: all.length });
  };

interface NumberedPage {
  readonly entries: readonly unknown[];
  readonly page: number;
  readonly size: number;
  readonly total: number;
}

/** developers.binance.com/docs/simple_earn: "Currently querying the page. Start from 1", "Default:10, Max:100". */
const binancePage = numbered({ page: 'current', size: 'size' }, ({ entries: rows, total }) => json({ rows, total }));

/** docs.cdp.coinbase.com/api-reference/advanced-trade-api/rest-api/accounts/list-accounts: `has_next`, `cursor`. */
const coinbasePage: DocumentedPages['page'] = (all, { params: { limit = '49', cursor = '0' } }) => {
  const end = Number(cursor) + Number(limit);
  const accounts = all.slice(Number(cursor), end);
  const has_next = end < all.length;
  return json({ accounts, has_next, cursor: has_next ? String(end) : '', size: accounts.length });
};

/** www.gate.com/docs/developers/apiv4: "Page number", "Maximum number of records to be returned in a single list". */
const gatePage = numbered({ page: 'page', size: 'limit' }, ({ entries }) => json(entries));

/** www.kucoin.com/docs-new: `currentPage`, `pageSize`, `totalNum` and `totalPage` of the response. */
const kucoinPage = numbered({ page: 'currentPage', size: 'pageSize' }, ({ entries: items, page, size, total }) =>
  json({
    code: '200000',
    data: { currentPage: page, pageSize: size, totalNum: total, totalPage: Math.ceil(total / size), items },
  }),
);

/** The lists by the name of the contract and their route. The contracts name the pages of their fields. */
export const documentedPages: Readonly<Record<string, Readonly<Record<string, DocumentedPages>>>> = {
  binance: {
    'GET /sapi/v1/simple-earn/flexible/position': {
      max: 100,
      asset: 'USDT',
      page: binancePage,
      entry: (index) => ({ productId: `USDT${index}`, asset: 'USDT', totalAmount: '1', canRedeem: true }),
    },
    'GET /sapi/v1/simple-earn/locked/position': {
      max: 100,
      asset: 'AXS',
      page: binancePage,
      entry: (positionId) => ({ positionId, asset: 'AXS', amount: '1', duration: '60', status: 'HOLDING' }),
    },
  },
  coinbase: {
    'GET /api/v3/brokerage/accounts': {
      max: 250,
      asset: 'BTC',
      page: coinbasePage,
      entry: (index) => ({
        uuid: `uuid of ${index}`,
        name: 'BTC Wallet',
        currency: 'BTC',
        type: 'ACCOUNT_TYPE_CRYPTO',
        active: true,
        available_balance: { value: '1', currency: 'BTC' },
        hold: { value: '0', currency: 'BTC' },
        platform: 'ACCOUNT_PLATFORM_CONSUMER',
      }),
    },
  },
  gate: {
    'GET /api/v4/earn/uni/lends': {
      max: 100,
      asset: 'BTC',
      page: gatePage,
      entry: () => ({ currency: 'BTC', current_amount: '1', amount: '1', lent_amount: '0', frozen_amount: '0' }),
    },
    'GET /api/v4/wallet/sub_account_balances': {
      max: 100,
      asset: 'BTC',
      page: gatePage,
      entry: (index) => ({ uid: String(10_000 + index), available: { BTC: '1' }, locking: { BTC: '0' } }),
    },
  },
  kucoin: {
    'GET /api/v1/earn/hold-assets': {
      max: 100,
      asset: 'KCS',
      page: kucoinPage,
      entry: (index) => ({
        orderId: String(index),
        productId: '2611',
        productCategory: 'KCS_STAKING',
        productType: 'DEMAND',
        currency: 'KCS',
        holdAmount: '1',
        redeemedAmount: '0',
        redeemingAmount: '0',
        status: 'LOCKED',
      }),
    },
    'GET /api/v2/sub-accounts': {
      max: 100,
      asset: 'USDT',
      page: kucoinPage,
      entry: (index) => ({
        subUserId: String(index),
        subName: `sub${index}`,
        tradeAccounts: [],
        marginAccounts: [],
        mainAccounts: [{ currency: 'USDT', balance: '1', available: '1', holds: '0' }],
      }),
    },
  },
};
