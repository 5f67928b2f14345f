import { json, type OtherAccountsContract } from '../../testing/contract/exchange-contract.js';

const route = {
  margin: 'GET /api/v4/margin/accounts',
  futures: 'GET /api/v4/futures/{settle}/accounts',
  earn: 'GET /api/v4/earn/uni/lends',
  subAccounts: 'GET /api/v4/wallet/sub_account_balances',
  names: 'GET /api/v4/sub_accounts',
  subMargin: 'GET /api/v4/wallet/sub_account_margin_balances',
  subFutures: 'GET /api/v4/wallet/sub_account_futures_balances',
  totals: 'GET /api/v4/wallet/total_balance',
  unified: 'GET /api/v4/unified/accounts',
} as const;

const sum = (amount: string) => ({ amount, currency: 'USDT' });
const MARGIN = {
  currency_pair: 'BTC_USDT',
  account_type: 'mmr',
  leverage: '20',
  locked: false,
  risk: '1.3318',
  base: { currency: 'BTC', available: '0.047060413211', locked: '0', borrowed: '0.047233', interest: '0.001' },
  quote: { currency: 'USDT', available: '1234', locked: '0', borrowed: '0', interest: '0' },
};
const FUTURES = {
  user: 1666,
  total: '9707.803567115145',
  unrealised_pnl: '3371.248828',
  position_margin: '38.712189181',
  order_margin: '0',
  available: '9669.091377934145',
  point: '0',
  bonus: '0',
  in_dual_mode: false,
};

/**
 * The other accounts. The fields and the parameters were compared with the copy of www.gate.com/docs/developers/apiv4
 * of 2 June 2026 in qiuham/crypto-api-docs: "Margin account list", "Get futures account", "Query user's lending order
 * list", "Query sub-account balance information", "List sub-accounts", "Query sub-account isolated margin account
 * balance information", "Query sub-account perpetual futures account balance information", "Query personal account
 * totals", "Get unified account information". The accounts of the sub-account are those of the main account.
 * The sums of the totals, the locked amount of the sub-account, the interest and the account of bitcoin futures are
 * ours. The text of USER_NOT_FOUND is that which gocryptotrader and others quote. No page says that a classic account
 * is refused with FORBIDDEN.
 */
export const gateOtherAccounts: OtherAccountsContract = {
  calls: {
    [route.unified]: {
      parameters: { currency: 'text?', sub_uid: 'text?' },
      answer: json({ label: 'FORBIDDEN', message: 'a text' }, 403),
    },
    [route.margin]: { parameters: { currency_pair: 'text?' }, answer: json([MARGIN]) },
    [route.futures]: {
      parameters: {},
      answer: ({ target }) =>
        json(
          target.includes('/usdt/')
            ? { ...FUTURES, currency: 'USDT' }
            : { ...FUTURES, currency: 'BTC', total: '0.3', available: '0.2' },
        ),
    },
    [route.earn]: {
      parameters: { currency: 'text?', page: 'integer?', limit: 'integer?' },
      answer: json([
        {
          currency: 'BTC',
          current_amount: '20.999992',
          amount: '20.999992',
          lent_amount: '0',
          frozen_amount: '0',
          min_rate: '0.1',
          interest_status: 'interest_dividend',
          reinvest_left_amount: 0,
          create_time: 1673247054000,
          update_time: 1673247054000,
        },
      ]),
    },
    [route.subAccounts]: {
      parameters: { sub_uid: 'text?', page: 'integer?', limit: 'integer?' },
      answer: json([
        { uid: '10003', available: { BTC: '0.1', GT: '2000', USDT: '10' }, locking: { BTC: '0', GT: '5', USDT: '0' } },
      ]),
    },
    [route.names]: {
      parameters: { type: 'integer?' },
      answer: json([
        { remark: 'remark', login_name: 'sub_account_for_trades', user_id: 10003, state: 1, create_time: 168888888 },
      ]),
    },
    [route.subMargin]: {
      parameters: { sub_uid: 'text?' },
      answer: json([{ uid: '10003', available: [MARGIN] }]),
    },
    [route.subFutures]: {
      parameters: { sub_uid: 'text?', settle: 'text?' },
      answer: json([{ uid: '10003', available: { USDT: { ...FUTURES, currency: 'USDT' } } }]),
    },
    [route.totals]: {
      parameters: { currency: 'text?' },
      answer: json({
        details: {
          spot: sum('42.57'),
          margin: sum('1504'),
          futures: sum('9707'),
          delivery: sum('0'),
          quant: sum('7'),
          finance: sum('9'),
          unified: sum('2'),
          cross_margin_unified: sum('3'),
        },
        total: sum('11274.57'),
      }),
    },
  },
  expected: [
    {
      asset: 'BTC',
      free: '21.247052413211',
      used: '0.1',
      total: '21.347052413211',
      withdrawable: '0',
      elsewhere: [
        { account: 'earn', kind: 'earning', amount: '20.999992' },
        { account: 'futures btc', kind: 'free', amount: '0.2' },
        { account: 'margin', kind: 'free', amount: '0.047060413211' },
        { account: 'margin', kind: 'owed', amount: '0.048233' },
        { account: 'sub-account sub_account_for_trades', kind: 'owed', amount: '0.048233' },
        { account: 'sub-account sub_account_for_trades', kind: 'sub_account', amount: '0.147060413211' },
      ],
    },
    {
      asset: 'USDT',
      free: '10903.091377934145',
      used: '38.712189181',
      total: '10941.803567115145',
      withdrawable: '0',
      elsewhere: [
        { account: 'futures usdt', kind: 'free', amount: '9669.091377934145' },
        { account: 'margin', kind: 'free', amount: '1234' },
        { account: 'sub-account sub_account_for_trades', kind: 'sub_account', amount: '10951.803567115145' },
      ],
    },
    {
      asset: 'GT',
      free: '0',
      used: '0',
      total: '0',
      withdrawable: '0',
      elsewhere: [{ account: 'sub-account sub_account_for_trades', kind: 'sub_account', amount: '2005' }],
    },
  ],
  unread: ['finance', 'quant', 'earn and unified accounts of sub-accounts'].map((account) => ({
    account,
    reason: 'not_served',
  })),
  names: {
    [route.margin]: 'margin',
    [route.futures]: 'futures usdt',
    [route.earn]: 'earn',
    [route.subAccounts]: 'sub-accounts',
    [route.totals]: 'other accounts',
  },
  ofOneAsset: ['futures btc', 'futures usdt'],
  subAccounts: { list: route.subAccounts, none: json([]), further: [route.names, route.subMargin, route.subFutures] },
  notOpened: {
    [route.futures]: json(
      { label: 'USER_NOT_FOUND', message: 'please transfer funds first to create futures account' },
      400,
    ),
  },
};
